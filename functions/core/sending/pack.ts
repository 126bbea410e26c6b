import { createHash } from 'node:crypto';
import { deletePage, epochSeconds, get, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { LEASE, PACK_KEPT } from '#core/timeouts.ts';

/**
 * `column`: in which the members were found. `existing`: it is for people who were members already, since this instant, whose
 * first email was due before it.
 */
export type PackSource = { list: string; column: string; automation: string; existing?: string };

/** The index of a source of the pack, and the trigger row: see `recipient.triggerText`. */
export type Due = [source: number, trigger: string];

export type Candidate = [hash: string, dues: Due[]];

/**
 * What is due in one minute for up to a thousand recipients: one message of the queue. One person's dues are in one pack if
 * they fit. In two packs they are safe too, since a claim is conditional, but their order is then arbitrary.
 */
export type Pack = {
  id: string;
  organization: number;
  /** When it is due: `2030-01-01T09:30`. */
  minute: string;
  sources: PackSource[];
  people: Candidate[];
  /** How often it was postponed. */
  attempt?: number;
  /** People who still have a claim of these batches (prefixes) wait: it is released after this pack was queued. */
  after?: string[];
  /** The sweep will find the same people, so those who cannot be sent to now are left to it. */
  isEarly?: true;
  /** The time of its provider that is reserved for it begins. */
  paced_at?: string;
  /** A share of this day of its list's warm-up is reserved for each of its people. */
  warm_up_day?: string;
  /** It sends one email again. */
  resend?: Resend;
  /** Only releases what a process has claimed after another one has resumed its pack. */
  isRecheck?: true;
};

/** `seq`: the claim of the email that a user sends again. `request`: the id of the request, which postponed packs keep. */
export type Resend = { seq: number; request: string; user: string };

/** People without any wanted due are left out. */
export const candidatesWith = (
  { people }: Pick<Pack, 'people'>,
  isWanted: (source: number, hash: string) => boolean,
): Candidate[] =>
  people.flatMap(([hash, dues]): Candidate[] => {
    const kept = dues.filter(([source]) => isWanted(source, hash));
    return kept.length > 0 ? [[hash, kept]] : [];
  });

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Checked only enough to tell it from other messages. */
export function readPack(body: string): Pack {
  const pack: Partial<Pack> = JSON.parse(body);
  const isPack =
    typeof pack.id === 'string' &&
    Number.isInteger(pack.organization) &&
    MINUTE.test(pack.minute ?? '') &&
    Array.isArray(pack.sources) &&
    Array.isArray(pack.people);
  if (!isPack) throw new Error('This message is no pack');
  return pack as Pack;
}

export type DueItem = PackSource & { hash: string; trigger: string };

export const minuteOf = (instant: Date) => instant.toISOString().slice(0, 16);
export const instantOf = (minute: string) => new Date(`${minute}:00.000Z`);

const MOST_PEOPLE = 1_000;
/** The size of the JSON. It is below 256 KB, which was the first limit of a message of SQS. */
export const MOST_PACK_BYTES = 200_000;

/** Of a bounded size. Equal packs have one id: the second message is a redelivery. */
export function packsOf(minute: { organization: number; minute: string }, found: DueItem[]): Pack[] {
  const drafts: Draft[] = [];
  const byHash = Map.groupBy(found, ({ hash }) => hash);
  for (const hash of [...byHash.keys()].sort()) {
    for (const dues of inseparable((byHash.get(hash) ?? []).map(withSource))) {
      const last = drafts.at(-1);
      const draft = last && hasRoom(last, hash, dues) ? last : newDraft();
      if (draft !== last) drafts.push(draft);
      addTo(draft, hash, dues);
    }
  }
  return drafts.map(({ sources, people }) => {
    const content = {
      ...minute,
      sources: [...sources.values()].map(({ source }) => source),
      people: [...people],
    };
    return { id: packId(content), ...content };
  });
}

type Sourced = DueItem & { source: string };

const withSource = (found: DueItem): Sourced => ({
  ...found,
  source: `${found.automation}#${found.list}#${found.column}`,
});

/** One part if it fits in a pack, else one for each automation. */
function inseparable(dues: Sourced[]): Sourced[][] {
  const order = ({ source, trigger }: Sourced) => `${source}#${trigger}`;
  if (dues.length > 1) dues.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const isShort = dues.length * LONGEST_DUE < MOST_PACK_BYTES / 2;
  if (isShort || AROUND_PACK + bytesOf(newDraft(), '', dues) <= MOST_PACK_BYTES) return [dues];
  return [...Map.groupBy(dues, ({ automation }) => automation).values()];
}

type Draft = {
  sources: Map<string, { place: number; source: PackSource }>;
  people: Map<string, Due[]>;
  bytes: number;
};

// The bytes of the JSON around a pack, a person and a due, with the longest id and the longest index of a source.
const AROUND_PACK = 300;
const AROUND_PERSON = '["",[]],'.length;
const AROUND_DUE = '[1234,""],'.length;
// A due with its source, with the longest names of list, column and time zone. Dues that fit at this size are not measured.
const LONGEST_DUE = 350;

const newDraft = (): Draft => ({ sources: new Map(), people: new Map(), bytes: AROUND_PACK });

function hasRoom(draft: Draft, hash: string, dues: Sourced[]): boolean {
  if (draft.people.size === MOST_PEOPLE && !draft.people.has(hash)) return false;
  return draft.bytes + bytesOf(draft, hash, dues) <= MOST_PACK_BYTES;
}

function bytesOf({ people, sources }: Draft, hash: string, dues: Sourced[]): number {
  let bytes = people.has(hash) ? 0 : AROUND_PERSON + hash.length;
  for (const due of dues) {
    bytes += AROUND_DUE + due.trigger.length;
    if (!sources.has(due.source)) bytes += Buffer.byteLength(JSON.stringify(packSource(due))) + 1;
  }
  return bytes;
}

const packSource = ({ list, column, automation, existing }: PackSource): PackSource => ({
  list,
  column,
  automation,
  ...(existing !== undefined && { existing }),
});

function addTo(draft: Draft, hash: string, dues: Sourced[]): void {
  draft.bytes += bytesOf(draft, hash, dues);
  const placed = dues.map((due): Due => {
    const known = draft.sources.get(due.source);
    const place = known?.place ?? draft.sources.size;
    if (!known) draft.sources.set(due.source, { place, source: packSource(due) });
    return [place, due.trigger];
  });
  draft.people.set(hash, [...(draft.people.get(hash) ?? []), ...placed]);
}

const ID_LENGTH = 12;

/** An id in the form of all ids, equal for equal content. */
export function packId(content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-ID_LENGTH);
}

// SQS delays a message by at most this many seconds.
export const LONGEST_DELAY = 900;
const FIRST_DELAY = 30;

/** In seconds, at least what the provider asked for, with a jitter so that packs postponed together do not return together. */
export function delayOf({ id, attempt = 1 }: Pack, least = 0): number {
  const delay = Math.max(least, FIRST_DELAY * 2 ** (attempt - 1));
  return Math.min(LONGEST_DELAY, Math.ceil(delay * (1 + shareOf(id) / 2)));
}

const shareOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/** Its id follows from its content, so that repeating the work queues the same pack. `releasing`: see `Pack.after`. */
export function followUp(
  { id, isRecheck: _, isEarly: __, paced_at: ___, warm_up_day: ____, ...pack }: Pack,
  people: Candidate[],
  {
    releasing,
    attempt = (pack.attempt ?? 0) + 1,
    paced_at,
    warm_up_day,
  }: {
    releasing?: string | undefined;
    attempt?: number;
    paced_at?: string | undefined;
    warm_up_day?: string | undefined;
  } = {},
): Pack {
  const after = releasing === undefined ? pack.after : [...(pack.after ?? []), releasing];
  const next = {
    ...pack,
    people,
    attempt,
    ...(after && { after }),
    ...(paced_at && { paced_at }),
    ...(warm_up_day && { warm_up_day }),
  };
  return { ...next, id: packId([id, next]) };
}

type PackKey = Pick<Pack, 'organization' | 'minute' | 'id'>;

const packsPartition = (organization: number) => `ORG#${organization}#PACKS`;
const packKey = ({ organization, minute, id }: PackKey) => ({
  PK: packsPartition(organization),
  SK: `${minute}#${id}`,
});

type Lease = { state: 'mine'; run: Run } | { state: 'held' } | { state: 'done' };
/** Its number among all runs that had the lease, and when the lease ends. */
export type Run = { number: number; until: Date };

/** Of several processes that have its message, one works on it. */
export async function takeLease(table: Table, pack: PackKey, holder: string, now: Date): Promise<Lease> {
  const until = new Date(now.getTime() + LEASE);
  const item = await updateItem(
    table,
    packKey(pack),
    {
      set: {
        holder,
        until: until.toISOString(),
        state: 'running',
        ttl: epochSeconds(new Date(now.getTime() + PACK_KEPT)),
      },
      add: { run: 1 },
    },
    {
      condition: 'attribute_not_exists(PK) OR (#state = :running AND #until < :now)',
      values: { ':running': 'running', ':now': now.toISOString() },
    },
  );
  if (item) return { state: 'mine', run: { number: Number(item.run), until } };
  const found = await get(table, packKey(pack));
  if (found?.state === 'done') return { state: 'done' };
  // The condition also fails if the SDK repeats a request whose answer was lost. The lease is then our own.
  return found?.holder === holder
    ? { state: 'mine', run: { number: Number(found.run), until: new Date(String(found.until)) } }
    : { state: 'held' };
}

/** Returns false if another process has taken the lease over, and may not be done. */
export async function markDone(table: Table, pack: PackKey, holder: string): Promise<boolean> {
  const isMine = { condition: 'holder = :holder', values: { ':holder': holder } };
  return (await updateItem(table, packKey(pack), { set: { state: 'done' } }, isMine)) !== undefined;
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, packsPartition(organization), '');
