import { setTimeout } from 'node:timers/promises';
import { queryPartition } from '#core/storage/table.store.ts';
import { LEASE } from '#core/timeouts.ts';
import { template } from '../support/content.ts';
import type { Customer } from './customer.ts';
import { emailOf, fill } from './fill.ts';
import { setSafeguards } from './mailing.ts';
import type { Product } from './product.ts';
import type { Line, Section } from './report.ts';
import { MANY } from './sending.ts';

/** Of one call, as many as it takes. */
const TOGETHER = 100;
const EVENT = 'ordered';
const PATIENCE = 60_000;
/** How often the inbox is asked whether the email is there, in milliseconds. */
const LOOK = 10;
const DISPATCHER = 'functions/stream/dispatcher.ts';
/** With fewer, 95% of them are all. */
const ENOUGH = 100;

/** What an event uses, and how long it takes from the call until the provider has the email that it starts. */
export async function* happening(
  product: Product,
  customer: Customer,
  events: number,
): AsyncGenerator<Section> {
  const { web: caller, list } = customer;
  await setSafeguards(product, customer, MANY);
  await product.call('PUT /api/email-lists/{list}/mailgun-key', {
    caller,
    params: { list },
    body: { mailgun_sending_key: 'key-bench', mailgun_region: 'us' },
  });
  await fill(product, customer, list, Math.max(events, TOGETHER), () => ({
    created_at: new Date(Date.UTC(2020, 0, 1)).toISOString(),
    metadata: { plan: 'basic' },
  }));
  yield await counting(product, customer);
  const { id } = await product.call('POST /api/automations', {
    caller,
    body: {
      name: EVENT,
      email_list_ids: [list],
      starts_at: 'event',
      metadata_trigger: EVENT,
      repeat: 'once',
    },
  });
  await product.call('POST /api/email-templates', { caller, body: template({ automation_ids: [id] }) });
  yield await timing(product, customer, events);
}

/** The second event of each person, as the first one adds the date. The same date is set as metadata for comparison. */
async function counting(product: Product, { program: caller, list }: Customer): Promise<Section> {
  const people = Array.from({ length: TOGETHER }, (_, number) => emailOf(number));
  let minute = 0;
  const next = () => ({ at: new Date(Date.now() - 48 * 3_600_000 + ++minute * 60_000).toISOString() });
  const used = async (work: () => Promise<unknown>) => (await product.using(work)).dynamodb;
  const send = (events: object[]) => product.call('POST /api/v1/events', { caller, body: { events } });
  const together = (keys: boolean) => {
    const { at } = next();
    const keyed = keys && { idempotency_key: at };
    return send(people.map(email => ({ event: EVENT, email, at, ...keyed })));
  };
  await together(false);
  const plain = await used(() => together(false));
  const keyed = await used(() => together(true));
  const alone = await used(() => send([{ event: EVENT, email: people[0], ...next() }]));
  const members = people.map(email => ({ email, [EVENT]: next().at }));
  const upserted = await used(() =>
    product.call('POST /api/v1/email-lists/{list}/members', { caller, params: { list }, body: { members } }),
  );
  return {
    title: `An event of somebody on one list, of ${TOGETHER} in a call`,
    lines: [
      { what: 'write units', measured: plain.write_units / TOGETHER },
      { what: 'write units with a key', measured: keyed.write_units / TOGETHER },
      {
        what: 'write units of the same date as metadata of a member',
        measured: upserted.write_units / TOGETHER,
      },
      {
        what: 'write units that an event with a key uses more than that',
        measured: Math.max((keyed.write_units - upserted.write_units) / TOGETHER, 0.001),
        budget: 3,
      },
      { what: 'read units', measured: plain.read_units / TOGETHER, budget: 2 },
      { what: 'table requests', measured: plain.requests / TOGETHER },
      { what: 'write units of one that is alone in its call', measured: alone.write_units },
      { what: 'table requests of one that is alone in its call', measured: alone.requests },
    ],
  };
}

type Parts = { call: number; dispatch: number; queue: number; sender: number; all: number };

/** One after the other, each of another person, with the real clock. */
async function timing(product: Product, customer: Customer, events: number): Promise<Section> {
  const measured: Parts[] = [];
  for (let number = 0; number < events; number++)
    measured.push(await partsOf(product, customer, emailOf(number)));
  const at = (part: keyof Parts, share: number) => {
    const sorted = measured.map(parts => parts[part]).sort((a, b) => a - b);
    return Math.max((sorted[Math.ceil(share * events) - 1] ?? 0) / 1000, 0.001);
  };
  const line = (what: string, part: keyof Parts): Line[] => [
    { what: `${what}, half of them within`, measured: at(part, 0.5) },
    { what: `${what}, 95% within`, measured: at(part, 0.95) },
  ];
  const [half, most] = line('seconds from the call to the provider', 'all') as [Line, Line];
  return {
    title: `An event to the provider, of ${events}`,
    lines: [
      half,
      { ...most, ...(events >= ENOUGH && { budget: 5 }) },
      ...line('seconds of the call', 'call'),
      ...line('seconds of the stream and the dispatcher', 'dispatch'),
      ...line('seconds of the queue', 'queue'),
      ...line('seconds of the sender', 'sender'),
    ],
  };
}

async function partsOf(product: Product, { program: caller, web }: Customer, email: string): Promise<Parts> {
  const dispatched = () => product.loggedAt(DISPATCHER, 'dispatched');
  const before = dispatched().length;
  const began = (await product.now()).getTime();
  const { results } = await product.call('POST /api/v1/events', {
    caller,
    body: { events: [{ event: EVENT, email, idempotency_key: email }] },
  });
  const answered = (await product.now()).getTime();
  if (results[0]?.status !== 'stored') throw new Error(`An event is ${results[0]?.status}`);
  const arrived = await arrivalOf(product, email);
  // The sender begins with the lease of the pack. It may begin before the dispatcher has logged that it has queued it.
  const packs = await queryPartition(product.table, `ORG#${web.organization}#PACKS`);
  const begun = Math.max(...packs.map(({ until }) => Date.parse(String(until)))) - LEASE;
  const queued = Math.min(dispatched()[before] ?? begun, begun);
  return {
    call: answered - began,
    dispatch: Math.max(queued - answered, 0),
    queue: Math.max(begun - Math.max(queued, answered), 0),
    sender: arrived - begun,
    all: arrived - began,
  };
}

async function arrivalOf(product: Product, email: string): Promise<number> {
  for (const begun = performance.now(); performance.now() - begun < PATIENCE; ) {
    const [mail] = await product.mails(1);
    if (mail?.to.includes(email)) return Date.parse(mail.at);
    await setTimeout(LOOK);
  }
  throw new Error('The email of an event has not arrived');
}
