import { inParallel } from '../../functions/core/parallel.ts';
import { MOST_ROWS } from '../../shared/list-member.ts';
import { type Customer, expectCounted, newCustomer } from './customer.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

const AT_ONCE = 4;
const PROJECTOR = 'functions/projector/projector.ts';

/** What adding members through the public API uses, the projector included. */
export async function importing(product: Product, members: number): Promise<Section> {
  const customer = await newCustomer(product, 'importer');
  const runsBefore = product.logged(PROJECTOR, 'projected');
  const calls = Array.from({ length: Math.ceil(members / MOST_ROWS) }, (_, index) =>
    rows(index * MOST_ROWS, Math.min((index + 1) * MOST_ROWS, members)),
  );
  const send = sender(product, customer);
  const { dynamodb } = await product.using(() => inParallel(calls, AT_ONCE, send));
  await expectCounted(product, customer, members);
  const runs = product.logged(PROJECTOR, 'projected') - runsBefore;
  const perMember = (what: string, counted: number) => ({ what, measured: counted / members });
  return {
    title: `An imported member with one date, of ${members.toLocaleString('en-US')}`,
    lines: [
      { ...perMember('write units, the projector included', dynamodb.write_units), budget: 5 },
      perMember('of these, the index', dynamodb.index_write_units),
      perMember('read units', dynamodb.read_units),
      perMember('table requests', dynamodb.requests),
      { what: 'members counted in one run of the projector', measured: members / runs },
    ],
  };
}

const MINUTES = 24 * 60;

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return {
      email: `person${String(number).padStart(7, '0')}@example.com`,
      signed_up: new Date(Date.UTC(2030, 0, 1, 0, number % MINUTES)).toISOString(),
      plan: 'basic',
    };
  });

type Rows = ReturnType<typeof rows>;

/** Calls the API, and follows Retry-After by moving the clock instead of waiting. */
function sender({ send, passTime }: Product, { program, list }: Customer) {
  let passing: Promise<void> | undefined;
  return async function added(members: Rows): Promise<void> {
    const response = await send('POST /api/v1/email-lists/{list}/members', {
      caller: program,
      params: { list },
      body: { members },
    });
    if (response.status === 429) {
      await response.text();
      passing ??= passTime(Number(response.headers.get('retry-after'))).finally(() => {
        passing = undefined;
      });
      await passing;
      return added(members);
    }
    const text = await response.text();
    const isAdded = response.ok && text.split('"created"').length - 1 === members.length;
    if (!isAdded) throw new Error(`The API answered ${response.status}: ${text}`);
  };
}
