import type { Variant } from '../lib/templates.ts';
import { idle, POLLS, shard } from './idle.ts';
import { ASSUMED, GUESSED, MILLION, ofMillion } from './million.ts';
import { dollarsOf, NOTED, PRICES, type Priced, plus, type Use } from './prices.ts';
import { storage } from './storage.ts';

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

const sumOf = (uses: Record<string, Use>) => dollarsOf(plus(...Object.values(uses)));

/** Of a month, while nobody does anything. */
export const idleCost = (variant: Variant) => sumOf(idle(variant));
export const millionCost = () => sumOf(ofMillion());

const SHOWN: Variant[] = ['dev', 'dev with a domain', 'prod', 'prod without a firewall'];

function idleTable(): string[] {
  const stages = SHOWN.map(idle);
  const rows = Object.keys(stages[0] ?? {}).map(part =>
    [part, ...stages.map(uses => dollars(dollarsOf(uses[part] ?? {})))].join(' | '),
  );
  return [
    `| A month of | ${SHOWN.join(' | ')} |`,
    `|---|${'---|'.repeat(stages.length)}`,
    ...rows.map(row => `| ${row} |`),
    `| **in all** | ${stages.map(uses => `**${dollars(sumOf(uses))}**`).join(' | ')} |`,
  ];
}

function millionTable(): string[] {
  const [all, without] = [ofMillion(), ofMillion(false)];
  const rows = Object.entries(all).map(([part, use]) => [part, use, without[part] ?? {}] as const);
  return [
    '| | with the firewall of a domain | without |',
    '|---|---|---|',
    ...rows.map(([part, ...uses]) => `| ${part} | ${uses.map(use => dollars(dollarsOf(use))).join(' | ')} |`),
    `| **in all** | **${dollars(sumOf(all))}** | **${dollars(sumOf(without))}** |`,
  ];
}

/** What one kind of use costs in a million emails. */
const partOfMillion = (name: Priced) => dollarsOf({ [name]: plus(...Object.values(ofMillion()))[name] ?? 0 });

const storageTable = (uses: Record<string, Use>) => [
  '| | GB | a month |',
  '|---|---|---|',
  ...Object.entries(uses).map(
    ([part, use]) => `| ${part} | ${use.storedGigabyte?.toFixed(2)} | ${dollars(dollarsOf(use))} |`,
  ),
];

const priceTable = () => [
  '| | US dollars | |',
  '|---|---|---|',
  ...Object.values(PRICES).map(({ of, dollars: price, source }) => {
    const shown = price < 0.001 ? `${Number((price * 1e6).toFixed(4))} for a million` : String(price);
    return `| ${of} | ${shown} | [prices](${source}) |`;
  }),
];

export const page = async () =>
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
    `Added to that: a hosted zone of Route 53 for a domain ($0.50), [storage](#storage), and ${dollars(dollarsOf(shard()))} for each thousand organizations once some of`,
    'them have automations. The alarms and metrics that are free in each account are left out, so a second stage in the same account costs',
    'some dollars more.',
    '',
    '### What is kept',
    '',
    'This could be saved, and is not, for what it protects:',
    '',
    '| | |',
    '|---|---|',
    `| ${dollars(PRICES.key.dollars)}: the key of sending keys | whoever reads the table does not read the keys that customers entrust |`,
    `| ${dollars(2 * PRICES.secret.dollars)}: two secrets | the API refuses who does not come through CloudFront, and nobody forges the links of emails |`,
    `| ${dollars(dollarsOf(idle('prod')['the firewall'] ?? {}))}: the firewall of a domain | the calls of one address are limited (100 in five minutes to sign in, 3,000 to the API), known attackers and patterns of attacks blocked. It is a choice: \`"firewall": false\` at the stage in \`cdk.json\`. Then the rates of the API are what limits |`,
    `| ${dollars(dollarsOf({ queueRequest: POLLS }))} for each of four queues | a pack, a purge, a webhook or a dead pack begins within seconds |`,
    '| the alarms | each tells of a loss that no user would report; what only repeats another one is left out ([decision](decisions/0173-alarms-of-losses-alone.md)) |',
    '',
    '## A million emails',
    '',
    'In full packs of 1,000, to people who have had an email before. The price of the [provider](#the-provider) is not included.',
    '',
    ...millionTable(),
    '',
    `Assumed: of a million emails ${(ASSUMED.opens / 10_000).toFixed(0)}% are opened, ${(ASSUMED.clicks / 10_000).toFixed(0)}% are clicked, and for ${(ASSUMED.events / 10_000).toFixed(0)}% the provider reports an event; its webhook for deliveries is off,`,
    'as that would be a call for each email ([sending.md](sending.md#what-the-providers-events-lead-to)).',
    `Estimated, as nothing measures it: ${GUESSED.packSeconds} s for a pack, ${GUESSED.projectorSeconds} s for 500 changes in the projector, ${GUESSED.visitSeconds * 1_000} ms for a visit, ${GUESSED.eventSeconds * 1_000} ms`,
    `for an event, ${GUESSED.accessBytes} bytes of the access log and ${GUESSED.answerBytes.toLocaleString('en-US')} bytes of answer for each, ${GUESSED.loggedBytes} for a log line of a function; ${GUESSED.changeWriteUnits} write units for an event or an unsubscribe.`,
    '',
    `Half of it is opens, each of which costs what any call through CloudFront does. The gateway is ${dollars(partOfMillion('apiRequest'))} of it. CloudFront could call`,
    'the functions of links by URLs of their own, and does not: the gateway bounds the calls of a second, which alone protects a stage',
    'without reserved concurrency, and the alarms [VisitsLost](operations.md#visitslost) and [VisitsThrottled](operations.md#visitsthrottled)',
    `read its log; three metrics of functions in its place are ${dollars(3 * PRICES.alarmMetric.dollars)} a month in every stage. Nor has it been tried in an account, and links`,
    'cannot be mended once they are sent.',
    '',
    '### The provider',
    '',
    'What takes the emails charges for them, whether they are opened or not:',
    '',
    '| A million emails | |',
    '|---|---|',
    `| Amazon SES | ${dollars(dollarsOf({ sesEmail: MILLION }))}, in the bill of AWS |`,
    `| Amazon SES, in an account created since 2026-07-21 that has not left its plan ([how](deploy.md#what-the-command-checks)) | ${dollars(dollarsOf({ sesPlanEmail: MILLION }))} |`,
    `| Mailgun | about ${dollars(dollarsOf({ mailgunEmail: MILLION }))}, by its plans |`,
    '',
    'Events of SES come by the default bus of EventBridge, which takes nothing for those of AWS, and not by CloudFront and the gateway.',
    '',
    'A [tracking domain](tracking.md#the-domain-of-the-links) of a list is a distribution tenant of CloudFront, whose certificate costs nothing. What',
    'a tenant costs a month is among the [prices of CloudFront](https://aws.amazon.com/cloudfront/pricing/); its requests cost what those of the stage',
    'do, and each runs a function at the edge.',
    '',
    '## Storage',
    '',
    'The table with its index, measured from the items that the product writes (`test/costs/storage.ts`), and the backup of the table to any',
    'point in time. It adds up: these are the prices of each month.',
    '',
    ...storageTable(await storage()),
    '',
    'A member here has an address, three values, one of them a date, and one email behind them; a value or an address that is longer takes',
    'more. An email is its claim, with its opens and clicks, and its part of a batch. What expires by itself is left out. Emails are kept',
    'as long as their organization, on purpose: [decision](decisions/0175-journals-have-no-end.md).',
    '',
    '## Prices',
    '',
    `In eu-central-1, without taxes and free tiers, as noted until ${NOTED} without looking them up again. Check them on the linked pages before`,
    'you rely on a sum (`test/costs/prices.ts`).',
    '',
    ...priceTable(),
    '',
  ].join('\n');
