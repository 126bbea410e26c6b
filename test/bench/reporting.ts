import type * as organization from '#core/organization/organization.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import { report } from '#core/reporting/report.ts';
import { rollupCounter } from '#core/sending/rollup.ts';
import { batchWrite, type Item, type Key, textOf } from '#core/storage/table.store.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { dayAfter } from '#shared/report/range.ts';
import { CombinationsQuery } from '#shared/reporting.ts';
import { intercepted } from '../support/intercepted.ts';
import { metered } from '../support/written-log.ts';
import { type Customer, newCustomer } from './customer.ts';
import type { Product } from './product.ts';
import type { Line, Section } from './report.ts';

const REPORT = 'GET /api/reporting/combinations';
const DETAIL = 'GET /api/reporting/combinations/{combination}';
const MONTH = 30;
const LAST = '2029-12-31';
const rangeOf = (days: number) => ({ start_date: dayAfter(LAST, 1 - days), end_date: LAST });

/** What a report reads: of a month with few and with many combinations, and of as many days as may be asked for. */
export async function* reporting(product: Product, many: number, days: number): AsyncGenerator<Section> {
  for (const combinations of new Set([100, 243, many])) {
    const customer = await newCustomer(product, `reporter${combinations}`);
    await fillReports(product, customer, combinations, MONTH);
    yield {
      title: `A report of ${MONTH} days of ${combinations.toLocaleString('en-US')} combinations`,
      lines: await reportLines(product, customer, MONTH, combinations <= 243 ? 1 : undefined),
    };
  }
  const customer = await newCustomer(product, 'historian');
  const ids = await fillReports(product, customer, 100, days);
  const input = { caller: customer.web, params: { combination: ids[0] ?? '' }, query: rangeOf(days) };
  const used = await product.usingOfCall(DETAIL, input);
  yield {
    title: `A report of ${days.toLocaleString('en-US')} days of 100 combinations`,
    lines: [
      ...(await reportLines(product, customer, days)),
      { what: 'table requests of the detail of one', measured: used?.requests },
      { what: 'read units of the detail of one', measured: used?.read_units },
    ],
  };
}

async function reportLines(
  product: Product,
  { web }: Customer,
  days: number,
  most?: number,
): Promise<Line[]> {
  const input = { caller: web, query: rangeOf(days) };
  const used = await product.usingOfCall(REPORT, input);
  const answer = await (await product.send(REPORT, input)).text();
  return [
    {
      what: 'queries of the rollups',
      measured: await queriesOf(product, web, days),
      ...(most && { budget: most }),
    },
    { what: 'table requests, with the session and all texts', measured: used?.requests },
    { what: 'read units', measured: used?.read_units },
    { what: 'kilobytes of the answer', measured: Buffer.byteLength(answer) / 1024 },
    ...(await comparisonLines(product, web)),
  ];
}

/** Of a second look: the first one keeps the sums of ended months. */
async function comparisonLines({ table }: Product, caller: Customer['web']): Promise<Line[]> {
  const { table: counting, used } = metered(table);
  const needs = { table: counting, now: new Date(`${LAST}T12:00:00Z`), hasTimeLeft: () => true };
  await comparisons({ ...needs, table }, activeOf(caller));
  const { automations } = await comparisons(needs, activeOf(caller));
  if (automations.length !== 1) throw new Error('The combinations are not compared');
  return [{ what: 'table requests of the comparisons', measured: used.requests }];
}

const activeOf = ({ organization: id }: Customer['web']) =>
  ({ organization: { id }, membership: { role: 'OWNER' } }) as organization.Active;

/** Of the rollups alone. */
async function queriesOf({ table }: Product, caller: Customer['web'], days: number): Promise<number> {
  let queries = 0;
  const counting = intercepted(table, (send, { constructor: { name }, input }) => {
    if (name === 'QueryCommand' && JSON.stringify(input).includes('#REPORT')) queries++;
    return send();
  });
  const needs = { table: counting, now: new Date(), hasTimeLeft: () => true };
  await report(needs, activeOf(caller), CombinationsQuery.parse(rangeOf(days)));
  return queries;
}

const AT_ONCE = 8;
const TEXTS = 3;

/** Of each combination something on each day; each consists of assets, of which there are a few of each type. */
async function fillReports(
  { table }: Product,
  { web: { organization } }: Customer,
  combinations: number,
  days: number,
): Promise<string[]> {
  const ids = Array.from({ length: combinations }, (_, at) => (0xa00000000000 + at * 7_654_321).toString(16));
  const PK = `ORG#${organization}#CONTENT`;
  const idOf = (part: string, at: number) => `${part}${at}`.replaceAll('_', '').padEnd(12, '0').slice(0, 12);
  const texts = REQUIRED_PARTS.flatMap((type, place) =>
    Array.from({ length: TEXTS }, (_, at) => {
      const id = idOf(`${place}x`, at);
      return {
        PK,
        SK: `TEXT#${id}`,
        id,
        type,
        name: `${type} ${at}`,
        value: `The ${type} number ${at}. `.repeat(10),
      };
    }),
  );
  const choices = ids.map((id, at) => {
    const assets = REQUIRED_PARTS.map((part, place) => [
      part,
      idOf(`${place}x`, Math.floor(at / TEXTS ** place) % TEXTS),
    ]);
    return { PK, SK: `COMBO#${id}`, id, assets: Object.fromEntries(assets) };
  });
  const automation = { id: AUTOMATION, organization_id: organization, name: 'All of them' };
  await write(table, [
    { PK: `ORG#${organization}`, SK: `AUTO#${AUTOMATION}`, ...automation },
    { PK, SK: `LINKED#${AUTOMATION}` },
    ...texts,
    ...choices,
  ]);
  for (let at = 0; at < days; at++) await write(table, rollupsOf(organization, dayAfter(LAST, -at), ids));
  return ids;
}

const AUTOMATION = '0123456789ab';
const COUNTS = {
  sent: 1_250,
  opened: 412,
  machine_opened: 388,
  clicked: 57,
  unsub_clicked: 9,
  unsubscribed: 4,
  bounced: 12,
  value: 1_234_500,
};

function rollupsOf(organization: number, day: string, ids: string[]): (Item & Key)[] {
  const counters = ids.map(id =>
    rollupCounter(organization, day, { combination: id, automation: AUTOMATION }, COUNTS),
  );
  return [...Map.groupBy(counters, ({ key }) => textOf(key)).values()].map(some =>
    Object.assign({}, ...some.map(({ key, add }) => ({ ...key, ...add }))),
  );
}

const write = (table: Product['table'], puts: (Item & Key)[]) =>
  inParallel(chunksOf(puts, 25), AT_ONCE, some => batchWrite(table, { puts: some }));
