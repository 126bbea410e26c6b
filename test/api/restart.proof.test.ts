import { beforeAll, expect, it } from 'vitest';
import { dataUrl, PNG } from '../support/images.ts';
import { items } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { waitForPurges } from '../support/purge.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { call } = stack;

const KEY = 'key-0123456789abcdef';

let owner: Person;
let list: string;
let logo: string;

beforeAll(async () => {
  stack.mustNotBeLogged(KEY);
  owner = await newMember(stack);
  await stack.signIn(owner.email);
  list = await newList(stack, owner);
  await call('PUT /api/email-lists/{list}/mailgun-key', { ...asOwner(), body: { mailgun_sending_key: KEY } });
  ({ logo } = (
    await call('PUT /api/organizations/{organization}/logo', {
      token: owner.token,
      params: { organization: String(owner.home.id) },
      body: { logo: dataUrl(PNG) },
    })
  ).body);
  await call('DELETE /api/email-lists/{list}', {
    ...asOwner(),
    params: { list: await newList(stack, owner) },
  });
  await stack.fetchJson('POST', '/_local/drain');
  expect(await purges()).toHaveLength(1);
  await stack.restart();
});

const purges = async () => (await items(stack)).filter(({ PK }) => PK === 'PURGE');
const asOwner = () => ({ token: owner.token, organization: owner.home.id, params: { list } });

it('the sending key of a list survives a restart', async () => {
  const { body } = await call('POST /api/email-lists/{list}/test-mailgun-connection', asOwner());
  expect(body).toMatchObject({ connectionValid: true });
});

it('a logo is still there after a restart', async () => {
  const image = await fetch(new URL(logo, stack.url()));
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
});

it('the purge of a deleted list, which was queued before, runs after a restart', async () => {
  await waitForPurges(stack);
  expect(await purges()).toEqual([]);
});

it('a mail is still in the inbox after a restart', async () => {
  expect(await stack.inbox(owner.email)).toHaveLength(1);
});
