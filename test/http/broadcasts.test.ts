import { beforeAll, expect, it } from 'vitest';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
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

it('it is answered as it is stored, with whom it mails, on the first page, until it is deleted', async () => {
  const { id, list, template } = await newBroadcast();
  await addMembers(stack, owner, list, [{ email: 'ann@example.com' }, { email: 'ben@example.com' }]);
  const params = { broadcast: id };
  const get = () => call('GET /api/broadcasts/{broadcast}', { ...as(), params });
  const { body } = await get();
  expect(body).toMatchObject({
    id,
    name: 'News',
    status: 'draft',
    email_list_ids: [list],
    email_lists: [{ id: list, name: 'Customers', domain: 'example.com', paused: 'no_key' }],
    email_template_ids: [template],
    email_eligibility: { is_eligible: true },
  });
  const page = async (page: string) => (await call('GET /api/broadcasts', { ...as(), query: { page } })).body;
  expect((await page('1'))[0]).toEqual(body);
  expect(await page('2')).toEqual([]);

  const key = { mailgun_sending_key: 'key-1' };
  await call('PUT /api/email-lists/{list}/mailgun-key', { ...as(), params: { list }, body: key });
  const counted = { people: 2, emails: 2, no_match: 0, not_subscribed: 0, not_sent: {} };
  const stored = await call('GET /api/broadcasts/{broadcast}/forecast', { ...as(), params });
  expect(stored.body).toMatchObject(counted);
  const { name, email_list_ids, email_template_ids, at } = body;
  const wanted = { name, email_list_ids, email_template_ids, at };
  const forecast = async (fields: object) =>
    (await call('POST /api/broadcasts/forecast', { ...as(), body: { ...wanted, ...fields } })).body;
  expect(await forecast({})).toMatchObject(counted);
  expect(await forecast({ email_template_ids: [] })).toMatchObject({
    emails: 0,
    not_sent: { no_content: 2 },
  });
  expect(await page('1')).toHaveLength(1);

  expect((await call('DELETE /api/broadcasts/{broadcast}', { ...as(), params })).status).toBe(204);
  expect([(await get()).status, await page('1')]).toEqual([404, []]);
});

it('calls for an automation do not find a broadcast, except for those about its content and its emails', async () => {
  const { id, template } = await newBroadcast();
  const params = { automation: id };
  const read = async () =>
    (await call('GET /api/broadcasts/{broadcast}', { ...as(), params: { broadcast: id } })).body;
  const before = await read();
  const body = { name: 'Other', active: true };
  const statuses = await Promise.all([
    call('GET /api/automations/{automation}', { ...as(), params }),
    call('PUT /api/automations/{automation}', { ...as(), params, body }),
    call('DELETE /api/automations/{automation}', { ...as(), params }),
    call('GET /api/automations/{automation}/simulate', { ...as(), params }),
    call('GET /api/automations/{automation}/forecast', { ...as(), params }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(await read()).toEqual(before);
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
