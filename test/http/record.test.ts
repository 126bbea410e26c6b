import { beforeAll, describe, expect, it, vi } from 'vitest';
import { cursorFor } from '#core/id.ts';
import type { Item } from '#core/storage/table.store.ts';
import type { RecordEntry } from '#shared/record.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import { DAY } from '#shared/time.ts';
import { template } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { documents, items, textOf } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { LOOK } from '../support/look.ts';
import { newMember } from '../support/member.ts';
import { invite, join } from '../support/organization.ts';
import { type Belongings, credentialFor, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();

const LIST_EXPORT = 'GET /api/email-lists/{list}/export';
type Writing = Exclude<RouteKey, `GET ${string}`> | typeof LIST_EXPORT;

// Why a route that writes records nothing.
const ASKS = 'it stores nothing';
const PERSONAL = 'it is about the account of a user, not about an organization';
const PEOPLE = 'it is about people on lists: their journal, or the import, says what happened';
const SEEN = 'it stores what was found elsewhere, which nobody decided';
const HOOK = 'it is about programs, whose deliveries have a log';
const FILE = 'it stores a file that nothing shows yet';
const OWN = 'the record is deleted with its organization, and begins empty with it';

/** What each route that writes leaves in the record, or why nothing. */
const ROWS: Record<Writing, string[] | string> = {
  'POST /api/login/request': PERSONAL,
  'POST /api/login/verify': PERSONAL,
  'POST /api/logout': PERSONAL,
  'POST /api/user/accept-terms': PERSONAL,
  'DELETE /api/user/sessions': PERSONAL,
  'DELETE /api/user/sessions/{id}': PERSONAL,
  'POST /api/organizations': OWN,
  'DELETE /api/organizations/{organization}': OWN,

  'PUT /api/organizations/{organization}': ['organization changed'],
  'PUT /api/organizations/{organization}/logo': ['organization changed'],
  'PUT /api/look': ['organization changed'],
  'PUT /api/safeguards': ['sending changed'],
  'PUT /api/sending-hours': ['sending changed'],
  'PUT /api/holdout': ['sending changed'],
  'PUT /api/first-steps': 'it hides a part of home, and changes nothing else',

  'POST /api/organizations/{organization}/members': ['member invited'],
  'PUT /api/organizations/{organization}/members/{member}': ['member changed'],
  'DELETE /api/organizations/{organization}/members/{member}': ['member removed'],
  'DELETE /api/organizations/{organization}/invitations/{invitation}': ['member cancelled'],
  'POST /api/invitations/accept/{token}': ['member joined'],
  'POST /api/invitations/reject/{token}': 'nobody gets a role',
  'POST /api/tokens': ['token created'],
  'POST /api/connections': 'the token is recorded that the assistant gets for it',
  'DELETE /api/tokens': ['token deleted'],
  'DELETE /api/tokens/{id}': ['token deleted'],

  'POST /api/email-lists': ['list created'],
  'PUT /api/email-lists/{list}': ['list changed'],
  'DELETE /api/email-lists/{list}': ['list deleted'],
  'PUT /api/email-lists/{list}/logo': ['list changed'],
  'PUT /api/email-lists/{list}/look': ['list changed'],
  'PUT /api/email-lists/{list}/mailgun-key': ['list changed'],
  'POST /api/email-lists/{list}/tracking-domain': ['list changed'],
  'DELETE /api/email-lists/{list}/tracking-domain': ['list changed'],
  'POST /api/email-lists/{list}/ses-identity': ['organization changed'],
  'DELETE /api/email-lists/{list}/ses-identity': ['organization changed'],
  'POST /api/email-lists/{list}/test-mailgun-connection': SEEN,
  'POST /api/email-lists/{list}/ses-identity/check': SEEN,
  'POST /api/email-lists/{list}/domain-check': SEEN,
  'POST /api/email-lists/{list}/tracking-domain/check': SEEN,

  'POST /api/email-lists/{list}/unsubscribe-webhooks': HOOK,
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': HOOK,
  'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': HOOK,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': HOOK,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': HOOK,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': HOOK,
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': HOOK,
  'POST /api/organizations/{organization}/webhooks': HOOK,
  'PUT /api/organizations/{organization}/webhooks/{webhook}': HOOK,
  'DELETE /api/organizations/{organization}/webhooks/{webhook}': HOOK,
  'POST /api/organizations/{organization}/webhooks/{webhook}/test': HOOK,
  'POST /api/organizations/{organization}/webhooks/{webhook}/secret': HOOK,
  'POST /api/organizations/{organization}/webhooks/{webhook}/deliveries/{delivery}/redeliver': HOOK,
  'POST /api/organizations/{organization}/webhooks/{webhook}/redeliver': HOOK,

  'POST /api/email-lists/{list}/members/actions': PEOPLE,
  'POST /api/email-lists/{list}/imports': PEOPLE,
  'POST /api/email-lists/{list}/imports/dry-run': ASKS,
  'POST /api/email-lists/{list}/imports/forecast': ASKS,
  'PUT /api/email-lists/{list}/imports/{memberImport}': PEOPLE,
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': PEOPLE,
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': PEOPLE,
  'POST /api/list-members': PEOPLE,
  'PUT /api/list-members/{listMember}': PEOPLE,
  'DELETE /api/list-members/{listMember}': PEOPLE,
  'POST /api/email-sends/{emailSend}/resend': PEOPLE,
  'POST /api/v1/email-lists/{list}/members': PEOPLE,
  'POST /api/v1/events': PEOPLE,
  'POST /api/v1/value': PEOPLE,

  [LIST_EXPORT]: ['list exported'],
  'POST /api/recipients/export': ['person exported'],
  'POST /api/recipients/erase': ['person erased'],

  'POST /api/email-assets': ['asset created'],
  'POST /api/layout-check': ASKS,
  'POST /api/email-assets-check': ASKS,
  'POST /api/email-asset-sets': ['asset created'],
  'PUT /api/email-assets/{emailAsset}': ['asset changed'],
  'POST /api/email-assets/{emailAsset}/versions': ['asset reworded'],
  'DELETE /api/email-assets/{emailAsset}': ['asset deleted'],
  'POST /api/email-templates': ['template created'],
  'POST /api/email-templates-check': ASKS,
  'PUT /api/email-templates/{emailTemplate}': ['template changed'],
  'PUT /api/email-templates/{emailTemplate}/automations': ['template changed'],
  'PUT /api/email-templates/{emailTemplate}/owner': ['template changed'],
  'POST /api/email-templates/{emailTemplate}/versions': ['template reworded'],
  'POST /api/email-templates/{emailTemplate}/duplicate': ASKS,
  'DELETE /api/email-templates/{emailTemplate}': ['template deleted'],
  'PUT /api/automations/{automation}/content': ['template changed'],
  'POST /api/images': FILE,

  'POST /api/automations': ['automation created'],
  'PUT /api/automations/{automation}': ['automation changed'],
  'DELETE /api/automations/{automation}': ['automation deleted'],
  'POST /api/sequences': ['sequence created'],
  'PUT /api/sequences/{sequence}': ['sequence changed'],
  'DELETE /api/sequences/{sequence}': ['sequence deleted'],
  // The draft, then its content.
  'POST /api/broadcasts': ['broadcast created', 'template changed'],
  'PUT /api/broadcasts/{broadcast}': ['broadcast changed'],
  'DELETE /api/broadcasts/{broadcast}': ['broadcast deleted'],

  'POST /api/plans': 'it stores the plan alone',
  'POST /api/plans/{hash}/apply': ['automation changed'],

  'POST /api/audience/count': ASKS,
  'POST /api/broadcasts/forecast': ASKS,
  'POST /api/automations/{automation}/test-email': ASKS,
  'POST /api/test-emails': ASKS,
  'POST /api/automations/forecast': ASKS,
  'POST /api/automations/dry-run': ASKS,
  'PUT /api/automations/{automation}/dry-run': ASKS,
  'PUT /api/automations/{automation}/content/dry-run': ASKS,
  'POST /api/sequences/dry-run': ASKS,
  'PUT /api/sequences/{sequence}/dry-run': ASKS,
  'PUT /api/safeguards/dry-run': ASKS,
  'PUT /api/sending-hours/dry-run': ASKS,
  'PUT /api/holdout/dry-run': ASKS,
  'PUT /api/organizations/{organization}/dry-run': ASKS,
  'PUT /api/email-lists/{list}/dry-run': ASKS,
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': ASKS,
  'POST /api/content-links/dry-run': ASKS,
};

const writing = Object.keys(ROWS) as Writing[];

it('every route that writes has a row, and says what it records or why it records nothing', () => {
  const all = (Object.keys(routes) as RouteKey[]).filter(key => !key.startsWith('GET '));
  expect(new Set(writing)).toEqual(new Set([...all, LIST_EXPORT]));
});

type Transaction = { Put?: { Item: Item } }[];
/** The transaction of each entry, by its sort key; where another process writes, nothing is seen of them. */
const transactions = new Map<string, Transaction>();

// Beside the entries are copies for automations.
const isEntry = ({ PK, SK }: Item) => String(PK).endsWith('#RECORD') && !String(SK).startsWith('~');
const entries = async () => (await items(stack)).filter(isEntry);
let known = new Set<string>();
/** What was recorded since the last look. */
async function news(): Promise<Item[]> {
  const all = await entries();
  const added = all.filter(({ PK, SK }) => !known.has(`${PK} ${SK}`));
  known = new Set(all.map(({ PK, SK }) => `${PK} ${SK}`));
  return added;
}
const named = (all: Item[]) => all.map(({ kind, what }) => `${kind} ${what}`).sort();

let current: Belongings;
beforeAll(async () => {
  const { client } = documents(stack);
  const send = client.send.bind(client);
  const watched = async (command: { input: { TransactItems?: Transaction } }) => {
    const { TransactItems: writes = [] } = command.input;
    for (const { Put } of writes) if (Put) transactions.set(String(Put.Item.SK), writes);
    return send(command as never);
  };
  vi.spyOn(client, 'send').mockImplementation(watched as never);
  current = await newBelongings(stack);
});

const call = (key: Writing, caller: Belongings, input = VALID[key](caller.ids)) =>
  stack.call(key, { token: credentialFor(key, caller), organization: caller.owner.home.id, ...input });

/** They end what others need, or need what others change: each has an owner of its own. */
const ALONE = /^DELETE |logout$|erase$|apply$|broadcasts$|content$|templates\/{emailTemplate}\/automations$/;
/** What cannot be called with what somebody has from the beginning. */
const FIRST: Partial<Record<Writing, Writing>> = {
  'DELETE /api/email-lists/{list}/ses-identity': 'POST /api/email-lists/{list}/ses-identity',
  'DELETE /api/email-lists/{list}/tracking-domain': 'POST /api/email-lists/{list}/tracking-domain',
};

/** What the usual call would leave as it is. */
const OTHER: Partial<Record<Writing, object>> = {
  'PUT /api/email-templates/{emailTemplate}/automations': { body: { automation_ids: [] } },
};

const recorded = writing.filter(key => typeof ROWS[key] !== 'string' && !key.includes('/accept/'));

describe.each(recorded)('%s', key => {
  it('is recorded by one entry for each change, in its transaction, and a repetition by none', async () => {
    const caller = ALONE.test(key) ? await newBelongings(stack) : current;
    const first = FIRST[key];
    if (first) await call(first, caller);
    const input = { ...VALID[key](caller.ids), ...OTHER[key] };
    await news();
    const answer = await call(key, caller, input);
    expect(answer.status, answer.text).toBeLessThan(300);
    const recorded = await news();
    expect(named(recorded)).toEqual(ROWS[key]);
    for (const entry of recorded) {
      expect(entry).toMatchObject({
        PK: `ORG#${caller.owner.home.id}#RECORD`,
        user: caller.owner.id,
        by: key.endsWith('/apply') ? 'plan' : 'app',
      });
      const [at = ''] = String(entry.SK).split('#');
      expect((Number(entry.ttl) * 1000 - Date.parse(at)) / DAY).toBeCloseTo(731, 3);
      if (['exported', 'erased'].includes(String(entry.what))) continue;
      const transaction = transactions.get(entry.SK as string);
      if (transaction === undefined && !stack.memory()) continue;
      const others = (transaction ?? []).filter(({ Put }) => Put?.Item.SK !== entry.SK);
      expect(others.some(write => !('ConditionCheck' in write))).toBe(true);
    }
    // A sending key is encrypted anew, and a logo is a new file.
    const repeats = key.startsWith('PUT ') && !/\/(logo|mailgun-key)$/.test(key);
    if (!repeats && !key.endsWith('/versions')) return;
    await news();
    await call(key, caller, input);
    expect(await news()).toEqual([]);
  });
});

it('calls that record nothing leave nothing in the record, nor does what is refused', async () => {
  const caller = await newBelongings(stack);
  await news();
  const wrong = { name: 7, email: 7, logo: 7, look: 7, role: 7, user_id: 7, value: 7, is_active: 7 };
  for (const key of writing) {
    const isRecorded = typeof ROWS[key] !== 'string';
    const { body, ...input } = VALID[key](caller.ids);
    if (isRecorded && body) await call(key, caller, { ...input, body: wrong });
    if (!isRecorded && !ALONE.test(key)) await call(key, caller);
  }
  expect(named(await news())).toEqual([]);
});

it('who accepts an invitation is recorded with the role, and once', async () => {
  const guest = await newMember(stack);
  const { owner } = current;
  const token = await invite(stack, owner, owner.home.id, guest.email);
  await news();
  const accept = () =>
    stack.call('POST /api/invitations/accept/{token}', { token: guest.token, params: { token } });
  expect([(await accept()).status, (await accept()).status]).toEqual([200, 404]);
  expect(await news()).toMatchObject([
    {
      kind: 'member',
      what: 'joined',
      user: guest.id,
      object: guest.id,
      changes: { role: { from: null, to: 'USER' } },
    },
  ]);
});

it('a token is recorded where it was created, by who acts there, and with what it may do', async () => {
  const { owner } = current;
  const guest = await newMember(stack);
  const team = owner.home.id;
  await join(stack, owner, team, guest, 'ADMIN');
  const create = (organization: number | undefined, name: string, more = {}) =>
    stack.call('POST /api/tokens', { token: guest.token, organization, body: { name, ...more } });
  await news();
  expect((await create(team, 'Team', { scopes: ['read'], expiration: 30 })).status).toBe(201);
  expect((await create(undefined, 'Own')).status).toBe(201);
  expect((await create(guest.home.id, 'Home')).status).toBe(201);
  const inOrder = (all: Item[]) => all.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  const of = (organization: number) => ({ PK: `ORG#${organization}#RECORD`, user: guest.id });
  const basic = { scopes: { from: null, to: ['legacy'] } };
  const limited = { scopes: { from: null, to: ['read'] }, expiration: { from: null, to: 30 } };
  expect(inOrder(await news())).toMatchObject([
    { ...of(guest.home.id), name: 'Home', changes: basic },
    { ...of(guest.home.id), name: 'Own', changes: basic },
    { ...of(team), name: 'Team', changes: limited },
  ]);
  expect((await create((await newMember(stack)).home.id, 'Stranger')).status).toBe(403);
  await stack.call('DELETE /api/tokens/{id}', { token: guest.token, params: { id: 'Home' } });
  expect(await news()).toMatchObject([{ ...of(guest.home.id), what: 'deleted', name: 'Home' }]);
  await stack.call('DELETE /api/tokens', { token: guest.token });
  expect(inOrder(await news())).toMatchObject([
    { ...of(guest.home.id), what: 'deleted', name: 'Own' },
    { ...of(team), what: 'deleted', name: 'Team' },
  ]);
});

it('invitations that end with the right of who sent them are recorded', async () => {
  const { owner } = current;
  const team = owner.home.id;
  const guest = await newMember(stack);
  await join(stack, owner, team, guest, 'ADMIN');
  await invite(stack, guest, team, 'later@example.com');
  await news();
  const params = { organization: String(team), member: guest.id };
  await stack.call('PUT /api/organizations/{organization}/members/{member}', {
    token: owner.token,
    params,
    body: { role: 'USER' },
  });
  const recorded = await news();
  expect(named(recorded)).toEqual(['member cancelled', 'member changed']);
  expect(recorded.find(({ what }) => what === 'changed')).toMatchObject({
    object: guest.id,
    changes: { role: { from: 'ADMIN', to: 'USER' } },
  });
});

it('a change that also mails people who are there already says so, and a default is no change', async () => {
  const { ids, owner } = await newBelongings(stack);
  const of = { token: owner.token, organization: owner.home.id, params: { automation: ids.automation } };
  const changed = async (body: object) => {
    await news();
    const { status, text } = await stack.call('PUT /api/automations/{automation}', { ...of, body });
    expect(status, text).toBe(200);
    const [entry] = await news();
    return entry?.changes as RecordEntry['changes'];
  };
  await changed({ active: false });
  expect(await changed({ active: true, include_existing: true })).toEqual({
    active: { from: false, to: true },
    include_existing: { from: null, to: true },
  });
  expect(await changed({ every_x_days: 17 })).not.toHaveProperty('holdout_percent');
  const { token, organization } = of;
  const body = { ...VALID['POST /api/automations'](ids).body, active: true, include_existing: true };
  await news();
  await stack.call('POST /api/automations', { token, organization, body });
  expect(await news()).toMatchObject([{ changes: { include_existing: { from: null, to: true } } }]);
});

it.each(['organization', 'list'])(
  'the first email design of the %s is recorded as set, and its end as removed',
  async kind => {
    const { ids, owner } = await newBelongings(stack);
    const { token, home } = owner;
    const changed = async (look: object | null) => {
      await news();
      const of = { token, organization: home.id, body: { look } };
      const { status, text } =
        kind === 'organization'
          ? await stack.call('PUT /api/look', of)
          : await stack.call('PUT /api/email-lists/{list}/look', { ...of, params: { list: ids.list } });
      expect(status, text).toBe(200);
      return (await news()).map(({ changes }) => (changes as RecordEntry['changes']).look);
    };
    expect(await changed(LOOK)).toEqual([{ from: null, to: true }]);
    expect(await changed(null)).toEqual([{ from: true, to: null }]);
  },
);

it('the time of a broadcast is recorded when it is set, moved and removed', async () => {
  const { ids, owner } = await newBelongings(stack);
  const of = { token: owner.token, organization: owner.home.id, params: { broadcast: ids.broadcast } };
  const changed = async (local_at: string | null) => {
    await news();
    const { status, text } = await stack.call('PUT /api/broadcasts/{broadcast}', {
      ...of,
      body: { local_at },
    });
    expect(status, text).toBe(200);
    return (await news()).map(({ changes }) => (changes as RecordEntry['changes']).local_at);
  };
  const [first, other] = ['2040-06-01T09:00', '2040-06-02T09:00'];
  expect(await changed(first)).toEqual([{ from: null, to: first }]);
  expect(await changed(other)).toEqual([{ from: first, to: other }]);
  expect(await changed(null)).toEqual([{ from: other, to: null }]);
});

it('the keys of a list are recorded as changed and removed, and not themselves', async () => {
  const { ids, owner } = await newBelongings(stack);
  const of = { token: owner.token, organization: owner.home.id, params: { list: ids.list } };
  const changed = async (body: object) => {
    await news();
    const { status, text } = await stack.call('PUT /api/email-lists/{list}/mailgun-key', { ...of, body });
    expect(status, text).toBe(200);
    return (await news()).map(({ changes }) => changes);
  };
  expect(await changed({ mailgun_webhook_signing_key: 'signs' })).toEqual([
    { signing_key: { from: null, to: true } },
  ]);
  expect(await changed({ mailgun_sending_key: null, mailgun_webhook_signing_key: null })).toEqual([
    { sending_key: { from: true, to: null }, signing_key: { from: true, to: null } },
  ]);
});

it('an address is recorded as set, changed and removed, and not itself', async () => {
  const { ids, owner } = await newBelongings(stack);
  const of = { token: owner.token, organization: owner.home.id, params: { list: ids.list } };
  const changed = async (body: object) => {
    await news();
    const { status, text } = await stack.call('PUT /api/email-lists/{list}', { ...of, body });
    expect(status, text).toBe(200);
    return (await news()).map(({ changes }) => changes);
  };
  const domain = 'example.com';
  expect(await changed({ reply_to: `ann@${domain}` })).toEqual([{ reply_to: { from: null, to: true } }]);
  expect(await changed({ reply_to: `bob@${domain}` })).toEqual([{ reply_to: { from: true, to: true } }]);
  expect(await changed({ reply_to: null })).toEqual([{ reply_to: { from: true, to: null } }]);
  expect(await changed({ sender_address: `news@${domain}` })).toEqual([
    { sender_address: { from: true, to: true } },
  ]);
});

it('of several values, only those are recorded that came or went', async () => {
  const { ids, owner } = await newBelongings(stack);
  const of = { token: owner.token, organization: owner.home.id, params: { automation: ids.automation } };
  const { body: before } = await stack.call('GET /api/automations/{automation}', of);
  const [first] = before.email_lists.map(({ id }: { id: string }) => id);
  const second = await newList(stack, owner);
  const changed = async (email_list_ids: string[]) => {
    await news();
    await stack.call('PUT /api/automations/{automation}', { ...of, body: { email_list_ids } });
    return (await news()).map(({ changes }) => (changes as RecordEntry['changes']).email_list_ids);
  };
  expect(await changed([first, second])).toEqual([{ from: [], to: [second] }]);
  expect(await changed([second])).toEqual([{ from: [first], to: [] }]);
});

it('a new wording is recorded at the new version', async () => {
  const { ids, owner } = await newBelongings(stack);
  await news();
  const { body } = await stack.call('POST /api/email-templates/{emailTemplate}/versions', {
    token: owner.token,
    organization: owner.home.id,
    params: { emailTemplate: ids.emailTemplate },
    body: template({ subject_line: 'Written anew' }),
  });
  expect(await news()).toMatchObject([
    { what: 'reworded', object: body.id, changes: { version: { from: 1, to: 2 } } },
  ]);
});

it('no address and no secret is in the record', async () => {
  const all = await entries();
  expect(all.length).toBeGreaterThan(100);
  expect(all.map(textOf).filter(text => /@|key-|lf_|signing"|Unsubscribe/.test(text))).toEqual([]);
});

describe('a page of the record', () => {
  const RECORD = 'GET /api/organizations/{organization}/record';
  let caller: Belongings;
  const page = (query: Record<string, string>, by = caller) =>
    stack.call(RECORD, {
      token: by.owner.token,
      organization: by.owner.home.id,
      params: { organization: by.ids.organization },
      query,
    });
  const everyPage = async (filter: Record<string, string>) => {
    const found = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await page({ ...filter, per_page: '2', ...(cursor && { cursor }) });
      expect(body.data.length).toBeLessThanOrEqual(2);
      found.push(...body.data);
      cursor = body.next_cursor;
    }
    return found;
  };
  beforeAll(async () => {
    caller = await newBelongings(stack);
  });

  it.each([
    ['without a filter', () => ({})],
    ['of one kind', () => ({ kind: 'automation' })],
    ['of one thing', () => ({ object: caller.ids.list })],
    ['of one user', () => ({ user: caller.owner.id })],
  ])('shows each entry once, newest first, %s', async (_, filter) => {
    const { body } = await page({ ...filter(), per_page: '500' });
    expect(body.data.length).toBeGreaterThan(0);
    expect(await everyPage(filter())).toEqual(body.data);
    const entries: RecordEntry[] = body.data;
    const moments = entries.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted().reverse());
    for (const [field, value] of Object.entries(filter())) {
      expect(
        new Set(entries.map(({ kind, object, by }) => ({ kind, object: object.id, user: by?.id })[field])),
      ).toEqual(new Set([value]));
    }
  });

  it('refuses the cursor of another filter, and shows nothing of the organization that another cursor is of', async () => {
    const { body } = await page({ per_page: '1' });
    const cursor = body.next_cursor ?? 'none';
    const refused = { cursor: ['This cursor belongs to another page: begin again without one'] };
    const others: Record<string, string>[] = [{ kind: 'list', cursor }, { cursor: 'x' }];
    for (const query of others) {
      expect(await page(query)).toMatchObject({ status: 422, body: { errors: refused } });
    }
    const filter = { from: '2026-01-01', per_page: '1' };
    const early = cursorFor(
      { from: filter.from },
      Buffer.from('2025-01-01T00:00:00.000Z#x').toString('base64url'),
    );
    expect(await page({ ...filter, cursor: early })).toMatchObject({
      status: 422,
      body: { errors: refused },
    });
    const other = await page({ cursor, per_page: '500' }, current);
    const own = await page({ per_page: '500' }, current);
    expect(own.body.data).toEqual(expect.arrayContaining(other.body.data));
  });

  it('has what happened on the days of a range, the first and the last one included', async () => {
    const beside = (day: string, days: number) =>
      new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
    for (const more of [{}, { object: caller.ids.list }] as Record<string, string>[]) {
      const found = async (range: Record<string, string>): Promise<string[]> =>
        (await page({ per_page: '500', ...range, ...more })).body.data.map(({ at }: RecordEntry) => at);
      const all = await found({});
      const [last = '', first = ''] = [all[0]?.slice(0, 10), all.at(-1)?.slice(0, 10)];
      expect(await found({ from: first, to: last })).toEqual(all);
      expect(await found({ from: beside(first, -1), to: beside(last, 1) })).toEqual(all);
      expect(await found({ to: beside(first, -1) })).toEqual([]);
      expect(await found({ from: beside(last, 1) })).toEqual([]);
      expect(all.length).toBeGreaterThan(0);
    }
  });

  it('of an automation has what was linked to it, worded anew, unlinked and deleted, each once', async () => {
    const { ids, owner } = await newBelongings(stack);
    const by = { owner, ids } as Belongings;
    const of = { token: owner.token, organization: owner.home.id };
    const { body: automation } = await stack.call('POST /api/automations', {
      ...of,
      body: { ...VALID['POST /api/automations'](ids).body, active: false },
    });
    const done = async (key: RouteKey, params: object, body?: object) => {
      const { status, text, body: answer } = await stack.call(key, { ...of, params, body } as never);
      expect(status, text).toBeLessThan(300);
      return answer;
    };
    const linked = (link: string[], unlink: string[] = []) =>
      done('PUT /api/automations/{automation}/content', { automation: automation.id }, { link, unlink });
    await linked([ids.emailTemplate, ids.emailAsset]);
    const emailTemplate = ids.emailTemplate;
    const wording = template({ subject_line: 'Another wording' });
    const { id: second } = await done(
      'POST /api/email-templates/{emailTemplate}/versions',
      { emailTemplate },
      wording,
    );
    await linked([], [ids.emailAsset]);
    await done('DELETE /api/email-templates/{emailTemplate}', { emailTemplate: second });

    const filter = { object: automation.id, per_page: '500' };
    const entries: RecordEntry[] = (await page(filter, by)).body.data;
    const about = ({ kind, what, changes: { automation_ids: links } }: RecordEntry) =>
      `${kind} ${what} ${[links?.from].flat().includes(automation.id) ? '-' : ''}${[links?.to].flat().includes(automation.id) ? '+' : ''}`;
    expect(entries.map(about).toSorted()).toEqual([
      'asset changed +',
      'asset changed -',
      'automation created ',
      'template changed +',
      'template deleted -',
      'template reworded +',
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await page({ object: automation.id, per_page: '2', ...(cursor && { cursor }) }, by);
      paged.push(...body.data);
      cursor = body.next_cursor;
    }
    expect(paged).toEqual(entries);
    const all: RecordEntry[] = (await page({ per_page: '500' }, by)).body.data;
    expect(all.filter(({ what }) => what === 'reworded')).toHaveLength(1);
  });

  it('names the means of a program', async () => {
    const scopes = { name: 'Program', scopes: ['contacts', 'read', 'automations', 'content'] };
    const { body } = await stack.call('POST /api/tokens', {
      token: caller.owner.token,
      organization: caller.owner.home.id,
      body: scopes,
    });
    const renamed = await stack.fetchJson('PUT', `/api/v1/automations/${caller.ids.automation}`, {
      headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stop_after_days: 300 }),
    });
    expect(renamed.status).toBe(200);
    const entries: RecordEntry[] = (await page({ object: caller.ids.automation })).body.data;
    expect(entries.filter(({ means }) => means === 'token')).toMatchObject([
      { changes: { stop_after_days: { to: 300 } } },
    ]);
  });

  it('refuses a range that ends before it begins', async () => {
    for (const more of [{}, { object: caller.ids.list }] as Record<string, string>[]) {
      const { status, body } = await page({ from: '2026-02-01', to: '2026-01-31', ...more });
      expect([status, body.errors]).toEqual([422, { to: ['To must not be before from'] }]);
    }
  });

  it('has what each of several changes at once found and left', async () => {
    const { ids, owner } = caller;
    const of = { token: owner.token, organization: owner.home.id, params: { automation: ids.automation } };
    const answers = await Promise.all(
      [41, 42, 43].map(every_x_days =>
        stack.call('PUT /api/automations/{automation}', { ...of, body: { every_x_days } }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    const { body } = await page({ object: ids.automation });
    const steps = (body.data as RecordEntry[]).flatMap(({ changes }) => changes.every_x_days ?? []);
    expect(steps).toHaveLength(1 + done.length);
    // Each found what another one left, but for its creation.
    const { body: now } = await stack.call('GET /api/automations/{automation}', of);
    expect(new Set([...steps.map(({ from }) => from), now.every_x_days])).toEqual(
      new Set([null, ...steps.map(({ to }) => to)]),
    );
  });
});
