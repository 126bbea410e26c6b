import { chunksOf } from '../../chunks.ts';
import * as organizations from '../../organization/organization/organization.ts';
import { inParallel } from '../../parallel.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as batches from '../../sending/batch/batch.ts';
import type { Key, Table } from '../../storage/table.store.ts';
import * as rollup from '../rollup/rollup.ts';
import type { Part } from './part.ts';
import { add, type Sums, sumsIn } from './sums.ts';

type Needs = { table: Table; progress: (line: string) => void };

const DAY = 24 * 60 * 60 * 1000;
/** An email counts on the day of its claim, which is at most so much later than it was due. */
const LATEST = 2 * DAY;
const TOLD_AFTER = 50_000;

/** The rollups of each month in which emails were due or counted. */
export async function* rollupParts(needs: Needs, organization: number): AsyncGenerator<Part> {
  const due = await batches.firstAndLast(needs.table, organization);
  const counted = await rollup.firstAndLast(needs.table, organization);
  if (!due && !counted) return;
  const last = due && new Date(Date.parse(`${due.last}:00Z`) + LATEST).toISOString().slice(0, 7);
  const [from, to] = [
    [due?.first.slice(0, 7), counted?.first],
    [last, counted?.last],
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
  return {
    name,
    async look(among?: Key[]) {
      const wanted = among && new Set(among.map(rollup.combinationOf));
      const isWanted = (combination: string) => wanted?.has(combination) ?? true;
      const counted = await countsOf(needs, { organization, month, name }, isWanted);
      const items = await rollup.readMonth(needs.table, organization, month);
      const those = items.filter(item => isWanted(rollup.combinationOf(item)));
      return { stored: sumsIn(those, rollup.isCount), counted };
    },
    guardOf: () => [organizations.aliveCheck(needs.table, organization)],
  };
}

type Of = { organization: number; month: string; name: string };

async function countsOf(
  { table, progress }: Needs,
  { organization, month, name }: Of,
  isWanted: (combination: string) => boolean,
): Promise<Sums> {
  const counted: Sums = new Map();
  const begins = new Date(Date.parse(`${month}-01`) - LATEST).toISOString();
  let emails = 0;
  for await (const some of batches.oldestFirst(table, organization, { from: begins, to: `${month}-32` })) {
    const wanted = some.filter(({ head }) => isWanted(head.combination));
    const sent = new Set(wanted.flatMap(sentOf));
    const sends = wanted.flatMap(({ sends }) => sends);
    for (const part of chunksOf(sends, MOST_CLAIMS)) {
      for (const { hash, claim } of await claimsOf(table, organization, part)) {
        const isSent = sent.has(idOf({ hash, seq: claim.seq }));
        if (claim.at.startsWith(month)) add(counted, countersOf(organization, claim, isSent));
      }
    }
    const told = Math.floor(emails / TOLD_AFTER);
    emails += sends.length;
    if (Math.floor(emails / TOLD_AFTER) > told) {
      progress(`${name}: ${emails.toLocaleString('en-US')} so far`);
    }
  }
  return counted;
}

const idOf = ({ hash, seq }: batches.Send) => `${hash}-${seq}`;

// Whether what is being posted is unknown by now makes no difference.
const sentOf = ({ head, sends }: { head: batches.Head; sends: batches.Send[] }): string[] =>
  batches
    .outcomesOf(head, sends, new Date(0))
    .filter(({ status }) => status === 'sent')
    .map(idOf);

/** In memory at a time; a page of the log names up to 50,000. */
const MOST_CLAIMS = 2_000;
const MOST_KEYS = 100;
const MOST_AT_ONCE = 10;

async function claimsOf(table: Table, organization: number, sends: batches.Send[]) {
  const read = await inParallel(chunksOf(sends, MOST_KEYS), MOST_AT_ONCE, some =>
    recipient.readClaims(
      table,
      some.map(({ hash, seq }) => ({ key: { organization, hash }, seq })),
    ),
  );
  return read.flat();
}

function countersOf(organization: number, claim: recipient.Claim, isSent: boolean) {
  if (claim.released) return [];
  const after = rollup.countedOf(claim);
  return [
    ...(isSent
      ? rollup.rollupCounters({ ...claim, organization }, [[claim.at.slice(0, 10), { sent: 1 }]])
      : []),
    ...rollup.markCounters({ organization_id: organization, before: { ...after, marks: [] }, after }),
  ];
}
