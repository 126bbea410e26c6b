import type { Reading } from '#local/meter.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import type { ProviderName } from '#shared/providers.ts';
import { asset, template } from '../support/content.ts';
import { type Customer, newList } from './customer.ts';
import { type Facts, fill } from './fill.ts';
import type { Product } from './product.ts';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MINUTES = 24 * 60;

/** Of the day, in UTC. */
export const MIDNIGHT = 0;
/** In which so many members have their date. */
export const CROWDED = { minute: 21 * 60, members: 100 };
/** The column with dates that are spread over the day. */
const SPREAD = 'renews';

// Coprime with the number of the other minutes, so that few members are spread as evenly as many.
const STRIDE = 611;

/**
 * Was added at midnight or soon after it, as so many others in the same minute, and has a date in a minute of the day: a
 * hundred in the same one, the rest evenly in the others.
 */
const factsOf =
  (perMinute: number) =>
  (number: number): Facts => {
    const other = (number * STRIDE) % (MINUTES - 1);
    const minute = number < CROWDED.members ? CROWDED.minute : other < CROWDED.minute ? other : other + 1;
    return {
      created_at: minuteOf2020(MIDNIGHT + Math.floor(number / perMinute)),
      metadata: { plan: 'basic', [SPREAD]: minuteOf2020(minute) },
    };
  };

const minuteOf2020 = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();

export type Mailing = {
  caller: Customer['web'];
  members: number;
  /** The automation that mails members by when they were added, and the one that does by their date; switched off. */
  added: string;
  spread: string;
};

export async function newMailing(
  product: Product,
  customer: Customer,
  {
    members,
    perMinute = members,
    combinations = 1,
    provider = 'mailgun',
  }: { members: number; perMinute?: number; combinations?: number; provider?: ProviderName },
): Promise<Mailing> {
  const { call } = product;
  const caller = customer.web;
  const list = await newList(product, caller);
  await (provider === 'ses' ? verifyDomain : setKey)(product, caller, list);
  await createColumn(product, caller, list);
  await fill(product, customer, list, members, factsOf(perMinute));
  await product.drain();
  const automation = async (metadata_trigger: string | null) => {
    const body = {
      name: metadata_trigger ?? 'added',
      email_list_ids: [list],
      metadata_trigger,
      active: false,
    };
    return (await call('POST /api/automations', { caller, body })).id;
  };
  const [added, spread] = [await automation(null), await automation(SPREAD)];
  await createContent(product, caller, combinations, [added]);
  await createContent(product, caller, 1, [spread]);
  return { caller, members, added, spread };
}

const setKey = ({ call }: Product, caller: Customer['web'], list: string) =>
  call('PUT /api/email-lists/{list}/mailgun-key', {
    caller,
    params: { list },
    body: { mailgun_sending_key: 'key-bench', mailgun_region: 'us' },
  });

async function verifyDomain({ call, setDns }: Product, caller: Customer['web'], list: string): Promise<void> {
  const input = { caller, params: { list } };
  const domain = `${list}.example`;
  const fields = { provider: 'ses', domain, sender_address: `letters@${domain}` };
  await call('PUT /api/email-lists/{list}', {
    ...input,
    body: { ...(await call('GET /api/email-lists/{list}', input)), ...fields },
  });
  const { records } = await call('POST /api/email-lists/{list}/ses-identity', input);
  for (const { type, name, value } of records) await setDns({ type, name, values: [value] });
  const { status } = await call('POST /api/email-lists/{list}/ses-identity/check', input);
  if (status !== 'verified') throw new Error(`The domain is ${status}`);
}

/** A column exists from its first member on. */
async function createColumn({ call }: Product, caller: Customer['web'], list: string): Promise<void> {
  const first = await call('POST /api/list-members', {
    caller,
    body: { email_list_id: list, email: 'first@example.com', metadata: { [SPREAD]: '2030-01-01' } },
  });
  await call('DELETE /api/list-members/{listMember}', { caller, params: { listMember: first.id } });
}

/** So many templates; from a hundred on as many assets of each type as make so many combinations. */
async function createContent(
  { call }: Product,
  caller: Customer['web'],
  combinations: number,
  automation_ids: string[],
): Promise<void> {
  const ofEach = Math.round(combinations ** (1 / REQUIRED_PARTS.length));
  if (ofEach < 2) {
    for (let number = 0; number < combinations; number++) {
      await call('POST /api/email-templates', { caller, body: template({ automation_ids }) });
    }
    return;
  }
  for (const type of REQUIRED_PARTS) {
    for (let number = 0; number < ofEach; number++) {
      const body = asset({ type, automation_ids, value: assetText(type, number) });
      await call('POST /api/email-assets', { caller, body });
    }
  }
}

const assetText = (type: string, number: number) =>
  ({
    cta_url: `https://shop.example.com/${number}?{{utm_tags_combination_id}}`,
    footer: `Leave: {{UNSUB_LINK}} ${number}`,
  })[type] ?? `Hello {{first_name | 'you'}}, this is number ${number}`;

export const setSafeguards = ({ call }: Product, { web: caller }: Customer, limit: number) =>
  call('PUT /api/safeguards', {
    caller,
    body: {
      enabled: true,
      max_emails_5_minutes: limit,
      max_emails_1_hour: limit,
      max_emails_24_hours: limit,
      max_emails_1_week: limit,
    },
  });

/**
 * What is used while an automation sends that is switched on for so many minutes, from the next time that a minute of the
 * day has just begun. The sweep runs once a minute, and when this begins it has nothing to catch up with.
 */
export async function mailing(
  product: Product,
  caller: Customer['web'],
  automation: string,
  { minute, minutes = 1, outage = false }: { minute: number; minutes?: number; outage?: boolean },
  pass: (until: Date) => Promise<void> = until => product.moveTo(until),
): Promise<Reading> {
  const begin = nextTime(await product.now(), minute);
  await product.moveTo(new Date(begin.getTime() - 3 * MINUTE), { outage: true });
  await product.moveTo(new Date(begin.getTime() - MINUTE));
  const switched = (active: boolean) =>
    product.call('PUT /api/automations/{automation}', { caller, params: { automation }, body: { active } });
  await switched(true);
  await product.moveTo(begin);
  const until = new Date(begin.getTime() + minutes * MINUTE);
  const used = await product.using(async () => {
    // A run queues a hundred minutes of an organization.
    const runs = 1 + Math.ceil(minutes / 100);
    if (outage) await product.moveTo(new Date(until.getTime() - runs * MINUTE), { outage });
    await pass(until);
  });
  await switched(false);
  return used;
}

/** The next time at which it is this minute of the day, in some minutes at the earliest. */
function nextTime(now: Date, minute: number): Date {
  const earliest = now.getTime() + 5 * MINUTE;
  const today = Math.floor(earliest / DAY) * DAY + minute * MINUTE;
  return new Date(today >= earliest ? today : today + DAY);
}

export function ofFunction({ functions }: Reading, name: string) {
  const found = Object.entries(functions).filter(([caller]) => caller.includes(name));
  if (found.length !== 1) throw new Error(`${found.length} functions called ${name} have used the table`);
  return (found[0] as (typeof found)[number])[1];
}

export function expectSent({ provider }: Reading, emails: number): void {
  if (provider.accepted !== emails) throw new Error(`Of ${emails} emails ${provider.accepted} were sent`);
}
