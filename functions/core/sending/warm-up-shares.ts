import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as listStore from '#core/list/list.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, optimistically, unchanged, updateWrite } from '#core/storage/write.store.ts';
import { SENDER_TIMEOUT } from '#core/timeouts.ts';
import { DAY, MINUTE, startOfDay } from '#shared/time.ts';
import { allowanceOf, leftOf, nextDay, type WarmUp, warmUpAt } from '#shared/warm-up.ts';
import type { Candidate, Pack } from './pack.ts';
import type { SendingState } from './state.ts';

type List = listStore.StoredList;

/** The emails of a list that are reserved. `day`: of which warm-up, and of which of its days. */
export type Reserved = { list: List; day: string; emails: number };

const dayOf = ({ since, day }: WarmUp) => `${since} ${day}`;
const CONFLICT = 'The warm-up of this list is being changed by others. Please try again.';

/** As many as are wanted, or as are left of the day. Undefined if the list is not in warm-up. */
export const reserve = (
  table: Table,
  known: List,
  wanted: number,
  now: Date,
): Promise<Reserved | undefined> =>
  optimistically<List | undefined, { reserved?: Reserved }>({
    known,
    read: () => readList(table, known),
    write: async list => {
      if (!list?.warm_up) return {};
      const warmUp = warmUpAt(list.warm_up, now);
      const emails = warmUp ? Math.min(wanted, leftOf(warmUp)) : 0;
      if (warmUp && emails === 0) return { reserved: { list, day: dayOf(warmUp), emails } };
      const written = await listStore.change(table, list, {
        ...(warmUp
          ? { set: { warm_up: { ...warmUp, sent: warmUp.sent + emails, sent_at: now.toISOString() } } }
          : { drop: ['warm_up'] }),
        provided: ['warm_up'],
      });
      if (!written) return undefined;
      return warmUp ? { reserved: { list: written, day: dayOf(warmUp), emails } } : {};
    },
    conflict: CONFLICT,
  }).then(({ reserved }) => reserved);

const readList = async (table: Table, { organization_id, id }: List): Promise<List | undefined> =>
  (await listStore.readThese(table, organization_id, [id]))[0];

/** What was reserved and not used, if that day is not over. It is a transaction, as an update may be repeated by the SDK. */
export async function giveBack(table: Table, { list: known, day }: Reserved, emails: number): Promise<void> {
  if (emails <= 0) return;
  await optimistically<List | undefined, true>({
    read: () => readList(table, known),
    write: async list => {
      const { warm_up } = list ?? {};
      if (!list || !warm_up || dayOf(warm_up) !== day) return true;
      const set = { warm_up: { ...warm_up, sent: Math.max(0, warm_up.sent - emails) } };
      const key = listStore.key(list.organization_id, list.id);
      const write = updateWrite(table, key, { set }, unchanged(list, ['warm_up']));
      return (await conditionsHeld(commit(table, [write]))) || undefined;
    },
    conflict: CONFLICT,
  });
}

/** As it is, or as it begins the day, once the guard has found something: neither this day nor the last one raises the allowance. */
export const heldAt = (warmUp: WarmUp, now: Date): WarmUp => ({
  ...(warmUpAt({ ...warmUp, is_held: true }, now) ?? warmUp),
  is_held: true,
});

/** For the lists that an automation mails. */
export async function hold(table: Table, { organization_id, email_list_ids }: StoredAutomation, now: Date) {
  for (const known of await listStore.readThese(table, organization_id, email_list_ids)) {
    await optimistically<List | undefined, true>({
      known,
      read: () => readList(table, known),
      write: async list => {
        if (!list?.warm_up) return true;
        const held = heldAt(list.warm_up, now);
        if (list.warm_up.is_held && held.day === list.warm_up.day) return true;
        const set = { warm_up: held };
        return (await listStore.change(table, list, { set, provided: ['warm_up'] })) ? true : undefined;
      },
      conflict: CONFLICT,
    });
  }
}

/**
 * By list, for the emails that these people may be due for. What the pass of a broadcast has reserved for its people on this day
 * is not reserved again.
 */
export async function reserveFor(
  { table, now }: { table: Table; now: () => Date },
  { sources, warm_up_day }: Pack,
  { lists }: SendingState,
  people: Candidate[],
): Promise<Map<string, Reserved>> {
  const reserved = new Map<string, Reserved>();
  const wanted = people.flatMap(([, dues]) => dues.flatMap(([source]) => sources[source]?.list ?? []));
  for (const [id, { length }] of Map.groupBy(wanted, id => id)) {
    const list = lists.get(id);
    const warmUp = list && warmUpAt(list.warm_up, now());
    const isReserved = warmUp && warm_up_day === dayOf(warmUp);
    const of = isReserved
      ? { list, day: warm_up_day, emails: length }
      : list?.warm_up && (await reserve(table, list, length, now()));
    if (of) reserved.set(id, of);
  }
  return reserved;
}

/** After a reservation, until what is not used is given back. */
const IN_USE = 2 * SENDER_TIMEOUT;
/** A broadcast leaves the last twentieth of a day: page by page, it would be asked for until midnight. */
const WORTHWHILE = 0.05;

/** Whether a broadcast goes on with its next people now, once it is known what the last ones have used, or on another day. */
export function isUsedUp(warmUp: WarmUp, now: Date): boolean | 'not known yet' {
  const isInUse = warmUp.sent_at !== undefined && now.getTime() - Date.parse(warmUp.sent_at) < IN_USE;
  const isUsed = leftOf(warmUp) === 0 || leftOf(warmUp) < WORTHWHILE * allowanceOf(warmUp);
  return isUsed && isInUse ? 'not known yet' : isUsed;
}

/** After how many days there is a share again at the time of an instant: once its minute is over, as now. */
export const daysLater = (at: number, now: Date) => Math.ceil((nextDay(now).getTime() - MINUTE - at) / DAY);

type Email = { list: string; at: number; hash: string; isBroadcast: boolean };

/** How the emails that may be sent during some days are limited by warm-ups; `at` is when a sender decides. */
export type WarmUpLimits = {
  isWithin: (list: string, at: Date, hash: string) => boolean;
  /** On how many days after its instant somebody gets a broadcast. */
  daysLater: (list: string, at: number, hash: string) => number;
};

/** `share`: of all people, those whose emails these are. */
export function limitsOf(
  lists: SendingState['lists'],
  emails: Email[],
  share: number,
  now: Date,
): WarmUpLimits {
  const ends = new Map<string, { at: number; hash: string }>();
  const later = new Map<string, number>();
  const keyOf = ({ list, at, hash }: Omit<Email, 'isBroadcast'>) => `${list} ${at} ${hash}`;
  for (const [id, ofList] of Map.groupBy(emails, ({ list }) => list)) {
    let warmUp = lists.get(id)?.warm_up;
    let left = ofList.map(email => ({ ...email, planned: email.at }));
    const first = startOfDay(Math.min(...ofList.map(({ at }) => at)));
    for (let day = first; left.length > 0; day += DAY) {
      warmUp = warmUpAt(warmUp, new Date(Math.max(day, now.getTime())));
      if (!warmUp) break;
      const ofDay = left.filter(({ at }) => startOfDay(at) === day).sort((a, b) => (isBefore(a, b) ? -1 : 1));
      const room = Math.ceil(leftOf(warmUp) * share);
      const beyond = ofDay.slice(room);
      if (beyond[0]) ends.set(`${id} ${day}`, beyond[0]);
      warmUp = { ...warmUp, sent: warmUp.sent + Math.min(room, ofDay.length) / share };
      const next = beyond.filter(({ isBroadcast }) => isBroadcast).map(one => ({ ...one, at: one.at + DAY }));
      for (const one of next) later.set(keyOf({ ...one, at: one.planned }), (one.at - one.planned) / DAY);
      left = [...left.filter(({ at }) => startOfDay(at) > day), ...next];
    }
  }
  return {
    isWithin: (list, at, hash) => {
      const end = ends.get(`${list} ${startOfDay(at.getTime())}`);
      return !end || isBefore({ at: at.getTime(), hash }, end);
    },
    daysLater: (list, at, hash) => later.get(keyOf({ list, at, hash })) ?? 0,
  };
}

const isBefore = (a: { at: number; hash: string }, b: { at: number; hash: string }) =>
  a.at < b.at || (a.at === b.at && a.hash < b.hash);
