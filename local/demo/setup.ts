import { SCOPE_NAMES } from '#shared/permissions.ts';
import { HOUR, startOfDay } from '#shared/time.ts';
import { Mistake } from '../mistake.ts';
import { clientOf, type Program, programOf } from './client.ts';
import {
  ASSETS,
  AUTOMATIONS,
  BROADCASTS,
  COMPANY,
  LISTS,
  type ListName,
  type Mailing,
  TEMPLATES,
  WELCOME,
} from './company.ts';
import type { Driver } from './driver.ts';
import type { Person } from './people.ts';

export const DEMO_ADDRESS = 'demo@example.com';
export const DEMO_DOMAIN = 'example.com';
// The local Mailgun accepts each key with this prefix.
const SENDING_KEY = 'key-of-the-demo';
const MOST_ROWS = 100;

/** What playing the history needs of the company. */
export type Company = {
  lists: Record<ListName, string>;
  /** The program of the shop, which adds members and reports orders. */
  shop: Program;
};

/** The demo user signs in as any user does. */
export async function signIn(driver: Driver): Promise<string> {
  const call = clientOf(driver);
  await call('POST /api/login/request', { body: { email: DEMO_ADDRESS } });
  const code = codeIn((await driver.latest(DEMO_ADDRESS))?.text ?? '');
  if (!code) throw new Mistake('The demo user cannot sign in: no code arrived in the inbox.');
  const { token } = await call('POST /api/login/verify', { body: { email: DEMO_ADDRESS, code } });
  return token;
}

const codeIn = (text: string) => /^([A-Z0-9]{6})$/m.exec(text)?.[1];

/** Turns the organization of the demo user into a company with members, content, and what it sends until an instant. */
export async function setUp(
  driver: Driver,
  session: string,
  members: Person[],
  until: number,
): Promise<Company> {
  const call = clientOf(driver);
  await call('POST /api/user/accept-terms', { token: session });
  const [own] = await call('GET /api/organizations', { token: session });
  if (!own) throw new Mistake('The demo user has no organization.');
  const body = { name: 'Web_shop', scopes: SCOPE_NAMES };
  const { token } = await call('POST /api/tokens', { token: session, body });
  const shop = programOf(driver, token);
  await shop.updateOrganization({ organization: String(own.id), body: { name: COMPANY } });
  const lists = { club: await newList(shop, 'club'), customers: await newList(shop, 'customers') };
  for (const list of Object.values(lists)) {
    const params = { list };
    const body = { mailgun_sending_key: SENDING_KEY };
    await call('PUT /api/email-lists/{list}/mailgun-key', { token: session, params, body });
    await call('POST /api/email-lists/{list}/test-mailgun-connection', { token: session, params });
  }
  const company: Company = { lists, shop };
  await addMembers(company, members);
  const ids = { ...(await newAutomations(company)), ...(await newBroadcasts(company)) };
  await addContent(shop, ids as Ids);
  for (const [name, { sentAfter }] of Object.entries(BROADCASTS)) {
    if (sentAfter === undefined) continue;
    const day = startOfDay(driver.now() + (until - driver.now()) * sentAfter);
    const at = new Date(day + 15 * HOUR).toISOString();
    await shop.updateBroadcast({ broadcast: ids[name] ?? '', body: { status: 'scheduled', at } });
  }
  return company;
}

const newList = async (shop: Program, name: ListName) =>
  (await shop.createEmailList({ body: LISTS[name] })).id;

export async function addMembers({ lists, shop }: Company, members: Person[]): Promise<void> {
  for (const [list, people] of Map.groupBy(members, ({ list }) => list)) {
    for (let from = 0; from < people.length; from += MOST_ROWS) {
      const rows = people
        .slice(from, from + MOST_ROWS)
        .map(({ email, is_subscribed, metadata }) => ({ email, is_subscribed, ...metadata }));
      const { results } = await shop.upsertListMembers({ list: lists[list], body: { members: rows } });
      const rejected = results.find(({ status }) => status === 'rejected');
      if (rejected) throw new Mistake(`A member of the demo is refused: ${JSON.stringify(rejected)}`);
    }
  }
}

type Ids = Record<Mailing, string>;

const idsOf = (lists: Company['lists'], names: readonly ListName[]) => names.map(name => lists[name]);

async function newAutomations({ lists, shop }: Company) {
  const ids: Record<string, string> = {};
  for (const [name, { lists: names, ...fields }] of Object.entries(AUTOMATIONS)) {
    const body = { ...fields, email_list_ids: idsOf(lists, names) };
    ids[name] = (await shop.createAutomation({ body })).id;
  }
  const { lists: names, steps: wanted, ...welcome } = WELCOME;
  const body = { ...welcome, steps: [...wanted], email_list_ids: idsOf(lists, names) };
  const { steps } = await shop.createSequence({ body });
  for (const { name, automation_id } of steps) ids[name] = automation_id;
  return ids;
}

async function newBroadcasts({ lists, shop }: Company) {
  const ids: Record<string, string> = {};
  for (const [key, { lists: names, sentAfter: _, name, audience }] of Object.entries(BROADCASTS)) {
    const body = { name, audience, email_list_ids: idsOf(lists, names) };
    ids[key] = (await shop.createBroadcast({ body })).id;
  }
  return ids;
}

async function addContent(shop: Program, ids: Ids): Promise<void> {
  for (const { automation, template } of TEMPLATES) {
    await shop.createEmailTemplate({ body: { ...template, automation_ids: [ids[automation]] } });
  }
  for (const { appeal: _, ...asset } of ASSETS) {
    const automation_ids = asset.is_active === false ? [] : [ids.recipe];
    await shop.createEmailAsset({ body: { ...asset, automation_ids } });
  }
}
