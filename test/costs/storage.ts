import { recordClick, recordOpen } from '#core/recipient/tracking.ts';
import { project } from '#core/storage/projection.ts';
import type { Item } from '#core/storage/table.store.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { sizeOfItem } from '../simulation/table/values.ts';
import { memoryTable } from '../support/memory-table.ts';
import { projecting } from '../support/projecting.ts';
import { allItems } from '../support/scan.ts';
import { newSender } from '../support/sending.ts';
import { streamOf } from '../support/stream.ts';
import { ASSUMED, MILLION } from './million.ts';
import type { Use } from './prices.ts';

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadWriteCapacityMode.html: of each item.
const OVERHEAD = 100;
const KEYS = ['PK', 'SK', 'GSI1PK', 'GSI1SK'];
/** Attributes in the index: see lib/stacks/data.ts. */
const PROJECTED = [...KEYS, 'email', 'status', 'created_at', 'updated_at'];

const PEOPLE = 500;
const DAY = 24 * 3_600_000;
const START = new Date('2030-01-31T09:00:00.000Z');
const LINK = { url: 'https://shop.example.com/collections/spring?utm=welcome', part: 'cta_url' } as const;

type Bytes = { table: number; index: number };

const minus = (all: Bytes, some: Bytes): Bytes => ({
  table: all.table - some.table,
  index: all.index - some.index,
});

const bytesOf = (items: Item[]): number => items.reduce((sum, item) => sum + OVERHEAD + sizeOfItem(item), 0);

const inIndex = (item: Item): Item =>
  Object.fromEntries(PROJECTED.flatMap(name => (item[name] === undefined ? [] : [[name, item[name]]])));

/**
 * What members and emails leave in the table for as long as it exists, by the items that the product writes: a list of
 * members is sent two emails each, of which the second one is opened and clicked by as many as is assumed.
 */
async function stored(): Promise<{ member: Bytes; email: Bytes }> {
  const table = memoryTable({ anyItems: false });
  const changes = streamOf(table);
  const sender = await newSender(table, START);
  const list = await sender.newList();
  const { id } = await sender.newAutomation({ email_list_ids: [list.id] });
  await sender.newTemplate([id]);

  async function used(): Promise<Bytes> {
    for (const { shard, records } of await changes()) {
      await project(
        { ...projecting, table, now: sender.now },
        shard,
        records.map(record => contributionOf(record)),
      );
    }
    const kept = (await allItems(table)).filter(({ ttl }) => ttl === undefined);
    const indexed = kept.filter(({ GSI1PK }) => GSI1PK !== undefined);
    return { table: bytesOf(kept), index: bytesOf(indexed.map(inIndex)) };
  }

  const before = await used();
  for (let number = 0; number < PEOPLE; number += 1) {
    await sender.add(list, `person.${String(number).padStart(4, '0')}@example.com`, {
      first_name: 'Annabel',
      plan: 'basic',
      renews_at: '2031-06-30T07:00:00.000Z',
    });
  }
  const filled = await used();
  await sender.run(new Date(START.getTime() + 2 * 60_000));
  const first = await used();
  sender.at(new Date(START.getTime() + DAY));
  const posted = sender.posts.length;
  await sender.run(new Date(START.getTime() + DAY + 2 * 60_000));
  const emails = sender.posts.slice(posted).flatMap(({ emails: some }) => some);
  if (emails.length !== PEOPLE) throw new Error(`${emails.length} second emails were sent`);
  const share = (count: number) => emails.slice(0, Math.round((count / MILLION) * PEOPLE));
  const visit = (email: (typeof emails)[number]) => {
    const [, hash = '', seq] = /^\d+-(.+)-(\d+)$/.exec(email.id ?? '') ?? [];
    return { organization: sender.organization, hash, seq: Number(seq), written: sender.now };
  };
  const needs = { table, now: sender.now };
  for (const email of share(ASSUMED.opens)) await recordOpen(needs, visit(email), 'person');
  for (const email of share(ASSUMED.clicks)) await recordClick(needs, { ...visit(email), ...LINK }, 'person');
  const second = await used();
  // The first email of a person makes them known, which is not repeated by the next one.
  const email = minus(second, first);
  const known = minus(minus(first, filled), email);
  const member = minus(filled, before);
  return { member: { table: member.table + known.table, index: member.index + known.index }, email };
}

const usageOf = ({ table, index }: Bytes, count: number): Use => ({
  storedGigabyte: (((table + index) / PEOPLE) * count) / 1e9,
  backedUpGigabyte: ((table / PEOPLE) * count) / 1e9,
});

/** Of each month, by what is stored. */
export async function storage(): Promise<Record<string, Use>> {
  const { member, email } = await stored();
  return { '100,000 members': usageOf(member, 100_000), 'a million emails': usageOf(email, MILLION) };
}
