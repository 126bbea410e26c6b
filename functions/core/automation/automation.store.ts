import { isBroadcast } from '#core/id.ts';
import { sourceKey, sourceWrite } from '#core/sources/source.ts';
import {
  deletePage,
  fromItem,
  getAll,
  getStored,
  type Item,
  type Key,
  query,
  queryPartition,
  sortKeyRange,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionCheck,
  conditionsHeld,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { Allocation } from '#shared/allocation.ts';
import type { Audience } from '#shared/audience.ts';
import type { Part } from '#shared/email/content.ts';
import type { Paused } from '#shared/guard.ts';
import { dayAfter } from '#shared/report/range.ts';
import type { Sums } from '#shared/report/significance.ts';
import { ANY_TIME, type Schedule } from '#shared/schedule.ts';
import { MINUTE } from '#shared/time.ts';
import type { FixedTriggers } from './due/occurrences.ts';

export type StoredAutomation = Schedule &
  FixedTriggers & {
    id: string;
    organization_id: number;
    name: string;
    active: boolean;
    /** When it was last switched on: emails that were due before are not sent. Absent if it has never been on. */
    active_since?: string | undefined;
    /** When what is sent once was last given other times: it may have been sent by those before. */
    rescheduled_at?: string | undefined;
    email_list_ids: string[];
    /** The metadata column with the trigger date; null if it starts when a member was added. */
    metadata_trigger: string | null;
    /** Absent if the column alone says it: an event is one that no list need have yet. */
    starts_at?: 'event' | undefined;
    /** Who gets it: null or absent for everybody. */
    audience?: Audience | null;
    /** Where answers go; without it, to that of the list. */
    reply_to?: string | null;
    /** What shares of its content follow from; absent if they are equal. */
    allocation?: Allocation;
    /** So many percent of people get nothing of it; absent for none. Of a step, that of its sequence. */
    holdout_percent?: number;
    /** The sequence that it is a step of, which has its schedule and switches it. */
    sequence_id?: string;
    /** Why the guard has switched it off. Removed when somebody switches it on. */
    paused?: (Paused & { told_at?: string }) | undefined;
    /** The guard has warned. */
    warned?: Paused | undefined;
    /** How often it was switched on after a pause. Its claims say so: the guard counts those since the last time. */
    resumes?: number | undefined;
    created_at: string;
    /** New with each write: the next write has it as condition. */
    revision: string;
  };

/** That of a broadcast, and of a step of a sequence: each person gets one email. */
export const ONCE: Schedule = {
  ...ANY_TIME,
  repeat: 'once',
  every_x_days: 1,
  delay_days: 0,
  delay_minutes: 0,
  stop_after_days: null,
  double_send_first: false,
  double_send_second: false,
  double_send_third: false,
  triple_send_first: false,
  triple_send_second: false,
  triple_send_third: false,
};

const partition = (organization: number) => `ORG#${organization}`;
export const key = (organization: number, id: string) => ({
  PK: partition(organization),
  SK: `${isBroadcast(id) ? 'CAST' : 'AUTO'}#${id}`,
});
export const linkedKey = (organization: number, id: string) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `LINKED#${id}`,
});
export const comparedKey = (organization: number, id: string) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `COMPARED#${id}`,
});

/** The kind of linked content: the type of an asset, or a template. */
export type LinkKind = Part | 'template';
/** The ids of the active content, by kind. `wordings`: which content took the place of which one, of the last days. */
export type Linked = Partial<Record<LinkKind, Set<string>>> & { wordings?: Set<string> };

export const isAllocated = ({ allocation = 'equal' }: Pick<StoredAutomation, 'allocation'>) =>
  allocation !== 'equal';

const ALLOCATED = 'ALLOCATED';

export const toItem = (automation: StoredAutomation) => ({
  ...key(automation.organization_id, automation.id),
  ...(isAllocated(automation) && {
    GSI1PK: ALLOCATED,
    GSI1SK: `${automation.organization_id}#${automation.id}`,
  }),
  ...automation,
});

/** The ids of the automations whose shares are computed, by organization. The index may miss the last change. */
export async function allocatedIds(table: Table): Promise<Map<number, string[]>> {
  const found = await query(table, {
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': ALLOCATED },
  });
  const ids = found.map(({ PK, SK }) => [String(PK), String(SK)].map(text => text.split('#')[1] ?? ''));
  const byOrganization = Map.groupBy(ids, ([organization]) => Number(organization));
  return new Map(
    [...byOrganization].map(([organization, all]) => [organization, all.map(([, id = '']) => id)]),
  );
}

/** For the guard, one that is switched on again begins anew. */
export const resumed = ({ paused, resumes = 0 }: Pick<StoredAutomation, 'paused' | 'resumes'>) =>
  paused && { paused: undefined, warned: undefined, resumes: resumes + 1 };

/** One for each list of the automation, by list; none while it is inactive. */
const sourcesOf = (automation: StoredAutomation | undefined): [list: string, key: Key][] => {
  if (!automation?.active) return [];
  const { organization_id, id, email_list_ids, metadata_trigger } = automation;
  return email_list_ids.map(list => [list, sourceKey(organization_id, list, metadata_trigger, id)]);
};

export const hasSource = (
  automation: StoredAutomation,
  { organization, list, column }: { organization: number; list: string; column: string | null },
): boolean => {
  const { SK } = sourceKey(organization, list, column, automation.id);
  return sourcesOf(automation).some(([, source]) => source.SK === SK);
};

/** Whether people who were there already are being queued; what is due to them later waits. */
export const hasPass = async (table: Table, automations: StoredAutomation[]): Promise<boolean> =>
  (
    await getAll(
      table,
      automations.flatMap(automation => sourcesOf(automation).map(([, source]) => source)),
    )
  ).some(({ existing, due }) => existing !== undefined && due === undefined);

/** The item that lists its linked content exists as long as the automation does. */
export const createWrites = (table: Table, created: StoredAutomation): [own: Write, linked: Write] => [
  putWrite(table, toItem(created), ABSENT),
  putWrite(table, linkedKey(created.organization_id, created.id), ABSENT),
];

type Mailing = Pick<StoredAutomation, 'active' | 'email_list_ids'>;

/** The lists that it begins to mail by a change. */
export const begunLists = (before: Mailing | undefined, after: Mailing): string[] =>
  after.active
    ? after.email_list_ids.filter(id => !before?.active || !before.email_list_ids.includes(id))
    : [];

/** It fails if the automation is deleted or was changed since it was read. */
export const changeWrite = (table: Table, before: StoredAutomation, after: StoredAutomation): Write =>
  putWrite(table, toItem(after), unchanged(before, ['revision']));

/** The sources that it gets, and those that it loses. Those of the lists in `passes` begin with a pass. */
export function sourceWrites(
  table: Table,
  before: StoredAutomation | undefined,
  after: StoredAutomation | undefined,
  { now, passes }: { now: Date; passes: string[] },
): { added: Write[]; removed: Write[] } {
  const [from, to] = [sourcesOf(before), sourcesOf(after)];
  const isIn = (sources: [string, Key][], { SK }: Key) => sources.some(([, key]) => key.SK === SK);
  return {
    added: to
      .filter(([list, key]) => !isIn(from, key) || passes.includes(list))
      .map(([list, key]) => sourceWrite(table, key, now, passes.includes(list))),
    removed: from.filter(([, key]) => !isIn(to, key)).map(([, key]) => deleteWrite(table, key)),
  };
}

export const unchangedCheck = (table: Table, automation: StoredAutomation): Write =>
  conditionCheck(table, key(automation.organization_id, automation.id), unchanged(automation, ['revision']));

export const deletionWrites = (
  table: Table,
  automation: StoredAutomation,
): [own: Write, ...others: Write[]] => [
  deleteWrite(table, key(automation.organization_id, automation.id), unchanged(automation, ['revision'])),
  deleteWrite(table, linkedKey(automation.organization_id, automation.id)),
  deleteWrite(table, comparedKey(automation.organization_id, automation.id)),
];

export async function read(
  table: Table,
  organization: number,
  id: string,
): Promise<StoredAutomation | undefined> {
  return (await readThese(table, organization, [id]))[0];
}

export const readAll = async (table: Table, organization: number) =>
  (await queryPartition(table, partition(organization), 'AUTO#')).map(fromItem<StoredAutomation>);

export const readThese = (table: Table, organization: number, ids: string[]): Promise<StoredAutomation[]> =>
  readNamed(
    table,
    ids.map(id => ({ organization, id })),
  );

/** The automations may be of different organizations. */
export const readNamed = (
  table: Table,
  wanted: { organization: number; id: string }[],
): Promise<StoredAutomation[]> =>
  getStored(
    table,
    wanted.map(({ organization, id }) => key(organization, id)),
  );

export const fromItems = (items: Item[]) =>
  storedOf<StoredAutomation>(items.find(({ SK }) => /^(AUTO|CAST)#/.test(String(SK))));

/** By automation, for those that exist. */
export async function readLinked(
  table: Table,
  organization: number,
  ids: string[],
): Promise<Map<string, Linked>> {
  return (await readChoosing(table, organization, ids, [])).linked;
}

type SharesOf = { automation: string; day: string };

/** The linked content, and in the same request the shares of some days, by `sharesName`. */
export async function readChoosing(table: Table, organization: number, ids: string[], wanted: SharesOf[]) {
  const items = await getAll(table, [
    ...ids.map(id => linkedKey(organization, id)),
    ...wanted.map(of => sharesKey(organization, of)),
  ]);
  const [stored, linked] = [true, false].map(ofShares =>
    items.filter(({ SK }) => String(SK).startsWith('SHARES#') === ofShares),
  ) as [Item[], Item[]];
  return { linked: linkedByAutomation(linked), shares: sharesByName(stored) };
}

/** In thousandths, which sum to 1,000: how often each content of a kind is chosen on a UTC day. */
export type Shares = Partial<Record<LinkKind, Record<string, number>>>;

export const sharesName = ({ automation, day }: SharesOf) => `${automation}#${day}`;
export const sharesKey = (organization: number, of: SharesOf): Key => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `SHARES#${sharesName(of)}`,
});

const sharesByName = (items: Item[]): Map<string, Shares> =>
  new Map(
    items.map(({ SK, parts }) => [String(SK).slice('SHARES#'.length), (parts ?? {}) as Shares] as const),
  );

/** By day, from one to another. */
export async function readShares(
  table: Table,
  organization: number,
  automation: string,
  { from, to }: { from: string; to: string },
): Promise<Map<string, Shares>> {
  const [first, last] = [from, to].map(day => sharesKey(organization, { automation, day }));
  const items = await query(table, {
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': first?.PK, ':from': first?.SK, ':to': last?.SK },
    ConsistentRead: true,
  });
  return new Map(
    [...sharesByName(items)].map(([name, shares]) => [name.slice(automation.length + 1), shares]),
  );
}

/**
 * Senders read the shares of a day from two minutes before it on, and a write may take some seconds: what is stored before this
 * instant is what all of them find, all day.
 */
const SETTLED = 4 * MINUTE;
export const isSettled = (day: string, now: Date) => now.getTime() >= Date.parse(day) - SETTLED;

/** Once for each day, before it begins; again only before that, for content that was changed since. Returns false if it is late. */
export async function storeShares(
  { table, now }: { table: Table; now: () => Date },
  organization: number,
  of: SharesOf,
  { before, shares }: { before: Shares | undefined; shares: Shares },
): Promise<boolean> {
  if (isSettled(of.day, now())) return false;
  const item = { ...sharesKey(organization, of), parts: shares };
  return conditionsHeld(
    commit(table, [
      putWrite(table, item, before ? unchanged({ parts: before }, ['parts']) : ABSENT),
      existsCheck(table, organization, of.automation),
    ]),
  );
}

export const readAllLinked = async (table: Table, organization: number): Promise<Map<string, Linked>> =>
  linkedByAutomation(await queryPartition(table, `${partition(organization)}#CONTENT`, 'LINKED#'));

const linkedByAutomation = (items: Item[]): Map<string, Linked> =>
  new Map(
    items.map(({ changed_on: _, ...item }) => [
      String(item.SK).slice('LINKED#'.length),
      fromItem<Linked>(item),
    ]),
  );

/** The UTC days on which its active content was changed, by automation. */
export const readChangedDays = async (table: Table, organization: number, ids: string[]) =>
  new Map(
    (
      await getAll(
        table,
        ids.map(id => linkedKey(organization, id)),
      )
    ).map(({ SK, changed_on }) => [
      String(SK).slice('LINKED#'.length),
      changed_on as Set<string> | undefined,
    ]),
  );

type Link = { organization: number; automation: string; kind: LinkKind; id: string };
type Links = Pick<Link, 'organization' | 'automation'> & { ids: Partial<Record<LinkKind, string>> };

const changedOn = (now: Date) => ({ changed_on: new Set([now.toISOString().slice(0, 10)]) });

/** Fails if the automation is deleted, or has `most` of one of the kinds already. Without an instant if all is linked. */
export function linkWrite(
  table: Table,
  { organization, automation, ids }: Links,
  { most, now }: { most: number; now?: Date | undefined },
): Write {
  const links = Object.entries(ids);
  return updateWrite(
    table,
    linkedKey(organization, automation),
    {
      add: {
        ...Object.fromEntries(links.map(([kind, id]) => [kind, new Set([id])])),
        ...(now && changedOn(now)),
      },
    },
    {
      condition: [
        PRESENT.condition,
        ...links.map(
          ([kind]) =>
            `(attribute_not_exists(#${kind}) OR size(#${kind}) < :most OR contains(#${kind}, :id_${kind}))`,
        ),
      ].join(' AND '),
      values: { ':most': most, ...Object.fromEntries(links.map(([kind, id]) => [`:id_${kind}`, id])) },
    },
  );
}

/** Without an instant if the content is not active. */
export const unlinkWrite = (table: Table, { organization, automation, kind, id }: Link, now?: Date): Write =>
  updateWrite(
    table,
    linkedKey(organization, automation),
    { subtract: { [kind]: new Set([id]) }, ...(now && { add: changedOn(now) }) },
    PRESENT,
  );

/** Lists one content in place of another. Fails if the automation is deleted, or its content was changed since it was read. */
export function replaceWrite(
  table: Table,
  { organization, automation, kind, id }: Link,
  { linked, by, now }: { linked: Linked; by: string; now: Date },
): Write {
  const others = [...(linked[kind] ?? [])].filter(other => other !== id);
  const set = { [kind]: new Set([...others, by]), wordings: wordingsWith(linked, { by, of: id, now }) };
  return updateWrite(
    table,
    linkedKey(organization, automation),
    { set, add: changedOn(now) },
    unchanged(linked, [kind, 'wordings']),
  );
}

/** Lists other content; none if that is the same. Fails if it was changed since it was read, or the automation is deleted. */
export function listedWrite(
  table: Table,
  { organization, automation }: Pick<Link, 'organization' | 'automation'>,
  { before, after, now }: { before: Linked | undefined; after: Linked; now: Date },
): Write[] {
  const all = [...Object.keys(before ?? {}), ...Object.keys(after)] as (keyof Linked)[];
  const kinds = [...new Set(all)].filter(kind => kind !== 'wordings');
  const idsOf = (linked: Linked | undefined, kind: LinkKind) => [...(linked?.[kind] ?? [])].sort();
  const differing = kinds.filter(kind => String(idsOf(before, kind)) !== String(idsOf(after, kind)));
  const set = Object.fromEntries(differing.flatMap(kind => (after[kind]?.size ? [[kind, after[kind]]] : [])));
  const key = linkedKey(organization, automation);
  if (!before) {
    const changed = differing.length > 0 ? changedOn(now) : {};
    return [putWrite(table, { ...key, ...set, ...changed }, ABSENT)];
  }
  const drop = differing.filter(kind => !(kind in set));
  const { wordings } = after;
  const fields = { set: { ...set, ...(wordings && { wordings }) }, drop, add: changedOn(now) };
  const only = unchanged(before, [...differing, ...(wordings ? ['wordings'] : [])]);
  return differing.length > 0 ? [updateWrite(table, key, fields, only)] : [];
}

type Wording = { by: string; of: string; now: Date };

/** Of two days, as the shares of a day may be from before the evening before it. */
export function wordingsWith({ wordings = new Set() }: Linked, { by, of, now }: Wording): Set<string> {
  const today = now.toISOString().slice(0, 10);
  const recent = [...wordings].filter(wording => wording >= dayAfter(today, -1));
  return new Set([...recent, `${today}#${by}#${of}`]);
}

/** The content that another one took the place of, in the last days. */
export const earlierWordings = ({ wordings = new Set() }: Linked): Map<string, string> =>
  new Map(
    [...wordings].map(wording => {
      const [, by = '', of = ''] = wording.split('#');
      return [by, of];
    }),
  );

export const existsCheck = (table: Table, organization: number, automation: string): Write =>
  conditionCheck(table, linkedKey(organization, automation), PRESENT);

export const valuePartition = (organization: number) => `ORG#${organization}#VALUE`;

/** Whether the value of any conversion was ever posted. */
export const hasValue = async (table: Table, organization: number): Promise<boolean> =>
  (await sortKeyRange(table, valuePartition(organization))) !== undefined;

/** What comparisons keep of the days before `until`, by what is compared and by id; without an automation, `until` alone. */
export type Kept = { until: string; since?: string; sums?: Record<string, Record<string, Sums>> };

/** By automation. Up to the `until` that is without one, nothing was sent that is not in these sums. */
export const readKept = async (table: Table, organization: number): Promise<Map<string, Kept>> =>
  new Map(
    (await queryPartition(table, `${partition(organization)}#CONTENT`, 'COMPARED#')).map(item => [
      String(item.SK).slice('COMPARED#'.length),
      fromItem<Kept>(item),
    ]),
  );

/** Does nothing if it was kept by another call, or if the automation was deleted. */
export const keep = (
  table: Table,
  { organization, automation }: { organization: number; automation: string },
  before: Kept | undefined,
  kept: Kept,
) =>
  conditionsHeld(
    commit(table, [
      putWrite(table, { ...comparedKey(organization, automation), ...kept }, unchanged(before, ['until'])),
      ...(automation ? [existsCheck(table, organization, automation)] : []),
    ]),
  );

/** They are computed anew when they are needed. */
export async function forgetKept(table: Table, organization: number): Promise<void> {
  while (await deletePage(table, `${partition(organization)}#CONTENT`, 'COMPARED#'));
}

/** Returns true if there may be more. */
export const purgeSome = async (table: Table, organization: number) =>
  (await deletePage(table, partition(organization), 'AUTO#')) ||
  (await deletePage(table, partition(organization), 'CAST#'));
