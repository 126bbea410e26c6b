import type { BodyInput } from '#shared/routes.ts';
import { HOUR, startOfDay } from '#shared/time.ts';
import { Mistake } from '../mistake.ts';
import { type Client, clientOf } from './client.ts';
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
  /** The API token of the shop, which adds members and reports orders. */
  token: string;
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
  const organization = { organization: String(own.id) };
  await call('PUT /api/organizations/{organization}', {
    token: session,
    params: organization,
    body: { name: COMPANY },
  });
  const { token } = await call('POST /api/tokens', { token: session, body: { name: 'Web_shop' } });
  const company: Company = {
    lists: {
      club: await newList(call, session, 'club'),
      customers: await newList(call, session, 'customers'),
    },
    token,
  };
  await addMembers(driver, company, members);
  const ids = {
    ...(await newAutomations(call, session, company.lists)),
    ...(await newBroadcasts(call, session, company.lists)),
  };
  await addContent(call, session, ids as Ids);
  for (const [name, { sentAfter }] of Object.entries(BROADCASTS)) {
    if (sentAfter === undefined) continue;
    const day = startOfDay(driver.now() + (until - driver.now()) * sentAfter);
    const body = { status: 'scheduled', at: new Date(day + 15 * HOUR).toISOString() } as const;
    await call('PUT /api/broadcasts/{broadcast}', {
      token: session,
      params: { broadcast: ids[name] ?? '' },
      body,
    });
  }
  return company;
}

async function newList(call: Client, token: string, name: ListName): Promise<string> {
  const { id } = await call('POST /api/email-lists', { token, body: LISTS[name] });
  const params = { list: id };
  await call('PUT /api/email-lists/{list}/mailgun-key', {
    token,
    params,
    body: { mailgun_sending_key: SENDING_KEY },
  });
  await call('POST /api/email-lists/{list}/test-mailgun-connection', { token, params });
  return id;
}

export async function addMembers(
  driver: Driver,
  { lists, token }: Company,
  members: Person[],
): Promise<void> {
  const call = clientOf(driver);
  for (const [list, people] of Map.groupBy(members, ({ list }) => list)) {
    for (let from = 0; from < people.length; from += MOST_ROWS) {
      const rows = people
        .slice(from, from + MOST_ROWS)
        .map(({ email, is_subscribed, metadata }) => ({ email, is_subscribed, ...metadata }));
      const { results } = await call('POST /api/v1/email-lists/{list}/members', {
        token,
        params: { list: lists[list] },
        body: { members: rows },
      });
      const rejected = results.find(({ status }) => status === 'rejected');
      if (rejected) throw new Mistake(`A member of the demo is refused: ${JSON.stringify(rejected)}`);
    }
  }
}

type Ids = Record<Mailing, string>;

const idsOf = (lists: Company['lists'], names: readonly ListName[]) => names.map(name => lists[name]);

async function newAutomations(call: Client, token: string, lists: Company['lists']) {
  const ids: Record<string, string> = {};
  for (const [name, { lists: names, ...fields }] of Object.entries(AUTOMATIONS)) {
    const body = {
      ...fields,
      email_list_ids: idsOf(lists, names),
    } as unknown as BodyInput<'POST /api/automations'>;
    ids[name] = (await call('POST /api/automations', { token, body })).id;
  }
  const { lists: names, steps: wanted, ...welcome } = WELCOME;
  const body = { ...welcome, steps: [...wanted], email_list_ids: idsOf(lists, names) };
  const { steps } = await call('POST /api/sequences', { token, body });
  for (const { name, automation_id } of steps) ids[name] = automation_id;
  return ids;
}

async function newBroadcasts(call: Client, token: string, lists: Company['lists']) {
  const ids: Record<string, string> = {};
  for (const [key, { lists: names, sentAfter: _, name, audience }] of Object.entries(BROADCASTS)) {
    const body = { name, audience, email_list_ids: idsOf(lists, names) } as BodyInput<'POST /api/broadcasts'>;
    ids[key] = (await call('POST /api/broadcasts', { token, body })).id;
  }
  return ids;
}

async function addContent(call: Client, token: string, ids: Ids): Promise<void> {
  for (const { automation, template } of TEMPLATES) {
    const body = {
      ...template,
      automation_ids: [ids[automation]],
    } as unknown as BodyInput<'POST /api/email-templates'>;
    await call('POST /api/email-templates', { token, body });
  }
  for (const { appeal: _, ...asset } of ASSETS) {
    const automation_ids = asset.is_active === false ? [] : [ids.recipe];
    const body = { ...asset, automation_ids } as BodyInput<'POST /api/email-assets'>;
    await call('POST /api/email-assets', { token, body });
  }
}
