import { MOST_PEOPLE } from '#core/sending/forecast/predict.ts';
import { type Customer, newList } from './customer.ts';
import { fill } from './fill.ts';
import type { Product } from './product.ts';
import type { Line, Section } from './report.ts';

const SMALL = 10_000;
const LISTS = 5;
const SIMULATE = 'GET /api/automations/{automation}/simulate';

/** What the simulation of an automation reads that sends to every member each day. */
export async function simulating(product: Product, customer: Customer, members: number): Promise<Section> {
  const sizes = [{ list: customer.list, size: members }];
  if (members > SMALL) sizes.unshift({ list: await filledList(product, customer, SMALL), size: SMALL });
  const lines: Line[] = [];
  for (const { list, size } of sizes) {
    const { id } = await product.call('POST /api/automations', {
      caller: customer.web,
      body: { name: 'daily', email_list_ids: [list] },
    });
    const input = { caller: customer.web, params: { automation: id } };
    const used = await product.usingOfCall(SIMULATE, input);
    const { total_count, from, until, counted_until } = await product.call(SIMULATE, input);
    const share = (Date.parse(counted_until) - Date.parse(from)) / (Date.parse(until) - Date.parse(from));
    if (share === 1 && total_count !== size) throw new Error(`Of ${size} members ${total_count} are due`);
    const what = (of: string) => `${size.toLocaleString('en-US')} members: ${of}`;
    lines.push(
      {
        what: what('read units'),
        measured: used?.read_units,
        budget: SAMPLES + size * PER_ROW + lookedAt(size) * PER_PERSON,
      },
      {
        what: what('table requests'),
        measured: used?.requests,
        budget: OTHERS + size / PER_PAGE + lookedAt(size),
      },
      { what: what('share of the day that one call counts'), measured: share },
    );
  }
  return { title: 'A simulation', lines };
}

const lookedAt = (size: number) => Math.min(size, MOST_PEOPLE);
// Their address, membership and journal are one query.
const PER_PERSON = 0.5;
const PER_PAGE = 5_000;
// Session, organization, lists, automations, content, safeguards and samples.
const OTHERS = 20;
// A row takes 59 bytes, and 8 KB are a read unit. The members of a hundred samples are read, and the session.
const PER_ROW = 59 / 8192;
const SAMPLES = 150;

async function filledList(product: Product, customer: Customer, members: number): Promise<string> {
  const list = await newList(product, customer.web);
  await fill(product, customer, list, members);
  await product.drain();
  return list;
}

/** What it writes to create and change an automation of some lists, one of which is large. */
export async function changingAutomations(product: Product, customer: Customer): Promise<Section> {
  const { web: caller } = customer;
  const lists = [customer.list];
  while (lists.length < LISTS) lists.push(await newList(product, caller));
  const [, list = ''] = lists;
  await product.call('POST /api/list-members', {
    caller,
    body: { email_list_id: list, email: 'ann@example.com', metadata: { ends: '2030-01-01' } },
  });
  let params = {};
  const change = (body: object) => () =>
    product.call('PUT /api/automations/{automation}', { caller, params, body });
  const lines: Line[] = [];
  async function measure(what: string, work: () => Promise<{ id: string }>): Promise<void> {
    const { dynamodb } = await product.using(async () => {
      params = { automation: (await work()).id };
    });
    // A write of a transaction takes two units.
    const written = dynamodb.write_units / 2;
    lines.push({ what: `${what}: items written per list`, measured: written / LISTS, budget: 3 });
  }
  await measure('created', () =>
    product.call('POST /api/automations', { caller, body: { name: 'measured', email_list_ids: lists } }),
  );
  await measure('given another column', change({ metadata_trigger: 'ends' }));
  await measure('given another schedule', change({ delay_days: 3 }));
  await measure('switched off', change({ active: false }));
  await measure('switched on', change({ active: true }));
  return { title: `An automation of ${LISTS} lists`, lines };
}
