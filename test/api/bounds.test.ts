import { expect, it } from 'vitest';
import { putAll } from '../support/items.ts';
import { newProgrammedList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { call } = stack;

it('a thousand lists with the longest texts are answered, and another one is refused', async () => {
  const { token, home } = await newMember(stack);
  const longest = '"'.repeat(100);
  const domain = `${`${'d'.repeat(63)}.`.repeat(3)}${'d'.repeat(57)}.com`;
  const lists = Array.from({ length: 1_000 }, (_, at) => ({
    PK: `ORG#${home.id}`,
    SK: `LIST#${String(at).padStart(12, '0')}`,
    id: String(at).padStart(12, '0'),
    organization_id: home.id,
    name: longest,
    domain,
    sender_name: longest,
    sender_address: `${'a'.repeat(64)}@${domain.slice(-189)}`,
    unsubscribe_text: 'Cancelar subscrição',
    active: true,
    created_at: '2030-01-01T12:00:00.000Z',
    region: 'eu',
    sending_key: 'k'.repeat(600),
    signing_key: 'k'.repeat(600),
    logo: `/files/${home.id}/${'0'.repeat(32)}.png`,
    connection: { tested_at: '2030-01-01T12:00:00.000Z', valid: false },
  }));
  const organization = { id: home.id, name: home.name, active: true, created_at: lists[0]?.created_at };
  await putAll(stack, [...lists, { PK: `ORG#${home.id}`, SK: 'META', ...organization, lists: 1_000 }]);

  const all = await call('GET /api/email-lists', { token });
  expect([all.status, all.body.length]).toEqual([200, 1_000]);
  const form = { name: 'One more', domain: 'example.com', sender_name: 'The shop' };
  const refused = await call('POST /api/email-lists', {
    token,
    body: { ...form, sender_address: 'hello@example.com' },
  });
  expect([refused.status, refused.body]).toEqual([
    409,
    { message: 'An organization can have at most 1,000 email lists. Delete one that is no longer needed.' },
  ]);
});

it('a date in a column that a list has no place for is refused at its key', async () => {
  const { token, home } = await newMember(stack);
  const form = { name: 'Readers', domain: 'example.com', sender_name: 'The shop' };
  const { body: list } = await call('POST /api/email-lists', {
    token,
    body: { ...form, sender_address: 'hello@example.com' },
  });
  await putAll(stack, [
    { PK: `LIST#${list.id}`, SK: 'COUNTS', total: 0, subscribed: 0, columns: 100 },
    { PK: `LIST#${list.id}`, SK: 'COLUMN#signed_up', members: 1, has_place: true },
  ]);
  const add = (metadata: object) =>
    call('POST /api/list-members', {
      token,
      organization: home.id,
      body: { email_list_id: list.id, email: 'ann@example.com', metadata },
    });
  const refused = await add({ signed_up: '2030-01-05', trial_ends: '2030-02-05' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['metadata.trial_ends']]);
  expect(refused.body.message).toMatch(/^A list can have dates in at most 100 columns of metadata/);
  expect((await add({ signed_up: '2030-01-05', trial_ends: 'soon' })).status).toBe(201);
});

it('a column without members gives its place to a new one, for a member added by hand or by a program', async () => {
  const person = await newMember(stack);
  const { id, send } = await newProgrammedList(stack, person);
  const longAgo = '2020-01-01T00:00:00.000Z';
  const idle = (name: string) => {
    const SK = `COLUMN#${name}`;
    return { PK: `LIST#${id}`, SK, members: 0, has_place: true, idle_since: longAgo };
  };
  const counts = { PK: `LIST#${id}`, SK: 'COUNTS', total: 0, subscribed: 0, columns: 100 };
  await putAll(stack, [counts, idle('one')]);
  const byHand = await call('POST /api/list-members', {
    token: person.token,
    organization: person.home.id,
    body: { email_list_id: id, email: 'ann@example.com', metadata: { trial_ends: '2030-02-05' } },
  });
  expect(byHand.status).toBe(201);
  await putAll(stack, [idle('two')]);
  const { body } = await send([{ email: 'ben@example.com', signed_up: '2030-02-05' }]);
  expect(body.results).toMatchObject([{ status: 'created' }]);
});
