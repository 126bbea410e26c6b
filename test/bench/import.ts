import { inParallel } from '#core/parallel.ts';
import { MOST_ROWS_AT_ONCE } from '#shared/import-cells.ts';
import { MOST_ROWS } from '#shared/list-member.ts';
import type { RouteKey } from '#shared/routes.ts';
import { type Customer, expectCounted, newCustomer } from './customer.ts';
import { MANY, processorLines, spentBetween } from './process.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

const AT_ONCE = 4;
const PROJECTOR = 'functions/stream/projector.ts';

/** What adding members through the public API uses, the projector included. */
export const importing = (product: Product, members: number): Promise<Section> =>
  measured(product, members, 'An imported member with one date', async ({ program, list }) => {
    const send = sender(product);
    await inParallel(numbersBy(MOST_ROWS, members), AT_ONCE, async numbers => {
      const added = await send('POST /api/v1/email-lists/{list}/members', {
        caller: program,
        params: { list },
        body: { members: numbers.map(memberOf) },
      });
      if (added !== numbers.length) throw new Error(`The API added ${added} of ${numbers.length} members.`);
    });
  });

/** The same of an import of a file, whose calls follow each other. */
export const importingFile = (product: Product, members: number): Promise<Section> =>
  measured(product, members, 'A member of an imported file with one date', async ({ web, list }) => {
    const send = sender(product);
    const { id } = await product.call('POST /api/email-lists/{list}/imports', {
      caller: web,
      params: { list },
      body: { ...FILE, total_rows: members },
    });
    // A call takes as many rows as it has time to store.
    for (let done = 0; done < members; ) {
      const rows = numbersFrom(done, Math.min(MOST_ROWS_AT_ONCE, members - done)).map(rowOf);
      done += await send('POST /api/email-lists/{list}/imports/{memberImport}/rows', {
        caller: web,
        params: { list, memberImport: id },
        body: { from: done + 1, rows },
      });
    }
  });

const FILE = {
  file_name: 'people.csv',
  size: 1,
  fingerprint: '0'.repeat(64),
  consent: { source: 'Form', date: null },
  columns: [
    { position: 0, name: 'Email', to: 'email' },
    { position: 1, name: 'Signed up', to: 'metadata', key: 'signed_up' },
    { position: 2, name: 'Plan', to: 'metadata', key: 'plan' },
  ],
};

async function measured(
  product: Product,
  members: number,
  title: string,
  add: (customer: Customer) => Promise<void>,
): Promise<Section> {
  const customer = await newCustomer(product, title.toLowerCase().replaceAll(' ', '-'));
  const runsBefore = product.logged(PROJECTOR, 'projected');
  const before = product.processorTime();
  const { dynamodb } = await product.using(() => add(customer));
  const spent = spentBetween(before, product.processorTime());
  await expectCounted(product, customer, members);
  const runs = product.logged(PROJECTOR, 'projected') - runsBefore;
  const perMember = (what: string, counted: number) => ({ what, measured: counted / members });
  return {
    title: `${title}, of ${members.toLocaleString('en-US')}`,
    lines: [
      { ...perMember('write units, the projector included', dynamodb.write_units), budget: 5 },
      perMember('of these, the index', dynamodb.index_write_units),
      { ...perMember('read units', dynamodb.read_units), budget: 2.5 },
      { ...perMember('table requests', dynamodb.requests), ...(members >= MANY && { budget: 0.6 }) },
      ...processorLines(spent, members, { functions: 0.6, all: 1.5 }),
      { what: 'members counted in one run of the projector', measured: members / runs },
    ],
  };
}

const numbersBy = (atOnce: number, members: number) =>
  Array.from({ length: Math.ceil(members / atOnce) }, (_, index) =>
    numbersFrom(index * atOnce, Math.min(atOnce, members - index * atOnce)),
  );

const numbersFrom = (first: number, length: number) => Array.from({ length }, (_, at) => first + at);

const MINUTES = 24 * 60;

const memberOf = (number: number) => ({
  email: `person${String(number).padStart(7, '0')}@example.com`,
  signed_up: new Date(Date.UTC(2030, 0, 1, 0, number % MINUTES)).toISOString(),
  plan: 'basic',
});

const rowOf = (number: number) => Object.values(memberOf(number));

/** Sends a call, and returns how many members it added. */
function sender({ send, passTime }: Product) {
  let passing: Promise<void> | undefined;
  return async function sent(key: RouteKey, call: Parameters<Product['send']>[1]): Promise<number> {
    const response = await send(key, call);
    const text = await response.text();
    if (response.status === 429) {
      passing ??= passTime(Number(response.headers.get('retry-after'))).finally(() => {
        passing = undefined;
      });
      await passing;
      return sent(key, call);
    }
    const added = text.split('"status":"created"').length - 1;
    if (!response.ok || added === 0) throw new Error(`The API answered ${response.status}: ${text}`);
    return added;
  };
}
