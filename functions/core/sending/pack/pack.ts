import { createHash } from 'node:crypto';

export { markDone, purgeSome, type Run, takeLease } from './pack.store.ts';

/** An automation that is due for some members of a list, and the column in which they were found. */
export type PackSource = { list: string; column: string; automation: string };

/** One source by its place in the pack, and the minute of the trigger row that the member was found by. */
export type Due = [source: number, trigger: string];

/** A recipient, and what may be due for them. */
export type Candidate = [hash: string, dues: Due[]];

/**
 * What is due in one minute for up to a thousand recipients of an organization: one message of the queue. All of it that
 * was found at once for one person is in one pack, unless it alone is too large. What is in two packs is safe too: a claim
 * is conditional, and only their order is then by chance.
 */
export type Pack = {
  id: string;
  organization: number;
  /** In which it is due: `2030-01-01T09:30`. */
  minute: string;
  sources: PackSource[];
  people: Candidate[];
  /** How often it was put off. */
  attempt?: number;
  /**
   * Claims of batches whose ids begin so are being released: the pack was queued before that, so that a process that dies
   * forgets nobody. Who still has one of them waits.
   */
  after?: string[];
  /** The sweep is going to find the same people: who is not sent to now is left to it. */
  isEarly?: true;
  /** It sends one email again. */
  resend?: Resend;
  /** A process that had this pack was given up, and may have gone on since: only that is looked after. */
  isRecheck?: true;
};

/** The claim that a user has sent again; `request` names the wish, whose packs may be put off. */
export type Resend = { seq: number; request: string; user: string };

const MOST_PEOPLE = 1_000;
/** Of the JSON. It would also fit in the 256 KB that a message of SQS held at first. */
export const MOST_PACK_BYTES = 200_000;

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** A message of the queue. What only this system writes is looked at as far as another message may be mistaken for it. */
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

/** Something due for one person. */
export type DueItem = PackSource & { hash: string; trigger: string };

export const minuteOf = (instant: Date) => instant.toISOString().slice(0, 16);
export const instantOf = (minute: string) => new Date(`${minute}:00.000Z`);

/**
 * What is due in one minute, in packs of a bounded size. The id of a pack is that of its content: what is queued twice has
 * one id, and its second message is a redelivery.
 */
export function packsOf(of: { organization: number; minute: string }, found: DueItem[]): Pack[] {
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
      ...of,
      sources: [...sources.values()].map(({ source }) => source),
      people: [...people],
    };
    return { id: packId(content), ...content };
  });
}

/** With its source as a text. */
type Sourced = DueItem & { source: string };

const withSource = (found: DueItem): Sourced => ({
  ...found,
  source: `${found.automation}#${found.list}#${found.column}`,
});

/** What is due for one person, in parts that stay together: one where a pack holds it, else one for each automation. */
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

// What is written around a part of a pack, the longest id and place of a source included.
const AROUND_PACK = 300;
const AROUND_PERSON = '["",[]],'.length;
const AROUND_DUE = '[1234,""],'.length;
// With its source, whatever the names of list and column: so few need not be measured.
const LONGEST_DUE = 300;

const newDraft = (): Draft => ({ sources: new Map(), people: new Map(), bytes: AROUND_PACK });

function hasRoom(draft: Draft, hash: string, dues: Sourced[]): boolean {
  if (draft.people.size === MOST_PEOPLE && !draft.people.has(hash)) return false;
  return draft.bytes + bytesOf(draft, hash, dues) <= MOST_PACK_BYTES;
}

/** How much longer the JSON becomes. */
function bytesOf({ people, sources }: Draft, hash: string, dues: Sourced[]): number {
  let bytes = people.has(hash) ? 0 : AROUND_PERSON + hash.length;
  for (const due of dues) {
    bytes += AROUND_DUE + due.trigger.length;
    if (!sources.has(due.source)) bytes += Buffer.byteLength(JSON.stringify(packSource(due))) + 1;
  }
  return bytes;
}

const packSource = ({ list, column, automation }: PackSource): PackSource => ({ list, column, automation });

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

/** An id as others are, the same for the same content. */
export function packId(content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-ID_LENGTH);
}

// SQS delays a message by at most this many seconds.
export const LONGEST_DELAY = 900;
const FIRST_DELAY = 30;

/**
 * Longer with each attempt, never less than the provider asked for, and up to half as long again: packs that were put off
 * together come back one by one.
 */
export function delayOf({ id, attempt = 1 }: Pack, least = 0): number {
  const delay = Math.max(least, FIRST_DELAY * 2 ** (attempt - 1));
  return Math.min(LONGEST_DELAY, Math.ceil(delay * (1 + shareOf(id) / 2)));
}

/** From 0 to 1, the same for the same text. */
const shareOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/**
 * Some people of a pack again, in a pack of its own. Its id follows from its content: however often a pack is worked on,
 * those who wait are in one pack. `releasing` names the batches whose claims are to be released when it is queued.
 */
export function followUp(
  { id, isRecheck: _, isEarly: __, ...pack }: Pack,
  people: Candidate[],
  { releasing, attempt = (pack.attempt ?? 0) + 1 }: { releasing?: string | undefined; attempt?: number } = {},
): Pack {
  const after = releasing === undefined ? pack.after : [...(pack.after ?? []), releasing];
  const next = { ...pack, people, attempt, ...(after && { after }) };
  return { ...next, id: packId([id, next]) };
}
