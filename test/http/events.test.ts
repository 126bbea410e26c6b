import { beforeAll, beforeEach, expect, it } from 'vitest';
import { apiStack } from '../support/handlers.ts';
import { newProgrammedList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: Awaited<ReturnType<typeof newProgrammedList>>;

beforeAll(async () => {
  owner = await newMember(stack);
});
beforeEach(async () => {
  list = await newProgrammedList(stack, owner);
});

const ANN = { email: 'ann@example.com' };
const send = (events: unknown, token = list.apiToken, organization = owner.home.id) =>
  call('POST /api/v1/events', { token, organization, body: { events } });
const metadata = async () => {
  const as = { token: owner.token, organization: owner.home.id };
  const { body } = await call('GET /api/email-lists/{list}/members', { ...as, params: { list: list.id } });
  const params = { listMember: body.data[0].id };
  return (await call('GET /api/list-members/{listMember}', { ...as, params })).body.metadata;
};

it('an event of a program is a date of the member, and its name is listed with when it came', async () => {
  await list.send([ANN]);
  const { status, body } = await send([
    { event: 'ordered', ...ANN, at: '2999-12-31T23:00:00-01:00' },
    { event: 'ordered', email: 'no@example.com' },
    { event: 'ordered', ...ANN, email_list_id: 7 },
  ]);
  expect([status, body.results.map((result: { index: number }) => result.index)]).toEqual([200, [0, 1, 2]]);
  expect(body.results[0]).toEqual({
    index: 0,
    status: 'rejected',
    errors: { at: ['An event must not be more than a day ahead'] },
  });
  expect(body.results[1]).toEqual({ index: 1, status: 'unknown' });
  expect(body.results[2].errors).toEqual({
    email_list_id: ['email_list_id must be the id of an email list'],
  });

  const stored = await send([
    { event: 'ordered', ...ANN, email_list_id: list.id, properties: { due: '31/12/2029' } },
  ]);
  expect(stored.body.results).toEqual([
    {
      index: 0,
      status: 'stored',
      warnings: { 'properties.due': [expect.stringMatching(/not read as a date/)] },
    },
  ]);
  expect(await metadata()).toEqual([
    { key: 'due', type: 'string', value: '31/12/2029' },
    { key: 'ordered', type: 'datetime', value: expect.any(String) },
  ]);
  const { body: names } = await call('GET /api/events', { token: owner.token, organization: owner.home.id });
  expect(names).toEqual([{ event: 'ordered', last_at: expect.any(String) }]);
});

it('events reach nobody of another organization', async () => {
  await list.send([ANN]);
  const other = await newMember(stack);
  const theirs = await newProgrammedList(stack, other);
  const rows = [
    { event: 'stolen', ...ANN, email_list_id: list.id, create: true },
    { event: 'stolen', ...ANN },
  ];
  const { body } = await send(rows, theirs.apiToken, other.home.id);
  expect(body.results).toEqual([
    { index: 0, status: 'rejected', errors: { email_list_id: [expect.any(String)] } },
    { index: 1, status: 'unknown' },
  ]);
  expect((await send(rows, theirs.apiToken)).status).toBe(403);
  expect(await metadata()).toEqual([]);
  const { body: names } = await call('GET /api/events', { token: owner.token, organization: owner.home.id });
  expect(names.map(({ event }: { event: string }) => event)).not.toContain('stolen');
});
