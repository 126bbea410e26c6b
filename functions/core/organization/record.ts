import { isDeepStrictEqual } from 'node:util';
import * as users from '#core/account/user.ts';
import { cursorFor, newRevision, positionOf } from '#core/id.ts';
import { invalid } from '#core/refusal.ts';
import {
  deletePage,
  epochSeconds,
  get,
  getAll,
  type Item,
  type Key,
  limitedPages,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionsHeld,
  deleteWrite,
  MOST_WRITES,
  putItem,
  putWrite,
  type Write,
} from '#core/storage/write.store.ts';
import {
  type Done,
  type Means,
  OTHER_CURSOR,
  type RecordEntry,
  type Recorded,
  type RecordedValue,
  type RecordPage,
  type RecordQuery,
} from '#shared/record.ts';
import { DAY } from '#shared/time.ts';
import * as organizationStore from './organization.store.ts';

/** Who changes something, and by which means; neither if the product does it by itself. */
export type Caller = { user?: string | undefined; by?: Means | undefined };
export type Changing = Caller & { table: Table; now: Date };

const BEGINS = 'name active email_list_ids metadata_trigger starts_at audience';
const COPIES =
  'double_send_first double_send_second double_send_third triple_send_first triple_send_second triple_send_third';

/** The settings of each kind. What is not named here is not recorded. */
const FIELDS: Record<Recorded, string> = {
  automation: `${BEGINS} repeat every_x_days delay_days delay_minutes stop_after_days send_at time_zone_of days_off dates_off ${COPIES} reply_to allocation holdout_percent include_existing`,
  sequence: `${BEGINS} send_at time_zone_of days_off holdout_percent include_existing steps`,
  broadcast: 'name status email_list_ids audience at local_at holdout_percent',
  template: 'name is_active automation_ids owner_id version',
  asset: 'type is_active automation_ids version',
  list: 'name active public_name domain sender_name sender_address reply_to time_zone unsubscribe_text provider second_provider warm_up tracking_domain sending_key signing_key region look logo',
  sending:
    'enabled max_emails_5_minutes max_emails_1_hour max_emails_24_hours max_emails_1_week order pause_at_percent time_zone quiet_hours holdout_percent',
  organization: 'name active currency ses_domain look logo',
  member: 'role',
  token: 'scopes max_people expiration',
  person: '',
};

/** Addresses, secrets, texts, and what may name a person: the record says that they are set, or were changed. */
const UNNAMED = 'audience reply_to sender_address unsubscribe_text sending_key signing_key look logo'.split(
  ' ',
);

/** What a setting is where it was never stored. What is created switched off was not switched off by that. */
const UNSET: Fields = { allocation: 'equal', holdout_percent: 0 };

const storedValue = (value: unknown): RecordedValue => {
  if (value === undefined || value === null || value === '') return null;
  if (value instanceof Set || Array.isArray(value)) {
    const texts = [...value].map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
    return texts.length > 0 ? texts.sort() : null;
  }
  return value as RecordedValue;
};

type Change = { from: RecordedValue; to: RecordedValue };
type Fields = Record<string, unknown>;

/** What differs, by field. Of several values, those that only one side has. */
function changesOf(kind: Recorded, before: object = {}, after: object = {}): Record<string, Change> {
  const changes = FIELDS[kind].split(' ').flatMap(field => {
    const [from, to] = [storedValue((before as Fields)[field]), storedValue((after as Fields)[field])];
    const unset = UNSET[field] ?? false;
    if (isDeepStrictEqual(from ?? unset, to ?? unset)) return [];
    if (UNNAMED.includes(field)) return [[field, { from: from !== null || null, to: to !== null || null }]];
    const only = (value: RecordedValue, other: RecordedValue) =>
      Array.isArray(value) && Array.isArray(other) ? value.filter(one => !other.includes(one)) : value;
    return [[field, { from: only(from, to), to: only(to, from) }]];
  });
  return Object.fromEntries(changes);
}

/**
 * `from` and `to`: its settings before and after. Without `from` it is created, without `to` deleted. `object`: its id and name,
 * if the settings do not have them.
 */
export type Recording = {
  kind: Recorded;
  what?: Done;
  from?: object | undefined;
  to?: object | undefined;
  object?: object;
};

/**
 * The write for the transaction of a change: none if nothing changes. So an entry is there exactly if the change is, and a
 * repetition of the change adds none.
 */
export function recorded(
  { table, now, user, by }: Changing,
  organization: number,
  {
    kind,
    from,
    to,
    object = to ?? from ?? {},
    what = from ? (to ? 'changed' : 'deleted') : 'created',
  }: Recording,
): Write[] {
  const { automation_ids, ...others } = changesOf(kind, from, to);
  const changes = { ...(what !== 'deleted' && others), ...(automation_ids && { automation_ids }) };
  if (what === 'changed' && Object.keys(changes).length === 0) return [];
  const { id, name } = object as Fields;
  const SK = `${now.toISOString()}#${newRevision()}`;
  const entry = { kind, what, user, by, object: id, name, changes, ttl: expiryOf(now) };
  return [putWrite(table, itemOf(organization, SK, entry))];
}

/** Before the sort keys of mentions: behind all entries, so that only the index finds them. */
const MENTION = '~';

/**
 * The writes of a transaction. Where content is linked to an automation, or unlinked from it, the automation shows a copy of its
 * entry, as far as there is room for it.
 */
export function withMentions(table: Table, writes: Write[]): Write[] {
  const mentions = writes.flatMap(({ Put }) => {
    const { PK, SK, changes, ...entry } = (Put?.Item ?? {}) as Key & Item;
    const { from = null, to = null } = (changes as RecordEntry['changes'] | undefined)?.automation_ids ?? {};
    return [from, to].flat().flatMap(automation => {
      if (automation === null) return [];
      const index = { GSI1PK: indexOf(PK.split('#')[1], automation), GSI1SK: SK };
      return [putWrite(table, { ...entry, ...index, PK, SK: `${MENTION}${SK}#${automation}`, changes })];
    });
  });
  return [...writes, ...mentions].slice(0, Math.max(writes.length, MOST_WRITES));
}

type Owned = { organization_id: number; include_existing?: boolean };

/** The same for settings that name their organization. */
export function recordedChange(
  needs: Changing,
  kind: Recorded,
  from: Owned | undefined,
  to: Owned | undefined,
): Write[] {
  const { organization_id } = to ?? from ?? {};
  return organization_id === undefined ? [] : recorded(needs, organization_id, { kind, from, to });
}

/** The same for what is about a user: in an organization of theirs, or in their default one, which cannot be deleted. */
export async function recordedOf(needs: Changing & { user: string }, kind: Recorded) {
  const { default_organization_id } = await users.find(needs, needs.user);
  return ({ organization = default_organization_id, ...recording }: PersonalRecording) =>
    recorded(needs, organization, { ...recording, kind });
}

type PersonalRecording = Omit<Recording, 'kind'> & { organization?: number | undefined };

const DAYS_KEPT = 731;
const expiryOf = (at: Date) => epochSeconds(new Date(at.getTime() + DAYS_KEPT * DAY));

const partition = (organization: number) => `ORG#${organization}#RECORD`;

/** They take back what is recorded of a change that is refused after it was stored. */
export const withdrawnWrites = (table: Table, notes: Write[]): Write[] =>
  notes.flatMap(({ Put }) => (Put ? [deleteWrite(table, Put.Item as Key)] : []));

type Exported = { kind: 'list' | 'person'; object: { id: string } };

/**
 * Records an export before its first page is read. The cursors of the next pages name the entry, so nothing is exported without
 * one. Returns it, and after what the export goes on.
 */
export async function exported(
  needs: Changing,
  organization: number,
  { kind, object }: Exported,
  cursor: string | undefined,
): Promise<{ entry: string; after: string | undefined }> {
  const { table } = needs;
  if (cursor === undefined) {
    const alive = organizationStore.aliveCheck(table, organization);
    const [note] = recorded(needs, organization, { kind, what: 'exported', object });
    if (!note?.Put || !(await conditionsHeld(commit(table, [alive, note]))))
      throw organizationStore.organizationGone();
    return { entry: String(note.Put.Item?.SK), after: undefined };
  }
  const [, entry = '', after = ''] =
    /^(\S{1,60}) (.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const found = entry ? await get(table, { PK: partition(organization), SK: entry }) : undefined;
  if (found?.what !== 'exported' || found.object !== object.id) throw invalid('cursor', OTHER_CURSOR);
  return { entry, after };
}

export const exportCursor = (entry: string, after: string) =>
  Buffer.from(`${entry} ${after}`).toString('base64url');

type Erased = { at: string; recipient: string };

/** Records that a person was erased, by the hash of their address. Repeating it changes nothing. */
export const recordErasure = (
  { table, user, by }: Caller & { table: Table },
  organization: number,
  { at, recipient }: Erased,
) => {
  const SK = `${at}#erased#${recipient}`;
  const entry = { kind: 'person', what: 'erased', user, by, object: recipient, ttl: expiryOf(new Date(at)) };
  return putItem(table, itemOf(organization, SK, entry), ABSENT);
};

/** An entry that names no object is in no index. */
const itemOf = (organization: number, SK: string, entry: { object?: unknown }) => ({
  PK: partition(organization),
  SK,
  ...(entry.object !== undefined && { GSI1PK: indexOf(organization, entry.object), GSI1SK: SK }),
  ...entry,
});

const indexOf = (organization: number | string | undefined, object: unknown) =>
  `RECORD#${organization}#${object}`;

/** The instant and the revision of a change, also of a mention of it. */
const placeOf = ({ GSI1SK, SK }: Item) => String(GSI1SK ?? SK);

/** What a page reads where a filter leaves out entries: then it may be shorter than others that follow. */
const FILTERED_READS = [200, 800, 2_000];

export async function page(
  { table }: { table: Table },
  organization: number,
  { cursor, per_page, ...filter }: RecordQuery,
): Promise<RecordPage> {
  const after = cursor === undefined ? undefined : positionIn(cursor, filter);
  const { kind, user } = filter;
  const found: Item[] = [];
  let end: string | undefined;
  // The entry with which the page before ended is read again, and one more shows whether another page follows.
  const limits = kind || user ? FILTERED_READS : [per_page + 2];
  for await (const { items, isLast } of limitedPages(
    table,
    questionOf(organization, filter, after),
    limits,
  )) {
    const all = filter.object === undefined ? items : await whole(table, items);
    found.push(...all.filter(item => (!kind || kindOf(item) === kind) && (!user || userOf(item) === user)));
    const last = items.at(-1);
    end = isLast ? undefined : last ? placeOf(last) : end;
    if (found.length > per_page + 1) break;
  }
  const entries = found.filter(item => placeOf(item) !== after);
  const shown = entries.slice(0, per_page);
  const final = shown.at(-1);
  const last = entries.length > shown.length && final ? placeOf(final) : end;
  return {
    data: await described(table, shown),
    next_cursor: last === undefined ? null : cursorFor(filter, Buffer.from(last).toString('base64url')),
  };
}

/** Used only as a sort key within the partition of the caller's organization, so it is not signed. */
function positionIn(cursor: string, filter: { from?: string | undefined }): string {
  const key = Buffer.from(positionOf(filter, cursor) ?? '', 'base64url').toString();
  // The table refuses a range that ends before it begins.
  if (!/^[\w#.:-]{1,200}$/.test(key) || key < (filter.from ?? '')) throw invalid('cursor', OTHER_CURSOR);
  return key;
}

/** By instant, or by instant within the index of an object. */
function questionOf(
  organization: number,
  { object, from = '', to = '' }: Pick<RecordQuery, 'object' | 'from' | 'to'>,
  after = `${to}~`,
) {
  const range = { ':from': from || '0', ':to': after };
  return object === undefined
    ? {
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': partition(organization), ...range },
        ScanIndexForward: false,
        ConsistentRead: true,
      }
    : {
        IndexName: 'GSI1',
        KeyConditionExpression: 'GSI1PK = :pk AND GSI1SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': indexOf(organization, object), ...range },
        ScanIndexForward: false,
      };
}

/** The index has no more than the keys. */
async function whole(table: Table, keys: Item[]): Promise<Item[]> {
  const items = await getAll(
    table,
    keys.map(({ PK, SK }) => ({ PK, SK }) as Key),
  );
  return items.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
}

// The first entries of the record were erasures alone, with the user as `by`.
const isEarly = ({ kind }: Item) => kind === undefined;
const kindOf = (item: Item) => (isEarly(item) ? 'person' : item.kind) as Recorded;
const userOf = ({ user, by, ...item }: Item) => (isEarly(item) ? by : user) as string | undefined;

/** In the order of `FIELDS`, which the table does not keep. Users are named as they are now. */
const inOrder = (kind: Recorded, changes: RecordEntry['changes'], names: Map<string, string>) =>
  Object.fromEntries(
    FIELDS[kind].split(' ').flatMap(field => {
      const change = changes[field];
      if (!change || field !== 'owner_id') return change ? [[field, change]] : [];
      const nameOf = (id: RecordedValue) =>
        id === null ? null : (names.get(String(id)) ?? users.FORMER_MEMBER);
      return [[field, { from: nameOf(change.from), to: nameOf(change.to) }]];
    }),
  );

async function described(table: Table, items: Item[]): Promise<RecordEntry[]> {
  const ids = items.flatMap(item => {
    const { owner_id } = (item.changes ?? {}) as RecordEntry['changes'];
    const members = item.kind === 'member' ? [item.object] : [owner_id?.from, owner_id?.to];
    return [userOf(item), ...members].filter(id => typeof id === 'string');
  });
  const names = await users.namesOf({ table }, ids);
  return items.map(item => {
    const [at = '', , hash] = placeOf(item).split('#');
    const [kind, user] = [kindOf(item), userOf(item)];
    const object = (item.object ?? hash ?? null) as string | null;
    const name = kind === 'member' ? names.get(object ?? '') : (item.name as string | undefined);
    return {
      id: String(item.SK),
      at,
      kind,
      what: (item.what ?? 'erased') as Done,
      by: user === undefined ? null : { id: user, name: names.get(user) ?? users.FORMER_MEMBER },
      means: ((!isEarly(item) && item.by) || null) as Means | null,
      object: { id: object, name: name ?? null },
      changes: inOrder(kind, (item.changes ?? {}) as RecordEntry['changes'], names),
    };
  });
}

export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
