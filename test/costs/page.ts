import type { StageName } from '../../lib/stages.ts';
import type { Variant } from '../lib/templates.ts';
import { idle } from './idle.ts';
import { ASSUMED, GUESSED, ofMillion } from './million.ts';
import { dollarsOf, NOTED, PRICES, plus, type Use } from './prices.ts';

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

const sumOf = (uses: Record<string, Use>) => dollarsOf(plus(...Object.values(uses)));

/** Of a month, while nobody does anything. */
export const idleCost = (variant: Variant, stage: StageName) => sumOf(idle(variant, stage));
export const millionCost = () => sumOf(ofMillion());

const STAGES = { dev: 'dev', 'dev with a domain': 'dev', prod: 'prod' } satisfies Partial<
  Record<Variant, StageName>
>;

function idleTable(): string[] {
  const stages = Object.entries(STAGES).map(([variant, stage]) => idle(variant as Variant, stage));
  const rows = Object.keys(stages[0] ?? {}).map(part =>
    [part, ...stages.map(uses => dollars(dollarsOf(uses[part] ?? {})))].join(' | '),
  );
  return [
    `| A month of | ${Object.keys(STAGES).join(' | ')} |`,
    `|---|${'---|'.repeat(stages.length)}`,
    ...rows.map(row => `| ${row} |`),
    `| **in all** | ${stages.map(uses => `**${dollars(sumOf(uses))}**`).join(' | ')} |`,
  ];
}

const millionTable = () => [
  '| | |',
  '|---|---|',
  ...Object.entries(ofMillion()).map(([part, use]) => `| ${part} | ${dollars(dollarsOf(use))} |`),
  `| **in all** | **${dollars(millionCost())}** |`,
];

const priceTable = () => [
  '| | US dollars | |',
  '|---|---|---|',
  ...Object.values(PRICES).map(({ of, dollars: price, source }) => {
    const shown = price < 0.001 ? `${Number((price * 1e6).toFixed(4))} for a million` : String(price);
    return `| ${of} | ${shown} | [prices](${source}) |`;
  }),
];

/** docs/costs.md. */
export const page = () =>
  [
    '# Costs',
    '',
    '`npm run costs` prints this page, and a test compares it: `npx vitest run test/costs -u` writes it. It reckons with what the bench has',
    'counted (`npm run bench -- mails --save` writes `test/bench/counts.json`), with what is in the templates, and with the prices below. No',
    'bill has been compared with it.',
    '',
    '## While nobody does anything',
    '',
    ...idleTable(),
    '',
    'Beside that: a hosted zone of Route 53 for a domain ($0.50), and what is stored. The alarms and metrics that CloudWatch gives to each',
    'account are left out as free, so a second stage in the same account costs some dollars more.',
    '',
    '## A million emails',
    '',
    'In full packs of 1,000, people who have had an email before, with the firewall of a domain. The provider’s own price is not in it.',
    '',
    ...millionTable(),
    '',
    `Assumed: of a million emails ${(ASSUMED.opens / 10_000).toFixed(0)}% are opened, ${(ASSUMED.clicks / 10_000).toFixed(0)}% are clicked, and of ${(ASSUMED.events / 10_000).toFixed(0)}% the provider reports something; it is not asked for deliveries,`,
    'which would be a call for each email ([sending.md](sending.md#what-the-providers-events-lead-to)).',
    `Guessed, since nothing here measures it: ${GUESSED.packSeconds} s for a pack, ${GUESSED.projectorSeconds} s for 500 changes in the projector, ${GUESSED.visitSeconds * 1_000} ms for a visit, ${GUESSED.eventSeconds * 1_000} ms`,
    `for an event, ${GUESSED.accessBytes} bytes of the access log and ${GUESSED.answerBytes.toLocaleString('en-US')} bytes of answer for each, ${GUESSED.loggedBytes} for a line of a function; 14 write units for an event or an unsubscription.`,
    '',
    '## Prices',
    '',
    `In eu-central-1, without taxes and free tiers, as AWS’s pages are known to say on ${NOTED}; they were not looked up again. Check them`,
    'before you rely on a sum (`test/costs/prices.ts`).',
    '',
    ...priceTable(),
    '',
  ].join('\n');
