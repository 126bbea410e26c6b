import { expect, it } from 'vitest';
import { INITIAL_SAFEGUARDS, WINDOWS } from '#shared/safeguards.ts';
import { NEEDS_SEND_AT } from '#shared/schedule.ts';
import { INITIAL_SENDING_HOURS, NO_TIME_LEFT } from '#shared/sending-hours.ts';
import { UNKNOWN_ZONE } from '#shared/time-fields.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { items } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const night = [{ from: '22:00', until: '08:00' }];

it('what is put of sending hours is answered, and kept for the organization alone', async () => {
  const owner = await newMember(stack);
  const other = await newOrganization(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  expect((await call('GET /api/sending-hours', as)).body).toEqual(INITIAL_SENDING_HOURS);
  const put = await call('PUT /api/sending-hours', {
    ...as,
    body: { time_zone: 'us/pacific', quiet_hours: night },
  });
  expect([put.status, put.body]).toEqual([200, { time_zone: 'America/Los_Angeles', quiet_hours: night }]);
  expect((await call('GET /api/sending-hours', as)).body).toEqual(put.body);
  const part = await call('PUT /api/sending-hours', { ...as, body: { time_zone: 'UTC' } });
  expect(part.body).toEqual({ time_zone: 'UTC', quiet_hours: night });
  const elsewhere = await call('GET /api/sending-hours', { token: owner.token, organization: other });
  expect(elsewhere.body).toEqual(INITIAL_SENDING_HOURS);
});

it('a time zone that does not exist, 24:00, and hours that leave no minute are refused at their fields, and change nothing', async () => {
  const { token } = await newMember(stack);
  const errors = async (body: object) => {
    const { status, body: problem } = await call('PUT /api/sending-hours', { token, body: body as never });
    expect(status).toBe(422);
    return problem.errors;
  };
  for (const time_zone of ['Mars/Olympus', 'CET', 'Japan', '', '+02:00', 5, null, 'Europe/Berlin\u0000']) {
    expect(await errors({ time_zone })).toEqual({ time_zone: [UNKNOWN_ZONE] });
  }
  const time = ['Enter a time of day from 00:00 to 23:59'];
  for (const from of ['24:00', '8:00', '08:60', '08:00:00', ' 08:00', 8, null]) {
    expect(await errors({ quiet_hours: [{ from, until: '08:00' }] })).toEqual({ 'quiet_hours.0.from': time });
  }
  expect(await errors({ quiet_hours: [{ from: '08:00', until: '08:00' }] })).toEqual({
    'quiet_hours.0.until': ['Quiet hours must begin and end at different times'],
  });
  for (const hours of [null, [], '22:00-08:00']) {
    expect(await errors({ quiet_hours: [hours] })).toEqual({
      'quiet_hours.0': ['Quiet hours must each have a beginning and an end'],
    });
  }
  const whole = [
    { from: '08:00', until: '20:00' },
    { from: '19:59', until: '08:00' },
  ];
  expect(await errors({ quiet_hours: whole })).toEqual({ quiet_hours: [NO_TIME_LEFT] });
  const many = Array.from({ length: 6 }, (_, hour) => ({ from: `0${hour}:00`, until: `0${hour}:30` }));
  expect(await errors({ quiet_hours: many })).toEqual({ quiet_hours: ['At most 5 quiet hours can be set'] });
  expect((await call('GET /api/sending-hours', { token })).body).toEqual(INITIAL_SENDING_HOURS);
});

it('an automation says at what times and on what days its emails go; what it does not say is as ever', async () => {
  const owner = await newMember(stack);
  const as = { token: owner.token, organization: owner.home.id };
  const list = await newList(stack, owner);
  const automation = await newAutomation(stack, owner, { lists: [list], active: false });
  const params = { automation };
  const put = (body: object) => call('PUT /api/automations/{automation}', { ...as, params, body });
  const read = async () => (await call('GET /api/automations/{automation}', { ...as, params })).body;
  const initial = { send_at: null, time_zone_of: 'organization', days_off: [], dates_off: [] };
  expect(await read()).toMatchObject(initial);
  const refused = async (body: object) => {
    const answer = await put(body);
    expect(answer.status).toBe(422);
    return answer.body.errors;
  };
  const time = ['Enter a time of day from 00:00 to 23:59'];
  for (const send_at of ['24:00', '9:00', '', 900])
    expect(await refused({ send_at })).toEqual({ send_at: time });
  expect(await refused({ time_zone_of: 'member' })).toEqual({ time_zone_of: [NEEDS_SEND_AT] });
  const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  expect(await refused({ days_off: week })).toEqual({
    days_off: ['Leave at least one day of the week on which emails go'],
  });
  expect(await refused({ dates_off: ['2030-02-30'] })).toEqual({
    'dates_off.0': ['Dates off must be dates such as 2030-12-24'],
  });
  expect(await read()).toMatchObject(initial);
  const times = {
    send_at: '09:00',
    time_zone_of: 'member',
    days_off: ['saturday', 'sunday', 'sunday'],
    dates_off: ['2030-12-25', '2030-12-24', '2030-12-25'],
  };
  const kept = { ...times, days_off: ['sunday', 'saturday'], dates_off: ['2030-12-24', '2030-12-25'] };
  expect((await put(times)).body).toMatchObject(kept);
  expect(await refused({ send_at: null })).toEqual({ time_zone_of: [NEEDS_SEND_AT] });
  expect(await read()).toMatchObject(kept);
});

it('a list has a time zone of its own, or that of the organization', async () => {
  const owner = await newMember(stack);
  const as = { token: owner.token, organization: owner.home.id };
  const params = { list: await newList(stack, owner) };
  const put = (time_zone: string | null) =>
    call('PUT /api/email-lists/{list}', { ...as, params, body: { time_zone } });
  expect((await call('GET /api/email-lists/{list}', { ...as, params })).body.time_zone).toBe(null);
  expect((await put('asia/calcutta')).body.time_zone).toBe('Asia/Kolkata');
  const refused = await put('Europe/Nowhere');
  expect([refused.status, refused.body.errors]).toEqual([422, { time_zone: [UNKNOWN_ZONE] }]);
  expect((await put(null)).body.time_zone).toBe(null);
});

it('a dry run says what other hours would do, and stores nothing', async () => {
  const { token } = await newMember(stack);
  const { status, body } = await call('PUT /api/sending-hours/dry-run', {
    token,
    body: { quiet_hours: night },
  });
  expect([status, body.next_24_hours]).toEqual([200, { emails: 0, people_more: 0, people_fewer: 0 }]);
  expect((await call('GET /api/sending-hours', { token })).body).toEqual(INITIAL_SENDING_HOURS);
});

it('what is put of safeguards is answered, and kept for the organization alone', async () => {
  const owner = await newMember(stack);
  const other = await newOrganization(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  const body = {
    enabled: false,
    max_emails_5_minutes: 100_000,
    max_emails_1_hour: 4,
    max_emails_24_hours: 5,
    max_emails_1_week: 6,
    order: 'value',
    pause_at_percent: { complained: 0.3, bounced: 0.5 },
  };
  const put = await call('PUT /api/safeguards', { ...as, body: { ...body, id: 7 } });
  expect([put.status, put.body]).toEqual([200, body]);
  expect((await call('GET /api/safeguards', as)).body).toEqual(body);
  const elsewhere = await call('GET /api/safeguards', { token: owner.token, organization: other });
  expect(elsewhere.body).toEqual(INITIAL_SAFEGUARDS);
});

it('a holdout is from 0 to 50 whole percent; anything else is refused at its field, and changes nothing', async () => {
  const owner = await newMember(stack);
  const other = await newOrganization(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  const get = async (organization = owner.home.id) =>
    (await call('GET /api/holdout', { token: owner.token, organization })).body;
  expect(await get()).toEqual({ percent: 0 });
  expect((await call('PUT /api/holdout', { ...as, body: { percent: 50 } })).body).toEqual({ percent: 50 });
  const lists = [await newList(stack, owner)];
  const automation = await newAutomation(stack, owner, { lists, holdout_percent: 20 });
  const params = { automation };
  for (const value of [51, -1, 7.5, '10', null, true, [10]]) {
    const { status, body } = await call('PUT /api/holdout', { ...as, body: { percent: value } as never });
    expect([status, body.errors]).toEqual([422, { percent: [expect.stringContaining('from 0 to 50')] }]);
    const change = { ...as, params, body: { holdout_percent: value, name: 'other' } as never };
    const refused = await call('PUT /api/automations/{automation}', change);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['holdout_percent']]);
  }
  const asked = await call('PUT /api/holdout/dry-run', { ...as, body: { percent: 10 } });
  expect([asked.status, asked.body.next_7_days.emails]).toEqual([200, 0]);
  expect([await get(), await get(other)]).toEqual([{ percent: 50 }, { percent: 0 }]);
  const { body: kept } = await call('GET /api/automations/{automation}', { ...as, params });
  expect(kept).toMatchObject({ holdout_percent: 20, name: expect.not.stringContaining('other') });
});

it('a number out of bounds is refused at its field, and nothing is stored', async () => {
  const { token } = await newMember(stack);
  const refused = async (value: unknown) => {
    const body = Object.fromEntries(WINDOWS.map(({ field }) => [field, value]));
    const { status, body: problem } = await call('PUT /api/safeguards', { token, body });
    expect([status, Object.keys(problem.errors)]).toEqual([422, WINDOWS.map(({ field }) => field)]);
    return problem.errors.max_emails_1_hour;
  };
  for (const value of [0, -1]) expect(await refused(value)).toEqual(['Value must be at least 1']);
  for (const value of [1.5, '3', null, true, [1]]) {
    expect(await refused(value)).toEqual(['Value must be a whole number']);
  }
  expect(await refused(100_001)).toEqual(['Value must be at most 100,000']);
  const { body } = await call('PUT /api/safeguards', { token, body: { enabled: 'no' } });
  expect(body.errors).toEqual({ enabled: ['Enabled must be true or false'] });
  for (const order of ['clicks', '', null, 1, ['value'], 'VALUE']) {
    const unordered = await call('PUT /api/safeguards', { token, body: { order, enabled: false } as never });
    expect([unordered.status, unordered.body.errors]).toEqual([
      422,
      { order: ['Order must be least_recent or value'] },
    ]);
  }
  expect((await call('GET /api/safeguards', { token })).body).toEqual(INITIAL_SAFEGUARDS);
});

const LIST = {
  name: 'Readers',
  domain: 'example.com',
  active: false,
  sender_name: 'The shop',
  sender_address: 'hello@example.com',
};

/** Oldest first. */
async function switchesOf(organization: number) {
  const switches = (await items(stack))
    .filter(({ PK }) => PK === `ORG#${organization}#SWITCHES`)
    .map(({ PK: _, SK, ...fields }) => {
      const [at, ...what] = String(SK).split('#');
      return { at, what: what.slice(0, -1).join('#'), ...fields };
    });
  return switches
    .toSorted((a, b) => String(a.at).localeCompare(String(b.at)))
    .map(({ at: _, ...one }) => one);
}

it('what is switched on and off is kept, with who did it', async () => {
  const [owner, colleague] = [await newMember(stack), await newMember(stack)];
  const organization = await newOrganization(stack, owner);
  await join(stack, owner, organization, colleague, 'ADMIN');
  const as = { token: owner.token, organization };
  const asColleague = { token: colleague.token, organization };
  const ofList = async (fields: object) =>
    call('PUT /api/email-lists/{list}', { ...as, params: { list: readers }, body: fields });
  const ofAutomation = (fields: object) =>
    call('PUT /api/automations/{automation}', {
      ...asColleague,
      params: { automation: trial },
      body: fields,
    });

  const { id: readers } = (await call('POST /api/email-lists', { ...as, body: LIST })).body;
  await ofList({ active: true });
  await ofList({ active: true, name: 'Renamed' });
  const { id: trial } = (
    await call('POST /api/automations', {
      ...asColleague,
      body: { name: 'trial', email_list_ids: [readers], active: true },
    })
  ).body;
  await ofAutomation({ delay_days: 3 });
  await ofAutomation({ active: false });
  await call('PUT /api/safeguards', { ...as, body: { enabled: false } });
  await call('PUT /api/safeguards', { ...as, body: { max_emails_1_hour: 9 } });
  const params = { organization: String(organization) };
  for (const body of [{ active: false }, { active: false, name: 'Annex' }])
    await call('PUT /api/organizations/{organization}', { ...as, params, body });
  await call('DELETE /api/email-lists/{list}', { ...as, params: { list: readers } });

  expect(await switchesOf(organization)).toEqual([
    { what: `list#${readers}`, on: true, by: owner.id },
    { what: `automation#${trial}`, on: true, by: colleague.id },
    { what: `automation#${trial}`, on: false, by: colleague.id },
    { what: 'safeguards', on: false, limits: {}, by: owner.id },
    { what: 'safeguards', limits: { max_emails_1_hour: 9 }, by: owner.id },
    { what: 'organization', on: false, by: owner.id },
    { what: `list#${readers}`, on: false, by: owner.id },
  ]);
});

it('who switches a sequence or a broadcast, or deletes what is on, is kept with it', async () => {
  const [owner, colleague] = [await newMember(stack), await newMember(stack)];
  const organization = owner.home.id;
  await join(stack, owner, organization, colleague, 'ADMIN');
  const as = { token: owner.token, organization };
  const asColleague = { token: colleague.token, organization };
  const readers = await newList(stack, owner);
  const email_list_ids = [readers];
  const key = { mailgun_sending_key: 'key-1' };
  await call('PUT /api/email-lists/{list}/mailgun-key', { ...as, params: { list: readers }, body: key });
  const template = await newTemplate(stack, owner);
  const idOf = ({ body }: { body: { id: string } }) => body.id;

  const trial = { name: 'trial', email_list_ids };
  const automation = idOf(await call('POST /api/automations', { ...as, body: trial }));
  await call('DELETE /api/automations/{automation}', { ...asColleague, params: { automation } });

  const course = { name: 'Course', email_list_ids, active: true, steps: [{}] };
  const { body: created } = await call('POST /api/sequences', { ...as, body: course });
  const ofSequence = { params: { sequence: created.id as string } };
  const step = created.steps[0].automation_id as string;
  for (const active of [false, true])
    await call('PUT /api/sequences/{sequence}', { ...asColleague, ...ofSequence, body: { active } });
  await call('DELETE /api/sequences/{sequence}', { ...as, ...ofSequence });

  const news = { name: 'News', email_list_ids, email_template_ids: [template], at: '2999-01-01T09:00:00Z' };
  const body = { ...news, status: 'scheduled' } as const;
  const broadcast = idOf(await call('POST /api/broadcasts', { ...as, body }));
  const ofBroadcast = { params: { broadcast } };
  for (const status of ['draft', 'scheduled'] as const)
    await call('PUT /api/broadcasts/{broadcast}', { ...asColleague, ...ofBroadcast, body: { status } });
  await call('DELETE /api/broadcasts/{broadcast}', { ...as, ...ofBroadcast });

  const all = await switchesOf(organization);
  const of = (id: string) =>
    all.flatMap(({ what, on, by }: { what: string; on?: boolean; by?: string }) =>
      what === `automation#${id}` ? `${on ? 'on' : 'off'} by ${by === owner.id ? 'owner' : by}` : [],
    );
  const [offByColleague, onByColleague] = [`off by ${colleague.id}`, `on by ${colleague.id}`];
  expect(of(automation)).toEqual(['on by owner', offByColleague]);
  const each = ['on by owner', offByColleague, onByColleague, 'off by owner'];
  expect([of(step), of(broadcast)]).toEqual([each, each]);
});
