import { PURGE_AFTER } from '#core/operations/purge.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { entryKey } from '#core/recipient/journal.ts';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { batchWrite, type Item, type Key } from '#core/storage/table.store.ts';
import { type Customer, newCustomer, newList } from './customer.ts';
import { emailOf, fill } from './fill.ts';
import { ofFunction } from './mailing.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

const MOST_REQUESTS = 4;
const DAYS = 7;
const CLICKS = 2;
const DAY = 24 * 60 * 60 * 1000;
const AT_ONCE = 8;

/** What the purge uses of a list and of an organization, each with so many people, who were mailed each day of a week. */
export async function purging(product: Product, people: number): Promise<Section> {
  const { call } = product;
  const { web, ...others } = await newCustomer(product, 'leaver');
  const { id } = await call('POST /api/organizations', { caller: web, body: { name: 'Annex' } });
  const caller = { ...web, organization: id };
  const [list, second] = [await newList(product, caller), await newList(product, caller)];
  const customer = { ...others, web: caller, list };
  for (const to of [list, second]) await fill(product, customer, to, people);
  await mailedForAWeek(product, customer, people);
  const purged = async (remove: () => Promise<unknown>) => {
    const used = await product.using(async () => {
      await remove();
      await product.drain();
      await product.passTime(PURGE_AFTER + 60);
    });
    return ofFunction(used, 'Purge');
  };
  const ofList = await purged(() =>
    call('DELETE /api/email-lists/{list}', { caller, params: { list: second } }),
  );
  const ofOrganization = await purged(() =>
    call('DELETE /api/organizations/{organization}', { caller, params: { organization: String(id) } }),
  );
  return {
    title: `Deleting ${people.toLocaleString('en-US')} people`,
    lines: [
      {
        what: 'table requests of a member of a list',
        measured: ofList.requests / people,
        budget: MOST_REQUESTS,
      },
      {
        what: 'table requests of a person of an organization',
        measured: ofOrganization.requests / people,
        budget: MOST_REQUESTS,
      },
      { what: 'write units of a member', measured: ofList.write_units / people },
      { what: 'write units of a person', measured: ofOrganization.write_units / people },
    ],
  };
}

/** Heads, journals and clicks as senders and links write them. */
async function mailedForAWeek(product: Product, { web, list }: Customer, people: number): Promise<void> {
  const { organization } = web;
  const now = (await product.now()).getTime();
  const itemsOf = (number: number): (Item & Key)[] => {
    const email = emailOf(number);
    const key = keyOf(organization, email);
    const { PK } = entryKey(key, 1);
    const claims = Array.from({ length: DAYS }, (_, at) => ({
      ...entryKey(key, at + 1),
      seq: at + 1,
      type: 'send',
      at: new Date(now - (DAYS - at) * DAY).toISOString(),
      list_id: list,
      automation_id: 'daily',
      key: `daily#${at}#1`,
      batch: `pack#${at}`,
      combination: 'c',
    }));
    const clicks = Array.from({ length: CLICKS }, (_, at) => ({
      PK,
      SK: `T#${String(at + 1).padStart(10, '0')}#link`,
      at: new Date(now).toISOString(),
      url: 'https://example.com/',
      part: 'cta_url',
      by: 'person',
    }));
    const head = { PK, SK: 'HEAD', email, GSI1PK: `ORG#${organization}`, GSI1SK: email };
    return [head, ...claims, ...clicks];
  };
  const numbers = Array.from({ length: people }, (_, number) => number);
  await inParallel(chunksOf(numbers, 20), AT_ONCE, some =>
    batchWrite(product.table, { puts: some.flatMap(itemsOf) }),
  );
  await product.drain();
}
