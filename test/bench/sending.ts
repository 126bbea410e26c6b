import { createServer } from 'node:http';
import * as automations from '#core/automation/automation.store.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import type { Reading } from '#local/meter.ts';
import { listen } from '#local/server.ts';
import { WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
import { type Customer, newCustomer } from './customer.ts';
import {
  expectSent,
  type Mailing,
  MIDNIGHT,
  mailing,
  newMailing,
  ofFunction,
  setSafeguards,
} from './mailing.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

/** How many are due in each minute. */
export const GROUP = 250;
/** A limit that nobody reaches. */
export const MANY = 1_000;

const daily = (product: Product, { caller, members, added }: Mailing) =>
  mailing(product, caller, added, { minute: MIDNIGHT, minutes: Math.ceil(members / GROUP) });

/** What an email uses, with all that goes before and follows: the sweep and its packs, batches and counters. */
export async function sending(product: Product, small: Mailing): Promise<Section> {
  const { members } = small;
  const first = await daily(product, small);
  expectSent(first, members);
  const used = await daily(product, small);
  expectSent(used, members);
  const each = (what: string, counted: number) => ({ what, measured: counted / members });
  const { dynamodb, provider, sqs } = used;
  return {
    title: `An email, of ${members.toLocaleString('en-US')} in groups of ${GROUP}`,
    lines: [
      { ...each('write units', dynamodb.write_units), budget: 1.2 },
      each('write units of the sweep among them', ofFunction(used, 'Sweep').write_units),
      each('write units of the first email of a person', first.dynamodb.write_units),
      { ...each('read units', dynamodb.read_units), budget: 0.8 },
      each('read units of the sweep among them', ofFunction(used, 'Sweep').read_units),
      each('table requests', dynamodb.requests),
      { what: 'calls of the provider for 1,000', measured: (provider.calls / members) * 1_000, budget: 4 },
      { what: 'calls of queues for 1,000', measured: (sqs.requests / members) * 1_000 },
    ],
  };
}

const FULL = 1_000;
const MOST = 243;
/** Three assets of each of five types are 243 combinations. */
const COMBINATIONS = [
  { combinations: 1, write: 1.2 },
  { combinations: 4, write: 1.25 },
  { combinations: MOST, write: 1.5 },
];
/** What the first email of a person may use more. */
const FIRST = 2;
const READ = 0.8;
const REQUESTS = 1.1;
const REQUESTS_OF_FIRST = 1.3;
const CALLS = 4;

const storedCombinations = ({ table }: Product, { web }: Customer) =>
  queryPartition(table, `ORG#${web.organization}#CONTENT`, 'COMBO#');

const perEmailOf = (members: number) => (what: string, counted: number, budget?: number) => ({
  what,
  measured: counted / members,
  // What a pack costs by itself, many emails share.
  ...(budget !== undefined && members === FULL && { budget }),
});

/** What a pack uses, counting included, of few and of many combinations; and of emails that the safeguards do not allow. */
export async function packing(product: Product, members: number): Promise<Section[]> {
  const sections: Section[] = [];
  for (const { combinations, write } of COMBINATIONS) {
    // Of their own: nobody has got an email before.
    const customer = await newCustomer(product, `mailer${combinations}`);
    await setSafeguards(product, customer, MANY);
    const pack = await newMailing(product, customer, { members, combinations });
    const send = () => mailing(product, pack.caller, pack.added, { minute: MIDNIGHT });
    const first = await send();
    expectSent(first, members);
    // One write unit for each combination, with its first email, a read and a write: a cost of the combination, not of the person.
    const { length: stored } = await storedCombinations(product, customer);
    const sent = await send();
    expectSent(sent, members);
    const earning = combinations === MOST ? await whatEarns(product, customer, pack, send) : undefined;
    await setSafeguards(product, customer, 1);
    const skipped = await send();
    expectSent(skipped, 0);
    const each = perEmailOf(members);
    sections.push({
      title: `An email of a pack of ${members.toLocaleString('en-US')}, ${combinations} combination${combinations === 1 ? '' : 's'}`,
      lines: [
        { what: 'calls of the provider', measured: sent.provider.calls, budget: CALLS },
        each('write units', sent.dynamodb.write_units, write),
        each(
          'write units of the first email of a person',
          first.dynamodb.write_units - stored,
          write + FIRST,
        ),
        each('write units of combinations that are stored with their first email', stored),
        { what: 'calls of the provider for the first emails', measured: first.provider.calls },
        each('read units', sent.dynamodb.read_units, READ),
        each('table requests', sent.dynamodb.requests, REQUESTS),
        each(
          'table requests of the first email of a person',
          first.dynamodb.requests - 2 * stored,
          REQUESTS_OF_FIRST,
        ),
        ...(earning
          ? [
              each('write units by shares and by value', earning.write_units, 1.2),
              each('read units by shares and by value', earning.read_units, READ),
              each('table requests by shares and by value', earning.requests, REQUESTS),
            ]
          : []),
        each('write units of an email that is skipped', skipped.dynamodb.write_units, 0.03),
        each('read units of an email that is skipped', skipped.dynamodb.read_units),
      ],
    });
  }
  return [...sections, await throughSes(product, members), await watched(product, members)];
}

const DAY = 24 * 60 * 60 * 1_000;
/** Of three assets, in thousandths. */
const SHARES = [600, 300, 100];

/** What the same pack uses on a day on which its content goes by results, and what earns most comes first. */
async function whatEarns(
  product: Product,
  { web: caller }: Customer,
  { added: automation }: Mailing,
  send: () => Promise<Reading>,
) {
  const { table, call } = product;
  const { organization } = caller;
  const params = { automation };
  await call('PUT /api/automations/{automation}', { caller, params, body: { allocation: 'clicks' } });
  await call('PUT /api/safeguards', { caller, body: { order: 'value' } });
  const now = await product.now();
  const day = new Date(now.getTime() + DAY).toISOString().slice(0, 10);
  const linked = (await automations.readAllLinked(table, organization)).get(automation) ?? {};
  const shares = Object.fromEntries(
    Object.entries(linked).map(([kind, ids]) => [
      kind,
      Object.fromEntries([...ids].map((id, nth) => [id, SHARES[nth] ?? 0])),
    ]),
  );
  const of = { automation, day };
  const stored = [
    await automations.storeShares({ table, now: () => now }, organization, of, { before: undefined, shares }),
    await safeguards.storeEarners(table, organization, day, async () => [automation]),
  ];
  if (stored.includes(false)) throw new Error('The shares or the ranking of the day were not stored');
  return (await send()).dynamodb;
}

const CALLS_OF_SES = 20;

/** The most combinations, of which SES gets 50 emails in a call. */
async function throughSes(product: Product, members: number): Promise<Section> {
  const customer = await newCustomer(product, 'mailer-ses');
  await setSafeguards(product, customer, MANY);
  const pack = await newMailing(product, customer, { members, combinations: 243, provider: 'ses' });
  const sent = await mailing(product, pack.caller, pack.added, { minute: MIDNIGHT });
  expectSent(sent, members);
  const calls = (sent.provider.calls / members) * 1_000;
  return {
    title: `An email of a pack of ${members.toLocaleString('en-US')} through SES, 243 combinations`,
    lines: [
      { what: 'calls of SES for 1,000', measured: calls, budget: CALLS_OF_SES },
      { what: 'table requests', measured: sent.dynamodb.requests / members },
    ],
  };
}

/** In which an endpoint takes all posts about a pack. */
const MINUTES_OF_POSTS = 5;

/** What an email costs where the organization has a webhook for everything that happens. */
async function watched(product: Product, members: number): Promise<Section> {
  const customer = await newCustomer(product, 'mailer-watched');
  await setSafeguards(product, customer, MANY);
  const pack = await newMailing(product, customer, { members });
  const send = () =>
    mailing(product, pack.caller, pack.added, { minute: MIDNIGHT, minutes: MINUTES_OF_POSTS });
  await send();
  let posts = 0;
  const endpoint = createServer((request, response) => {
    posts++;
    request.resume().on('end', () => response.end());
  });
  const port = await listen(endpoint);
  const { caller } = pack;
  await product.call('POST /api/organizations/{organization}/webhooks', {
    caller,
    params: { organization: String(caller.organization) },
    body: { name: 'everything', url: `http://127.0.0.1:${port}/`, events: WEBHOOK_EVENTS },
  });
  const sent = await send();
  endpoint.close();
  expectSent(sent, members);
  const each = perEmailOf(members);
  return {
    title: `An email of a pack of ${members.toLocaleString('en-US')}, with a webhook for all events`,
    lines: [
      each('write units', sent.dynamodb.write_units, 1.3),
      each('read units', sent.dynamodb.read_units, 1.8),
      each('table requests', sent.dynamodb.requests),
      { what: 'calls of queues for 1,000', measured: (sent.sqs.requests / members) * 1_000 },
      { what: 'posts for 1,000', measured: (posts / members) * 1_000 },
    ],
  };
}
