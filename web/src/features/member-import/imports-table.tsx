import { Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { ListMemberRow } from '#shared/list-member.ts';
import type { MemberImport } from '#shared/member-import.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Section } from '#web/components/section.tsx';
import { OTHER_STATE, Status } from '#web/components/status.tsx';
import {
  invalidateAfter,
  useOrganizationCall,
  useOrganizationChange,
  useOrganizationData,
} from '#web/lib/data.ts';
import { countText, formatMoment, formatNumber, plural } from '#web/lib/format.ts';
import { useMay, useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { withRetries } from './use-run.ts';

const UNDO = 'POST /api/email-lists/{list}/imports/{memberImport}/undo';

const STATES: Record<MemberImport['state'], { tone: 'usual' | 'off' | 'attention'; word: string }> = {
  running: { tone: 'attention', word: 'Unfinished' },
  done: { tone: 'usual', word: 'Done' },
  cancelled: { tone: 'off', word: 'Ended early' },
  undoing: { tone: 'attention', word: 'Being undone' },
  undone: { tone: 'off', word: 'Undone' },
};

const COLUMNS: Column<MemberImport>[] = [
  { key: 'file', header: 'File', width: 'minmax(0, 2fr)', cell: ({ file_name }) => file_name },
  {
    key: 'state',
    header: 'State',
    width: '140px',
    cell: ({ state }) => {
      const { tone, word } = STATES[state] ?? OTHER_STATE;
      return <Status tone={tone}>{word}</Status>;
    },
  },
  { key: 'result', header: 'Result', width: 'minmax(0, 3fr)', cell: resultOf },
  { key: 'at', header: 'Started', width: '180px', cell: ({ created_at }) => formatMoment(created_at) },
];

function resultOf({ state, counts, done_rows, total_rows, undo, start_nothing }: MemberImport): string {
  if (undo) return undoneText(undo);
  const { created, updated, rejected } = counts;
  const part = state === 'done' ? [] : [`${formatNumber(done_rows)} of ${plural(total_rows, 'row')}`];
  return [
    ...part,
    `${formatNumber(created)} new`,
    `${formatNumber(updated)} updated`,
    `${formatNumber(rejected)} refused`,
    ...(start_nothing ? ['started nothing'] : []),
  ].join(', ');
}

function undoneText({ removed, mailed, stay_changed }: NonNullable<MemberImport['undo']>): string {
  return [
    `${plural(removed, 'member')} removed`,
    ...(mailed > 0 ? [`${formatNumber(mailed)} of them had been mailed`] : []),
    ...(stay_changed > 0
      ? [plural(stay_changed, 'stays as it was changed since', 'stay as they were changed since')]
      : []),
  ].join(', ');
}

const EDIT = 'list-members:edit' as const;

type Props = { list: string; imports: MemberImport[] | undefined; problem: unknown; onRetry: () => void };

type Asked = { of: MemberImport; to: 'undo' | 'end' | 'members' };

export function ImportsTable({ list, imports, problem, onRetry }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const mayImport = useMay()(EDIT);
  return (
    <Section title="Imports of this list">
      <DataTable
        label="Imports"
        columns={COLUMNS}
        rows={imports}
        rowKey={({ id }) => id}
        rowName={({ file_name }) => file_name}
        count={countText(imports?.length, 'import')}
        problem={problem}
        failure="The imports could not be loaded. Please try again"
        onRetry={onRetry}
        expected={1}
        actions={of => [
          { id: 'members', label: 'Show its members', run: () => setAsked({ of, to: 'members' }) },
          ...(of.state === 'running'
            ? [{ id: 'end', label: 'End it here', right: EDIT, run: () => setAsked({ of, to: 'end' }) }]
            : []),
          ...(of.state === 'undone'
            ? []
            : [
                {
                  id: 'undo',
                  danger: true,
                  right: EDIT,
                  run: () => setAsked({ of, to: 'undo' }),
                  label: of.state === 'undoing' ? 'Continue undoing' : 'Undo',
                },
              ]),
        ]}
        empty={
          <EmptyState
            title="No imports yet"
            cause={mayImport && 'Choose a file above to add members from it.'}
          />
        }
      />
      {asked?.to === 'undo' && <UndoDialog list={list} of={asked.of} onClose={close} />}
      {asked?.to === 'end' && <EndDialog list={list} of={asked.of} onClose={close} />}
      {asked?.to === 'members' && <ImportMembers list={list} of={asked.of} onClose={close} />}
    </Section>
  );
}

type DialogProps = { list: string; of: MemberImport; onClose: () => void };

function UndoDialog({ list, of, onClose }: DialogProps) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const [left, setLeft] = useState<number>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  /** A request removes as many members as it has time for. It is repeated while the page is open, and by "Continue undoing". */
  async function undo() {
    const params = { list, memberImport: of.id };
    abort.current = new AbortController();
    const { signal } = abort.current;
    try {
      while (!signal.aborted) {
        const now = await withRetries(() => call(UNDO, { params }), { signal, onWait: () => {} });
        if (now.undo && now.state === 'undone') return toast(`${undoneText(now.undo)}.`, 'success', 6000);
        setLeft(now.undo?.rows_left);
      }
    } finally {
      await invalidateAfter(UNDO, organization);
    }
  }

  return (
    <ConfirmDialog
      title={`Undo the import of ${of.file_name}?`}
      confirm="Remove members"
      loadingText={left === undefined ? 'Removing...' : `Removing... ${plural(left, 'row')} left`}
      failure="The import could not be undone. Please try again"
      onConfirm={undo}
      onClose={onClose}
    >
      The members that it added are removed, also those who were mailed since, but for those who were changed
      since, or whom another import has too. Members who were there before keep what it changed.
    </ConfirmDialog>
  );
}

function EndDialog({ list, of, onClose }: DialogProps) {
  const change = useOrganizationChange();
  return (
    <ConfirmDialog
      title={`End the import of ${of.file_name}?`}
      confirm="End import"
      failure="The import could not be ended. Please try again"
      onConfirm={() =>
        change('PUT /api/email-lists/{list}/imports/{memberImport}', {
          params: { list, memberImport: of.id },
          body: { state: 'cancelled' },
        })
      }
      onClose={onClose}
    >
      What is imported of it stays: {plural(of.done_rows, 'row')}. The others are not imported any more.
    </ConfirmDialog>
  );
}

const MEMBERS = 'GET /api/email-lists/{list}/imports/{memberImport}/members';

function ImportMembers({ list, of, onClose }: DialogProps) {
  const params = { list, memberImport: of.id };
  const call = useOrganizationCall();
  const { data: first, error, mutate } = useOrganizationData(MEMBERS, { params });
  const [more, setMore] = useState<{ rows: ListMemberRow[]; cursor: string | null }>();
  const cursor = more ? more.cursor : first?.next_cursor;
  const {
    run,
    isRunning,
    error: failure,
  } = useAction(async () => {
    if (!cursor) return;
    const page = await call(MEMBERS, { params, query: { cursor } });
    setMore({ rows: [...(more?.rows ?? []), ...page.data], cursor: page.next_cursor });
  });
  return (
    <Modal title={`Members added by ${of.file_name}`} onClose={onClose} width="560px">
      <DataTable
        label="Members of the import"
        rows={first && [...first.data, ...(more?.rows ?? [])]}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        problem={error}
        onRetry={() => void mutate()}
        columns={[
          {
            key: 'email',
            header: 'Email',
            width: 'minmax(0, 2fr)',
            cell: ({ id, email }) => <TextLink to={paths.listMember(id)}>{email}</TextLink>,
          },
          {
            key: 'status',
            header: 'Status',
            width: '140px',
            cell: ({ is_subscribed }) => (is_subscribed ? 'Subscribed' : 'Unsubscribed'),
          },
        ]}
        empty={
          <EmptyState title="None of its members are left" cause="It added nobody, or they were removed." />
        }
        more={
          cursor && (
            <Button loading={isRunning} loadingText="Loading..." onClick={() => void run()}>
              Show more
            </Button>
          )
        }
      />
      {failure && (
        <Text role="alert" mt="2" color="fg.error">
          {failure}
        </Text>
      )}
    </Modal>
  );
}
