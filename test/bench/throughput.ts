import { setTimeout } from 'node:timers/promises';
import { type Mailing, MIDNIGHT, MINUTE, mailing, ofFunction } from './mailing.ts';
import { type ProcessorTime, processorLines, spentBetween } from './process.ts';
import type { Product } from './product.ts';
import type { Line } from './report.ts';

const LONGEST = 8 * MINUTE;

/**
 * How fast emails that are due at once go out on this machine, for information, and what the sweep reads of them. It ends
 * after eight minutes, whatever was sent by then.
 */
export async function sendingAll(product: Product, { caller, members, added }: Mailing) {
  let before: ProcessorTime[] = [];
  let begun = performance.now();
  let ended: number | undefined;
  let runsBefore = 0;
  const all = mailing(product, caller, added, { minute: MIDNIGHT }, async until => {
    before = product.processorTime();
    runsBefore = runsOf(product);
    begun = performance.now();
    await product.moveTo(until);
    ended = performance.now();
  });
  // The stack may be closed before everything is sent.
  all.catch(() => {});
  const inTime = await Promise.race([all, setTimeout(LONGEST, undefined, { ref: false })]);
  const seconds = ((ended ?? performance.now()) - begun) / 1000;
  const spent = spentBetween(before, product.processorTime());
  const used = inTime ?? (await product.readMeter());
  const { accepted } = used.provider;
  return {
    sweep: { read_units: ofFunction(used, 'Sweep').read_units, runs: runsOf(product) - runsBefore },
    section: {
      title: `Emails of ${members.toLocaleString('en-US')} due at once, one list, one template`,
      lines: [
        { what: 'sent', measured: accepted },
        { what: 'seconds, and age of the oldest pack', measured: seconds },
        { what: 'emails per second', measured: accepted / seconds },
        { what: 'write units each', measured: used.dynamodb.write_units / accepted },
        { what: 'read units each', measured: used.dynamodb.read_units / accepted },
        ...processorLines(spent, accepted, { functions: 1.3 }),
        ...linesOf(spent),
      ],
    },
  };
}

const runsOf = ({ logged }: Product) => logged('functions/sending/sweep.ts', 'swept');

function linesOf(spent: ReturnType<typeof spentBetween>): Line[] {
  return [...Map.groupBy(spent, ({ name }) => name)]
    .map(([name, some]) => ({
      what: `processor seconds of ${name}${some.length > 1 ? `, ${some.length} processes` : ''}`,
      measured: some.reduce((sum, one) => sum + one.seconds, 0),
    }))
    .filter(({ measured }) => measured > 0);
}
