import { useEffect, useRef, useState } from 'react';
import type { ListMembersPage } from '#shared/list-member.ts';
import { MOST_IDS } from '#shared/members-page.ts';
import { Cancelled } from '#web/lib/confirmation.ts';
import { invalidateAfter, useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { type Action, FAILURES, type Member, namesOf } from './member-actions.tsx';
import { MEMBERS, type MembersRequest, membersQuery } from './use-members.ts';

const ACTIONS = 'POST /api/email-lists/{list}/members/actions';

export type Result = 'changed' | 'unchanged' | { reason: string };
/** An action on many members. Members without a result were not tried. */
export type Run = {
  action: Action;
  members: readonly Member[];
  results: ReadonlyMap<string, Result>;
  isRunning: boolean;
};

const reasonOf = (result: Result | undefined) => (typeof result === 'object' ? result.reason : undefined);
export const hasFailed = ({ results }: Run) =>
  [...results.values()].some(result => reasonOf(result) !== undefined);
const doneIn = ({ members, results }: Pick<Run, 'members' | 'results'>) =>
  members.filter(({ id }) => results.has(id) && reasonOf(results.get(id)) === undefined);

/** Runs an action on many members of a list. `onDone` is called with the members for whom it was done. */
export function useBulk(list: string, onDone: (action: Action, done: Member[]) => void) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [run, setRun] = useState<Run>();
  const isMounted = useRef(true);
  const isStopped = useRef(false);
  const last = useRef<Promise<void>>(Promise.resolve());
  // The callback of the latest render, as it may have changed since the run began.
  const latestOnDone = useRef(onDone);
  useEffect(() => {
    latestOnDone.current = onDone;
  });
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      isStopped.current = true;
    };
  }, []);

  async function request(action: Action, ids: string[]): Promise<[string, Result][]> {
    try {
      const { results } = await call(ACTIONS, { params: { list }, body: { action, ids } });
      return results.map(({ id, status, message = FAILURES[action] }) => {
        if (status === 'changed' || status === 'unchanged') return [id, status];
        // Another user has deleted the member.
        return [id, status === 'not_found' && action === 'delete' ? 'unchanged' : { reason: message }];
      });
    } catch (problem) {
      const reason = serverMessageOr(problem, FAILURES[action]);
      return ids.map(id => [id, { reason }]);
    }
  }

  /** Tries the members for whom the action is not done yet, until it is stopped. */
  async function carryOut({ action, members, results: earlier }: Run, isLast: () => boolean) {
    isStopped.current = false;
    const results = new Map(earlier);
    const before = new Set(doneIn({ members, results }));
    const left = members.filter(member => !before.has(member)).map(({ id }) => id);
    for (const id of left) results.delete(id);
    const current = (isRunning: boolean): Run => ({ action, members, results: new Map(results), isRunning });
    setRun(current(true));
    for (let at = 0; at < left.length && !isStopped.current; at += MOST_IDS) {
      for (const [id, result] of await request(action, left.slice(at, at + MOST_IDS)))
        results.set(id, result);
      setRun(current(true));
    }
    await invalidateAfter(ACTIONS, organization);
    const over = current(false);
    const done = doneIn(over);
    latestOnDone.current(
      action,
      done.filter(member => !before.has(member)),
    );
    if (done.length === members.length) {
      setRun(undefined);
      showDone(over);
    } else if (isMounted.current && isLast()) setRun(over);
    // The bar is not shown any more, or shows the next run.
    else toast(resultText(over), 'warning');
  }

  /** Follows the current run, since Undo may be pressed during it. */
  function follow(run: Run) {
    const next: Promise<void> = last.current.then(() => carryOut(run, () => last.current === next));
    last.current = next;
  }

  const start = (action: Action, members: readonly Member[]) =>
    follow({ action, members, results: new Map(), isRunning: true });

  function showDone(over: Run) {
    const message = resultText(over);
    const changed = over.members.filter(({ id }) => over.results.get(id) === 'changed');
    if (over.action !== 'unsubscribe' || changed.length === 0) toast(message);
    else toastUndoable({ message, undo: () => start('subscribe', changed) });
  }

  return {
    run,
    start,
    stop: () => {
      isStopped.current = true;
    },
    dismiss: () => setRun(undefined),
    retry: () => run && follow(run),
  };
}

const DONE: Record<Action, string> = {
  unsubscribe: 'unsubscribed',
  subscribe: 'subscribed again',
  delete: 'deleted',
};
const RUNNING: Record<Action, string> = {
  unsubscribe: 'Unsubscribing',
  subscribe: 'Subscribing again',
  delete: 'Deleting',
};

export const progressText = ({ action, members, results }: Run) =>
  `${RUNNING[action]} ${formatNumber(results.size)} of ${formatNumber(members.length)}`;

export function resultText(run: Run): string {
  const { action, members, results } = run;
  const done = doneIn(run).length;
  if (done === members.length) return `${plural(done, 'member')} ${DONE[action]}.`;
  const failed = results.size - done;
  const untried = members.length - results.size;
  return [
    `${formatNumber(done)} of ${formatNumber(members.length)} ${DONE[action]}`,
    ...(failed > 0 ? [`${formatNumber(failed)} failed: ${reasonsIn(run)}`] : []),
    ...(untried > 0 ? [`${formatNumber(untried)} not tried`] : []),
  ]
    .join('; ')
    .concat('.');
}

function reasonsIn({ members, results }: Run): string {
  const failed = members.filter(({ id }) => reasonOf(results.get(id)) !== undefined);
  const byReason = Map.groupBy(failed, ({ id }) => reasonOf(results.get(id))?.replace(/\.$/, ''));
  return [...byReason].map(([reason, those]) => `${reason} (${namesOf(those)})`).join('; ');
}

export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Member>>(new Map());

  const select = (members: Member[], isSelected: boolean) =>
    setSelected(current => {
      const next = new Map(current);
      for (const member of members) {
        if (isSelected) next.set(member.id, member);
        else next.delete(member.id);
      }
      return next;
    });

  return { selected, select, clear: () => setSelected(new Map()) };
}

/** A run with this many takes some seconds. */
export const MOST_SELECTED = 1000;
const PER_CALL = 100;

/** Selects all members of a list, or those that its search and filter find, up to a limit, unless it is stopped. */
export function useSelectAll(
  request: MembersRequest,
  select: (members: Member[], isSelected: boolean) => void,
) {
  const call = useOrganizationCall();
  const abort = useRef<AbortController>(undefined);
  const stop = () => abort.current?.abort();
  const { list, search, status, audience } = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: others are searched for than those who are being selected
  useEffect(() => stop, [list, search, status, audience]);

  const action = useAction(
    async () => {
      const control = new AbortController();
      const { signal } = control;
      abort.current = control;
      const found: Member[] = [];
      let answer: ListMembersPage | undefined;
      do {
        const page = (answer?.current_page ?? 0) + 1;
        const cursor = answer?.next_cursor ?? undefined;
        const query = {
          ...membersQuery({ ...request, page, perPage: PER_CALL, columns: [] }),
          ...(cursor && { cursor }),
        };
        answer = await call(MEMBERS, { params: { list }, query, signal }).catch(problem => {
          throw signal.aborted ? new Cancelled() : problem;
        });
        found.push(...answer.data);
      } while (
        found.length < MOST_SELECTED &&
        (answer.next_cursor ?? answer.current_page < answer.last_page)
      );
      select(found.slice(0, MOST_SELECTED), true);
    },
    { failure: 'Failed to fetch list members. Please try again' },
  );
  return { ...action, stop };
}
