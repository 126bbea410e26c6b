import { chunksOf } from '#core/chunks.ts';
import * as rollupStore from '#core/counters/rollup.store.ts';
import * as organizations from '#core/organization/organization.store.ts';
import { inParallel } from '#core/parallel.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as sentStore from '#core/recipient/sent.store.ts';
import type { Batch } from '#core/sending/batch/batch.store.ts';
import { outcomeOf, settledOutcome } from '#core/sending/batch/outcome.ts';
import * as log from '#core/sending/log/log.store.ts';
import * as marked from '#core/sending/marked.store.ts';
import * as rollupCounters from '#core/sending/sending.counters.ts';
import type { Key, Table } from '#core/storage/table.store.ts';
import { LATEST_CLAIM } from '#core/times.ts';
import type { Part } from './part.ts';
import { progressTicker } from './progress.ts';
import { add, type Sums, sumsIn } from './sums.ts';

type Needs = { table: Table; progress: (line: string) => void };

/** The rollups of each month in which emails were due or counted, and the log of what happened to them. */
export async function* rollupParts(needs: Needs, organization: number): AsyncGenerator<Part> {
  const due = await log.firstAndLast(needs.table, organization);
  const counted = await rollupStore.firstAndLast(needs.table, organization);
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
        ...(await rollupStore.readDays(needs.table, organization, days, { consistent: true })),
        ...(await marked.readMonth(needs.table, organization, month)),
      ];
      const those = items.filter(({ PK, SK }) => isWanted(bucketOfKey({ PK: String(PK), SK: String(SK) })));
      return {
        stored: sumsIn(those, name => name === 'emails' || rollupStore.isCountOfEmails(name)),
        counted,
      };
    },
    guardOf: () => [organizations.aliveCheck(needs.table, organization)],
  };
}

/** The bucket of a rollup, or of an entry of a mark in the log, which is counted with this rollup. */
const bucketOfKey = (key: Key) =>
  marked.isMarkedKey(key) ? rollupStore.bucketOf(marked.combinationIn(key)) : rollupStore.bucketIn(key);

type Of = { organization: number; month: string; name: string };

async function countsOf(
  { table, progress }: Needs,
  { organization, month, name }: Of,
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
    isWanted(rollupStore.bucketOf(combination))
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
    sentStore.readClaims(
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
          rollupStore.rollupCounter(organization, claim.at.slice(0, 10), rollupCounters.sourceOf(claim), {
            sent: 1,
          }),
        ]
      : []),
    ...rollupCounters.claimCounters({
      organization_id: organization,
      before: { ...after, marks: [] },
      after,
    }),
  ];
}
