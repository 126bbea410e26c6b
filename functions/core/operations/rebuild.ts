import * as automation from '#core/automation/automation.store.ts';
import * as counts from '#core/list/counts.ts';
import * as listStore from '#core/list/list.store.ts';
import * as listMember from '#core/list/list-member/list-member.store.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import * as organizations from '#core/organization/organization.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import * as claims from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { Refusal } from '#core/refusal.ts';
import * as valueStore from '#core/reporting/value.ts';
import type { Batch } from '#core/sending/batch/batch.store.ts';
import { outcomeOf, settledOutcome } from '#core/sending/batch/outcome.ts';
import * as eventIndex from '#core/sending/event-index.store.ts';
import * as log from '#core/sending/log/log.store.ts';
import * as rollup from '#core/sending/rollup.ts';
import * as rollupCounters from '#core/sending/sending.counters.ts';
import type { Counter } from '#core/storage/projection.ts';
import { type Item, type Key, type Table, textOf } from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  conditionCheck,
  conditionsHeld,
  PRESENT,
  unchanged,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import { LATEST_CLAIM } from '#core/timeouts.ts';

type Needs = {
  table: Table;
  /** Waits for longer than the projector takes to count a write. */
  pause: () => Promise<void>;
  progress: (line: string) => void;
};

/** `changing`: each pass found another difference, as the projector is counting it right now. */
export type Finding = Difference & { of: string; state: 'differs' | 'fixed' | 'changing' };

const MOST_PASSES = 5;

/** Some writes are never counted yet: only a difference that two passes find, with a pause between them, is one. */
export async function* rebuild(
  needs: Needs,
  organization: number,
  { fix }: { fix: boolean },
): AsyncGenerator<Finding> {
  const [found] = await organizations.findAll(needs, [organization]);
  if (!found) throw new Refusal('not-found', `There is no organization ${organization}.`);
  let isFixed = false;
  for await (const part of countedParts(needs, organization)) {
    for await (const finding of examine(needs, part, fix)) {
      isFixed ||= finding.state === 'fixed';
      yield finding;
    }
  }
  if (isFixed) await automation.forgetKept(needs.table, organization);
}

async function* countedParts(needs: Needs, organization: number): AsyncGenerator<Part> {
  yield* await listParts(needs, organization);
  yield* rollupParts(needs, organization);
  yield valuePart(needs, organization);
}

async function* examine(needs: Needs, part: Part, fix: boolean): AsyncGenerator<Finding> {
  const compare = async (among?: Difference[]) => {
    const { stored, counted } = await part.read(among?.map(({ key }) => key));
    return differences(stored, counted);
  };
  const of = part.name;
  let before = await compare();
  for (let passes = 1; before.length > 0 && passes < MOST_PASSES; passes++) {
    await needs.pause();
    const known = new Map(before.map(one => [differenceId(one), one]));
    const again = (await compare(before)).filter(one => known.has(differenceId(one)));
    const confirmed = again.filter(one => isSame(known.get(differenceId(one)), one));
    before = again.filter(one => !confirmed.includes(one));
    if (!fix) for (const one of confirmed) yield { ...one, of, state: 'differs' };
    else {
      for (const some of byWrite(confirmed)) {
        if (await correct(needs.table, part, some))
          for (const one of some) yield { ...one, of, state: 'fixed' };
        else before.push(...some);
      }
    }
  }
  for (const one of before) yield { ...one, of, state: 'changing' };
}

// An update expression may have 4 KB.
const MOST_NUMBERS = 20;

const byWrite = (all: Difference[]): Difference[][] =>
  [...Map.groupBy(all, ({ key }) => textOf(key)).values()].flatMap(ofItem => chunksOf(ofItem, MOST_NUMBERS));

/** Returns false if the numbers have changed since they were read. */
function correct(table: Table, { guardOf }: Part, some: Difference[]): Promise<boolean> {
  const [{ key, exists }] = some as [Difference];
  const stored = Object.fromEntries(some.map(({ name, stored }) => [name, stored]));
  const add = Object.fromEntries(some.map(({ name, stored = 0, counted }) => [name, counted - stored]));
  const only = exists ? unchanged(stored, Object.keys(stored)) : ABSENT;
  return conditionsHeld(commit(table, [updateWrite(table, key, { add }, only), ...guardOf(key)]));
}

type Part = {
  name: string;
  /** Reads what is stored of them, and counts what it should be. With `among`, at least for these items. */
  read: (among?: Key[]) => Promise<{ stored: Sums; counted: Sums }>;
  guardOf: (key: Key) => Write[];
};
export type Sums = Map<string, Numbers>;

type Numbers = { key: Key; exists: boolean; numbers: Record<string, number> };

type Difference = {
  key: Key;
  exists: boolean;
  name: string;
  /** Undefined if the item has no such number. */
  stored: number | undefined;
  counted: number;
};

export function differences(stored: Sums, counted: Sums): Difference[] {
  return [...new Set([...stored.keys(), ...counted.keys()])].flatMap(text => {
    const [is, should] = [stored.get(text), counted.get(text)];
    const key = (is ?? should)?.key as Key;
    const names = [is, should].flatMap(one => Object.keys(one?.numbers ?? {}));
    return [...new Set(names)].sort().flatMap((name): Difference[] => {
      const [was, now = 0] = [is?.numbers[name], should?.numbers[name]];
      return (was ?? 0) === now ? [] : [{ key, exists: is !== undefined, name, stored: was, counted: now }];
    });
  });
}

const differenceId = ({ key, name }: Pick<Difference, 'key' | 'name'>) => `${textOf(key)}\n${name}`;

const isSame = (a: Difference | undefined, b: Difference) =>
  a?.exists === b.exists && a.stored === b.stored && a.counted === b.counted;

const COUNTED = ['total', 'subscribed', 'members'];

async function listParts(needs: Needs, organization: number): Promise<Part[]> {
  const lists = await listStore.readAllUncounted(needs.table, organization);
  return lists.map(({ id, name }) => listPart(needs, { organization, id, name: `list ${name} (${id})` }));
}

type CountedList = { organization: number; id: string; name: string };

function listPart(needs: Needs, of: CountedList): Part {
  const guard = counts.countsKey(of.id);
  const isGuard = ({ SK }: Key) => SK === guard.SK;
  return {
    name: of.name,
    async read() {
      const counted = await listCounts(needs, of);
      const items = await counts.readCounters(needs.table, of.id);
      const stored = sumsIn(items, field => COUNTED.includes(field));
      // The counts of a deleted list are gone, and are not created again.
      const isCounted = [...stored.values()].some(({ key }) => isGuard(key));
      return isCounted ? { stored, counted } : { stored: new Map(), counted: new Map() };
    },
    guardOf: key => (isGuard(key) ? [] : [conditionCheck(needs.table, guard, PRESENT)]),
  };
}

async function listCounts(
  { table, progress }: Needs,
  { organization, id, name }: CountedList,
): Promise<Sums> {
  const counted: Sums = new Map();
  const tick = progressTicker(progress, count => `${name}: ${count} members so far`);
  for await (const some of listMember.everyone(table, organization, id)) {
    for (const after of some) add(counted, counts.listCounters({ list_id: id, before: undefined, after }));
    tick(some.length);
  }
  return counted;
}

async function* rollupParts(needs: Needs, organization: number): AsyncGenerator<Part> {
  const due = await log.firstAndLast(needs.table, organization);
  const counted = await rollup.firstAndLast(needs.table, organization);
  if (!due && !counted) return;
  const last = due && new Date(Date.parse(`${due.last}:00Z`) + LATEST_CLAIM).toISOString().slice(0, 7);
  const [from, to] = [
    [due?.first.slice(0, 7), counted?.first.slice(0, 7)],
    [last, counted?.last.slice(0, 7)],
  ].map(ends => ends.filter(end => end !== undefined).sort());
  for (let month = from?.[0] ?? ''; month <= (to?.at(-1) ?? ''); month = monthAfter(month)) {
    yield partOf(needs, organization, month);
  }
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}

function partOf(needs: Needs, organization: number, month: string): Part {
  const name = `emails of ${month}`;
  const days = { from: `${month}-01`, to: `${month}-31` };
  return {
    name,
    async read(among?: Key[]) {
      const wanted = among && new Set(among.map(bucketOfKey));
      const isWanted = (bucket: string) => wanted?.has(bucket) ?? true;
      const counted = await countsOf(needs, { organization, month, name }, isWanted);
      const items = [
        ...(await rollup.readDays(needs.table, organization, days, { consistent: true })),
        ...(await eventIndex.readMonth(needs.table, organization, month)),
      ];
      const those = items.filter(({ PK, SK }) => isWanted(bucketOfKey({ PK: String(PK), SK: String(SK) })));
      return { stored: sumsIn(those, name => name === 'emails' || rollup.isCountOfEmails(name)), counted };
    },
    guardOf: () => [organizationStore.aliveCheck(needs.table, organization)],
  };
}

/** The bucket of a rollup, or of an entry of a mark in the log, which is counted with this rollup. */
const bucketOfKey = (key: Key) =>
  eventIndex.isIndexKey(key) ? rollup.bucketOf(eventIndex.combinationIn(key)) : rollup.bucketIn(key);

type MonthOfEmails = { organization: number; month: string; name: string };

async function countsOf(
  { table, progress }: Needs,
  { organization, month, name }: MonthOfEmails,
  isWanted: (bucket: string) => boolean,
): Promise<Sums> {
  const counted: Sums = new Map();
  const begins = new Date(Date.parse(`${month}-01`) - LATEST_CLAIM).toISOString();
  const tick = progressTicker(progress, count => `${name}: ${count} so far`);
  for await (const some of log.oldestFirst(table, organization, { from: begins, to: `${month}-32` })) {
    const sends = some.flatMap(batch => sendsOf(batch, isWanted));
    for (const part of chunksOf(sends, MOST_CLAIMS)) {
      const outcomes = new Map(part.map(({ id, outcome }) => [id, outcome]));
      for (const { hash, claim } of await claimsOf(table, organization, part)) {
        const outcome = outcomes.get(recipientKey.claimId({ hash, seq: claim.seq }));
        const isSent = settledOutcome(outcome, claim)?.status === 'sent';
        if (claim.at.startsWith(month)) add(counted, countersOf(organization, { hash, claim }, isSent));
      }
    }
    tick(sends.length);
  }
  return counted;
}

type Judged = recipientKey.ClaimKey & { id: string; outcome: ReturnType<typeof outcomeOf> };

const sendsOf = (batch: Batch, isWanted: (bucket: string) => boolean): Judged[] =>
  batch.sends.flatMap(({ hash, seq, combination }) =>
    isWanted(rollup.bucketOf(combination))
      ? // Whether what is being posted is unknown by now makes no difference.
        [
          {
            hash,
            seq,
            id: recipientKey.claimId({ hash, seq }),
            outcome: outcomeOf(batch, { hash, seq }, new Date(0)),
          },
        ]
      : [],
  );

/** So many are in memory at a time; a page of the log names up to 50,000. */
const MOST_CLAIMS = 2_000;
const MOST_KEYS = 100;
const MOST_AT_ONCE = 10;

async function claimsOf(table: Table, organization: number, sends: recipientKey.ClaimKey[]) {
  const read = await inParallel(chunksOf(sends, MOST_KEYS), MOST_AT_ONCE, some =>
    claims.readClaims(
      table,
      some.map(({ hash, seq }) => ({ key: { organization, hash }, seq })),
    ),
  );
  return read.flat();
}

type Email = { hash: string; claim: journal.Claim };

function countersOf(organization: number, { hash, claim }: Email, isSent: boolean) {
  if (claim.released) return [];
  const { outcome: _, ...after } = rollupCounters.countedOf(hash, claim);
  return [
    ...(isSent
      ? [
          rollup.rollupCounter(organization, claim.at.slice(0, 10), rollupCounters.sourceOf(claim), {
            sent: 1,
          }),
        ]
      : []),
    ...rollupCounters.reportedCounters(organization, { ...after, marks: [], value: undefined }, after),
  ];
}

const EVER = { from: '0000-01-01', to: '9999-12-31' };

/** The value in all rollups. Its events are not sorted by day, so all of them are one part. */
function valuePart(needs: Needs, organization: number): Part {
  return {
    name: 'value',
    async read(among?: Key[]) {
      const wanted = among && new Set(among.map(({ SK }) => SK));
      const isWanted = ({ SK }: Item) => wanted?.has(String(SK)) ?? true;
      const counted = await valueCounts(needs, organization);
      const stored: Sums = new Map();
      const days = rollup.pagesOfDays(needs.table, organization, EVER, { consistent: true });
      for await (const items of days) {
        const those = sumsIn(items.filter(isWanted), rollup.isCountOfValue);
        for (const [key, sums] of those) stored.set(key, sums);
      }
      return { stored, counted: wanted ? onlyWanted(counted, wanted) : counted };
    },
    guardOf: () => [organizationStore.aliveCheck(needs.table, organization)],
  };
}

const onlyWanted = (sums: Sums, wanted: Set<string>): Sums =>
  new Map([...sums].filter(([, { key }]) => wanted.has(key.SK)));

async function valueCounts({ table, progress }: Needs, organization: number): Promise<Sums> {
  const counted: Sums = new Map();
  const tick = progressTicker(progress, count => `value: ${count} events so far`);
  for await (const some of valueStore.everything(table, organization)) {
    for (const event of some)
      add(counted, valueStore.valueCounters({ organization_id: organization, ...event }));
    tick(some.length);
  }
  return counted;
}

export function add(sums: Sums, counters: Counter[]): void {
  for (const { key, add } of counters) {
    const { numbers } = sums.get(textOf(key)) ?? set(sums, key, {}, false);
    for (const [name, value] of Object.entries(add)) numbers[name] = (numbers[name] ?? 0) + value;
  }
}

function set(sums: Sums, key: Key, numbers: Record<string, number>, exists: boolean): Numbers {
  const one = { key, exists, numbers };
  sums.set(textOf(key), one);
  return one;
}

function sumsIn(items: Item[], isCounted: (name: string) => boolean): Sums {
  const sums: Sums = new Map();
  for (const { PK, SK, ...fields } of items) {
    const numbers = Object.entries(fields)
      .filter(([name]) => isCounted(name))
      .map(([name, value]): [string, number] => [name, Number(value)]);
    set(sums, { PK: String(PK), SK: String(SK) }, Object.fromEntries(numbers), true);
  }
  return sums;
}

const REPORTED_EVERY = 50_000;

/** Counts what was read, and reports it after each 50,000: `wording` makes a line of the number. */
function progressTicker(report: (line: string) => void, wording: (count: string) => string) {
  let count = 0;
  return (more: number): void => {
    const reported = Math.floor(count / REPORTED_EVERY);
    count += more;
    if (Math.floor(count / REPORTED_EVERY) > reported) report(wording(count.toLocaleString('en-US')));
  };
}
