import { beforeAll, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { items, textOf } from '../support/items.ts';
import { newProgrammedList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let colleague: Person;
beforeAll(async () => {
  [owner, colleague] = [await newMember(stack), await newMember(stack)];
  await join(stack, owner, owner.home.id, colleague);
});

const as = () => ({ token: owner.token, organization: owner.home.id });
const asUser = () => ({ token: colleague.token, organization: owner.home.id });
const record = async (query = {}) =>
  call('GET /api/organizations/{organization}/record', {
    ...as(),
    params: { organization: String(owner.home.id) },
    query,
  });
const erase = (email: string, confirmation = email, by: object = as()) =>
  call('POST /api/recipients/erase', { ...by, body: { email, confirmation } });
const exported = (email: string) => call('POST /api/recipients/export', { ...asUser(), body: { email } });

it('a person is exported, erased after typing their address, and stands in the record without it', async () => {
  const email = newAddress('reader');
  const lists = [await newProgrammedList(stack, owner), await newProgrammedList(stack, owner)];
  for (const { id } of lists) {
    const body = { email_list_id: id, email, metadata: { plan: 'Edelweiss' } };
    await call('POST /api/list-members', { ...as(), body });
  }
  const before = await exported(email.toUpperCase());
  expect(before.headers.get('cache-control')).toContain('no-store');
  expect(before.body).toMatchObject({ email, erased_at: null, next_cursor: null });
  expect(before.body.memberships.map(({ list_id }: { list_id: string }) => list_id).sort()).toEqual(
    lists.map(({ id }) => id).sort(),
  );

  expect((await erase(email, email, asUser())).status).toBe(403);
  const mistyped = await erase(email, 'somebody@example.com');
  expect([mistyped.status, mistyped.body.errors]).toEqual([
    422,
    { confirmation: ['Type the address to confirm'] },
  ]);
  expect((await exported(email)).body.memberships).toHaveLength(2);
  const elsewhere = await call('POST /api/recipients/export', { ...asUser(), body: { email, cursor: 'x' } });
  expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([422, ['cursor']]);

  const erased = await erase(email, ` ${email.toUpperCase()} `);
  expect([erased.status, erased.body.complete]).toEqual([200, true]);
  expect((await erase(email)).body).toEqual(erased.body);
  await stack.fetchJson('POST', '/_local/drain');
  const left = textOf(await items(stack));
  expect(left).not.toContain(email);
  expect(left).not.toContain('Edelweiss');
  for (const { id } of lists) {
    const { body } = await call('GET /api/email-lists/{list}', { ...as(), params: { list: id } });
    expect([body.members_count, body.subscribed_members]).toEqual([0, 0]);
  }

  const { body } = await record({ kind: 'person', user: owner.id });
  expect(body).toMatchObject({
    data: [{ what: 'erased', at: erased.body.erased_at, by: { id: owner.id }, means: 'app' }],
    next_cursor: null,
  });
  expect(JSON.stringify(body)).not.toContain(email);
  expect((await exported(email)).body).toMatchObject({
    erased_at: erased.body.erased_at,
    memberships: [],
    emails: [],
  });
});

it('nobody unknown is exported or erased, nor anybody of another organization', async () => {
  const other = await newMember(stack);
  const list = await newProgrammedList(stack, other);
  const email = newAddress('reader');
  const asOther = { token: other.token, organization: other.home.id };
  await call('POST /api/list-members', { ...asOther, body: { email_list_id: list.id, email } });
  const entries = (await record({ kind: 'person' })).body.data.length;
  for (const answer of [await exported(email), await erase(email)]) {
    expect([answer.status, answer.body.message]).toEqual([
      404,
      'Nothing is stored about this address in the organization.',
    ]);
  }
  expect((await record({ kind: 'person' })).body.data).toHaveLength(entries);
  const { body } = await call('POST /api/recipients/export', { ...asOther, body: { email } });
  expect(body.memberships).toHaveLength(1);
});

it('a list is exported page by page, which nothing keeps', async () => {
  const { id: list } = await newProgrammedList(stack, owner);
  const member = {
    email_list_id: list,
    email: newAddress('reader'),
    metadata: { plan: '=1+1', since: '2030-01-05' },
  };
  await call('POST /api/list-members', { ...as(), body: member });
  const page = await call('GET /api/email-lists/{list}/export', { ...asUser(), params: { list } });
  expect(page.headers.get('cache-control')).toContain('no-store');
  expect(page.body.data).toMatchObject([
    { email: member.email, is_subscribed: true, metadata: member.metadata },
  ]);
  expect(page.body.next_cursor).toBeNull();
});
