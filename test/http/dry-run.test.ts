import { afterEach, expect, it } from 'vitest';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { newMailing } from '../support/mailing.ts';
import { switchOff } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

type Dry = Extract<RouteKey, `${string}/dry-run`>;

const sending: { token: string; organization: number }[] = [];
afterEach(async () => {
  for (const as of sending.splice(0)) await switchOff(stack, as);
});

async function newScene(options: Parameters<typeof newMailing>[1] = {}) {
  const mailing = await newMailing(stack, options);
  sending.push(mailing.as);
  const now = Date.parse((await stack.fetchJson('GET', '/_local/clock')).body.now);
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  for (const [name, hours] of [
    ['ann', 2],
    ['ben', 3],
    ['cleo', 5],
    ['dan', 72],
  ] as const) {
    await mailing.add(`${name}@example.com`, { due: at(hours), other: at(hours) });
  }
  const dry = async (route: Dry, input: { params?: object; body: object }) => {
    const { status, body } = await call(route as never, { ...mailing.as, ...input } as never);
    return { status, body: body as Answer<'POST /api/automations/dry-run'> };
  };
  const form = { name: 'more', email_list_ids: [mailing.list], every_x_days: 30, stop_after_days: 0 };
  return { ...mailing, at, dry, form };
}

const none = { emails: 0, people_more: 0, people_fewer: 0 };
const more = (people: number) => ({ emails: people, people_more: people, people_fewer: 0 });
const fewer = (people: number) => ({ emails: -people, people_more: 0, people_fewer: people });

it('an automation without content sends nothing; with content, three people get an email today and one more later', async () => {
  const { as, owner, dry, form, at } = await newScene();
  const body = { ...form, metadata_trigger: 'other' };
  const nothing = { first_at: null, existing: 0, sampled: null, counted_share: 1 };
  expect(await dry('POST /api/automations/dry-run', { body })).toEqual({
    status: 200,
    body: { next_24_hours: none, next_7_days: none, ...nothing },
  });
  const stored = await call('GET /api/automations', { ...as, query: { page: '1' } });
  expect(stored.body).toHaveLength(1);

  await call('PUT /api/safeguards', { ...as, body: { enabled: false } });
  const { body: created } = await call('POST /api/automations', { ...as, body });
  const own = { params: { automation: created.id } };
  // The form says how many there will be, beside what is stored or in its place.
  const forecast = async (query: Record<string, string>, changed: object = {}) => {
    const input = { ...as, query, body: { ...body, ...changed } };
    return (await call('POST /api/automations/forecast', input)).body.total_count;
  };
  expect(await forecast({})).toBe(4);
  const query = { automation: created.id };
  expect([
    await forecast(query),
    await forecast(query, { repeat: 'yearly', metadata_trigger: null }),
  ]).toEqual([4, 0]);
  expect(await forecast({ automation: '0'.repeat(12) }, { stop_after_days: null, every_x_days: 28 })).toBe(7);
  const template = await newTemplate(stack, owner);
  const change = { ...own, body: { link: [template] } };
  const planned = await dry('PUT /api/automations/{automation}/content/dry-run', change);
  expect(planned.body).toMatchObject({ next_24_hours: more(3), next_7_days: more(4) });
  const content = await call('GET /api/automations/{automation}/content', { ...as, ...own });
  expect(content.body).toMatchObject({ templates: [], combinations: 0 });
  const link = { kind: 'template', is_active: true, automation_ids: [created.id] };
  const linked = await dry('POST /api/content-links/dry-run', { body: link });
  expect(linked.body).toMatchObject({ next_24_hours: more(3), next_7_days: more(4) });
  expect(linked.body.first_at?.slice(0, 16)).toBe(at(2).slice(0, 16));
  expect(
    (await dry('POST /api/content-links/dry-run', { body: { ...link, is_active: false } })).body,
  ).toMatchObject({ next_7_days: none });
});

it('a change that ends or moves emails says who gets fewer', async () => {
  const { as, dry, automation, list } = await newScene();
  const params = { automation };
  const change = (body: object) => dry('PUT /api/automations/{automation}/dry-run', { params, body });
  const audience = { all: [{ field: '@email', op: 'not_contains', value: 'ben@' }] };
  expect((await change({ audience })).body).toMatchObject({ next_24_hours: fewer(1), next_7_days: fewer(1) });
  expect((await change({ active: false })).body).toMatchObject({
    next_24_hours: fewer(3),
    next_7_days: fewer(4),
    first_at: null,
  });
  expect((await change({ delay_days: 2, stop_after_days: 2 })).body).toMatchObject({
    next_24_hours: fewer(3),
    next_7_days: none,
  });
  expect((await change({ name: 'renamed' })).body).toMatchObject({ next_7_days: none });
  expect((await change({ delay_days: -1 })).status).toBe(422);
  expect((await change({ metadata_trigger: 'nothing' })).status).toBe(422);

  const key = (mailgun_sending_key: string | null) =>
    dry('PUT /api/email-lists/{list}/mailgun-key/dry-run', {
      params: { list },
      body: { mailgun_sending_key },
    });
  expect((await key(null)).body).toMatchObject({ next_24_hours: fewer(3) });
  expect((await key('key-2')).body).toMatchObject({ next_24_hours: none });
  const off = await dry('PUT /api/email-lists/{list}/dry-run', { params: { list }, body: { active: false } });
  expect(off.body).toMatchObject({ next_7_days: fewer(4) });
  const elsewhere = { sender_address: 'letters@elsewhere.example' };
  expect(
    (await dry('PUT /api/email-lists/{list}/dry-run', { params: { list }, body: elsewhere })).status,
  ).toBe(422);
  const after = await call('GET /api/automations/{automation}', { ...as, params });
  expect(after.body).toMatchObject({ active: true, delay_days: 0, name: 'welcome' });
});

it('an organization that is paused loses its emails, and gets back those that fall due after it is resumed', async () => {
  const { as, dry } = await newScene();
  const params = { organization: String(as.organization) };
  const change = (body: object) => dry('PUT /api/organizations/{organization}/dry-run', { params, body });
  expect((await change({ active: false })).body).toMatchObject({
    next_24_hours: fewer(3),
    next_7_days: fewer(4),
  });
  expect((await change({ name: 'Renamed' })).body).toMatchObject({ next_7_days: none });
  await switchOff(stack, as);
  expect((await change({ active: true })).body).toMatchObject({
    next_24_hours: more(3),
    next_7_days: more(4),
  });
  expect((await change({ active: false })).body).toMatchObject({ next_7_days: none });
  const { body } = await call('GET /api/organizations', as);
  expect(body).toMatchObject([{ id: as.organization, active: false }]);
});

it('a key for a list without one, and a list or an automation that is switched on, begin to send', async () => {
  const { as, dry, automation, list } = await newScene({ keyless: true });
  const key = (mailgun_sending_key: string) =>
    dry('PUT /api/email-lists/{list}/mailgun-key/dry-run', {
      params: { list },
      body: { mailgun_sending_key },
    });
  expect((await key('key-1')).body).toMatchObject({ next_24_hours: more(3), next_7_days: more(4) });
  await call('PUT /api/email-lists/{list}/mailgun-key', {
    ...as,
    params: { list },
    body: { mailgun_sending_key: 'key-1' },
  });
  await call('PUT /api/automations/{automation}', { ...as, params: { automation }, body: { active: false } });
  const on = { params: { automation }, body: { active: true } };
  expect((await dry('PUT /api/automations/{automation}/dry-run', on)).body).toMatchObject({
    next_24_hours: more(3),
  });
  // Who was added in this moment is nobody who was there already.
  await stack.advance(60, { outage: true });
  const included = { ...on, body: { active: true, include_existing: true } };
  expect((await dry('PUT /api/automations/{automation}/dry-run', included)).body).toMatchObject({
    next_24_hours: more(4),
    existing: 1,
  });
  await call('PUT /api/automations/{automation}', { ...as, ...on });
  await call('PUT /api/email-lists/{list}', { ...as, params: { list }, body: { active: false } });
  const listOn = await dry('PUT /api/email-lists/{list}/dry-run', {
    params: { list },
    body: { active: true },
  });
  expect(listOn.body).toMatchObject({ next_24_hours: more(3), next_7_days: more(4) });
});

it('a sequence that is new sends nothing, and one with content says who gets fewer where it is switched off', async () => {
  const { as, owner, dry, form } = await newScene();
  const { name, email_list_ids } = form;
  const body = {
    name,
    email_list_ids,
    active: true,
    metadata_trigger: 'other',
    steps: [{ delay_minutes: 1 }],
  };
  await call('PUT /api/safeguards', { ...as, body: { enabled: false } });
  expect((await dry('POST /api/sequences/dry-run', { body })).body).toMatchObject({ next_7_days: none });
  const { body: created } = await call('POST /api/sequences', { ...as, body });
  await newTemplate(stack, owner, { automation_ids: [created.steps[0].automation_id] });
  const change = (changed: object) =>
    dry('PUT /api/sequences/{sequence}/dry-run', { params: { sequence: created.id }, body: changed });
  expect((await change({ active: false })).body).toMatchObject({
    next_24_hours: fewer(3),
    next_7_days: fewer(4),
    first_at: null,
  });
  expect((await change({ name: 'renamed' })).body).toMatchObject({ next_7_days: none });
  expect((await change({ steps: [] })).status).toBe(422);
  const { body: all } = await call('GET /api/sequences', as);
  expect(all).toEqual([expect.objectContaining({ name, active: true })]);
});

it('limits that let more through say for whom, and lower ones say who gets fewer', async () => {
  const { as, dry, owner, form, automation } = await newScene();
  const forecast = async (query: Record<string, string>) => {
    const body = { ...form, metadata_trigger: 'due', delay_minutes: 1 };
    return (await call('POST /api/automations/forecast', { ...as, query, body })).body.total_count;
  };
  // In place of what is stored, which holds back all that follows it by a minute.
  expect([await forecast({ automation }), await forecast({})]).toEqual([4, 0]);
  const { body: second } = await call('POST /api/automations', {
    ...as,
    body: { ...form, metadata_trigger: 'due' },
  });
  await newTemplate(stack, owner, { automation_ids: [automation, second.id] });
  const limits = (body: object) => dry('PUT /api/safeguards/dry-run', { body });
  expect((await limits({ enabled: false })).body).toMatchObject({
    next_24_hours: more(3),
    next_7_days: more(4),
  });
  expect((await limits({ max_emails_5_minutes: 2 })).body).toMatchObject({ next_24_hours: more(3) });
  await call('PUT /api/safeguards', { ...as, body: { enabled: false } });
  expect((await limits({ enabled: true })).body).toMatchObject({
    next_24_hours: fewer(3),
    next_7_days: fewer(4),
  });
  expect((await limits({ max_emails_1_hour: 0 })).status).toBe(422);
});
