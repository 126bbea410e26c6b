import type { StageName } from '#lib/stages.ts';
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

export const page = () =>
  [
    '# Costs',
    '',
    'For those who decide whether to run Letterflow: what AWS charges for a stage that nobody uses, and for a million emails. `npm run costs`',
    'prints this page, and a test writes it (`npx vitest run test/costs -u`). It is computed from the counts of the bench',
    '(`npm run bench -- mails --save` writes `test/bench/counts.json`), the templates, and the prices below. It has not been compared with a',
    'bill.',
    '',
    '## A stage that nobody uses',
    '',
    ...idleTable(),
    '',
    'Added to that: a hosted zone of Route 53 for a domain ($0.50), and storage. The alarms and metrics that are free in each account are left',
    'out, so a second stage in the same account costs some dollars more.',
    '',
    '## A million emails',
    '',
    'In full packs of 1,000, to people who have had an email before, with the firewall of a domain. The price of the email provider is not included.',
    '',
    ...millionTable(),
    '',
    `Assumed: of a million emails ${(ASSUMED.opens / 10_000).toFixed(0)}% are opened, ${(ASSUMED.clicks / 10_000).toFixed(0)}% are clicked, and for ${(ASSUMED.events / 10_000).toFixed(0)}% the provider reports an event; its webhook for deliveries is off,`,
    'as that would be a call for each email ([sending.md](sending.md#what-the-providers-events-lead-to)).',
    `Estimated, as nothing measures it: ${GUESSED.packSeconds} s for a pack, ${GUESSED.projectorSeconds} s for 500 changes in the projector, ${GUESSED.visitSeconds * 1_000} ms for a visit, ${GUESSED.eventSeconds * 1_000} ms`,
    `for an event, ${GUESSED.accessBytes} bytes of the access log and ${GUESSED.answerBytes.toLocaleString('en-US')} bytes of answer for each, ${GUESSED.loggedBytes} for a log line of a function; ${GUESSED.changeWriteUnits} write units for an event or an unsubscribe.`,
    '',
    '## Prices',
    '',
    `In eu-central-1, without taxes and free tiers, as noted on ${NOTED} without looking them up again. Check them on the linked pages before`,
    'you rely on a sum (`test/costs/prices.ts`).',
    '',
    ...priceTable(),
    '',
  ].join('\n');
