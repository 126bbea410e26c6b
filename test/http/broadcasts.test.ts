import { beforeAll, expect, it } from 'vitest';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
beforeAll(async () => {
  owner = await newMember(stack);
});
const as = () => ({ token: owner.token, organization: owner.home.id });
const [inAnHour, at] = [60 * 60 * 1000, (after: number) => new Date(Date.now() + after).toISOString()];

async function newBroadcast(fields: object = {}) {
  const list = await newList(stack, owner, { name: 'Customers' });
  const template = await newTemplate(stack, owner, {});
  const wanted = { name: 'News', email_list_ids: [list], email_template_ids: [template], at: at(inAnHour) };
  const { body } = await call('POST /api/broadcasts', { ...as(), body: { ...wanted, ...fields } });
  return { id: body.id as string, list, template };
}

it('calls for an automation do not find a broadcast, except for those about its content and its emails', async () => {
  const { id, template } = await newBroadcast();
  const params = { automation: id };
  const statuses = await Promise.all([
    call('GET /api/automations/{automation}', { ...as(), params }),
    call('PUT /api/automations/{automation}', { ...as(), params, body: { active: true } }),
    call('DELETE /api/automations/{automation}', { ...as(), params }),
    call('GET /api/automations/{automation}/simulate', { ...as(), params }),
    call('GET /api/automations/{automation}/forecast', { ...as(), params }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const content = await call('GET /api/automations/{automation}/content', { ...as(), params });
  expect(content.body.templates).toMatchObject([{ id: template }]);
  const linked = await call('GET /api/email-templates', { ...as(), query: { automations: id } });
  expect(linked.body).toMatchObject([{ id: template, automations: [{ id, name: 'News' }] }]);
});

it('a list that its conditions name cannot be deleted until it is over', async () => {
  const named = await newList(stack, owner, { name: 'Staff' });
  const audience = { all: [{ field: '@list', op: 'not_on', value: named }] };
  const { id } = await newBroadcast({ audience, status: 'scheduled' });
  const remove = () => call('DELETE /api/email-lists/{list}', { ...as(), params: { list: named } });
  expect(await remove()).toMatchObject({ status: 409, body: { message: expect.stringContaining('News') } });
  const body = { status: 'cancelled' as const };
  await call('PUT /api/broadcasts/{broadcast}', { ...as(), params: { broadcast: id }, body });
  expect((await remove()).status).toBe(204);
});

it.each([
  ['name', { name: 'News\r\nBcc: all@example.com' }],
  ['at', { at: '2999-01-01T09:00:00,5Z' }],
  ['at', { at: '2999-02-29T09:00:00Z' }],
  ['local_at', { local_at: '2999-01-01T24:00' }],
])('what is not valid is refused at %s: %o', async (field, wrong) => {
  const body = { name: 'News', ...wrong };
  const { status, body: answer } = await call('POST /api/broadcasts', { ...as(), body });
  expect([status, answer.errors]).toEqual([422, { [field]: [expect.any(String)] }]);
});
