import { beforeAll, describe, expect, it } from 'vitest';
import { newAutomation, newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { switchOff } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: string;
beforeAll(async () => {
  owner = await newMember(stack);
  list = await newList(stack, owner, { name: 'Customers' });
  await addMembers(stack, owner, list, [{ email: 'ann@example.com', ends: '2020-01-05T09:30:00Z' }]);
});
const as = () => ({ token: owner.token, organization: owner.home.id });
const create = (body: object) => call('POST /api/automations', { ...as(), body });
const put = (automation: string, body: object) =>
  call('PUT /api/automations/{automation}', { ...as(), params: { automation }, body });
const read = async (automation: string) =>
  (await call('GET /api/automations/{automation}', { ...as(), params: { automation } })).body;
const errorsOf = ({ status, body }: { status: number; body: { errors?: object } }) => [status, body.errors];

const BOTH = 'Choose either a double or a triple send for the 1st occurrence';
const LISTS = 'email_list_ids must be the ids of email lists';

const INVALID: [object, object][] = [
  [{ delay_days: -1 }, { delay_days: ['Value cannot be negative'] }],
  [
    { repeat: 'yearly', metadata_trigger: 'signed_up' },
    {
      repeat: ['A yearly automation needs a column with dates: none of the chosen email lists has this one'],
    },
  ],
  [{ delay_days: null }, { delay_days: ['Value must be a whole number'] }],
  [
    { metadata_trigger: 'signed_up' },
    { metadata_trigger: ['None of the chosen email lists has this column'] },
  ],
  [
    { metadata_trigger: '__proto__' },
    { metadata_trigger: ['None of the chosen email lists has this column'] },
  ],
  [{ metadata_trigger: 'ends#' }, { metadata_trigger: ['None of the chosen email lists has this column'] }],
  [
    { metadata_trigger: 'ends', email_list_ids: [] },
    { metadata_trigger: ['None of the chosen email lists has this column'] },
  ],
  [{ starts_at: 'date' }, { metadata_trigger: ['Choose the metadata column with the date that starts it'] }],
  [
    { starts_at: 'event', metadata_trigger: '' },
    { metadata_trigger: ['Enter the name of the event that starts it'] },
  ],
  [
    { starts_at: 'event', metadata_trigger: 'ordered#' },
    { metadata_trigger: [expect.stringMatching(/^The name of an event must consist of/)] },
  ],
  [
    { starts_at: 'added', metadata_trigger: 'ends' },
    {
      starts_at: [
        'What starts when a member was added has no trigger column: leave metadata_trigger out, or choose date or event',
      ],
    },
  ],
  [
    { email_list_ids: ['0'.repeat(12)] },
    { email_list_ids: ['One of the email lists does not exist any more'] },
  ],
  [{ email_list_ids: null }, { email_list_ids: [LISTS] }],
  [
    { audience: { any: [{ field: '@list', op: 'on', value: '0'.repeat(12) }] } },
    { audience: ['One of the email lists in the conditions does not exist any more: choose another one'] },
  ],
];

describe('an automation', () => {
  it('is created with the defaults of the form, answered like that, and listed', async () => {
    const created = await create({
      name: ' welcome_1 ',
      email_list_ids: [list],
      id: 'mine',
      organization_id: 1,
      revision: 'x',
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^[a-z0-9]{12}$/),
        name: 'welcome_1',
        active: true,
        repeat: 'days',
        every_x_days: 1,
        delay_days: 0,
        delay_minutes: 0,
        stop_after_days: null,
        metadata_trigger: null,
        starts_at: 'added',
        sequence_id: null,
        audience: null,
        allocation: 'equal',
        holdout_percent: 0,
        email_lists: [{ id: list, name: 'Customers', domain: 'example.com', paused: 'no_key' }],
        email_eligibility: {
          is_eligible: false,
          subject_line: false,
          pre_cta_content: false,
          cta_text: false,
          cta_url: false,
          footer: false,
        },
        created_at: expect.any(String),
        double_send_first: false,
        double_send_second: false,
        double_send_third: false,
        triple_send_first: false,
        triple_send_second: false,
        triple_send_third: false,
      },
    });
    expect(Object.keys(created.body)).toHaveLength(30);
    expect(await read(created.body.id)).toEqual(created.body);
    expect((await call('GET /api/automations', as())).body).toContainEqual(created.body);
    expect((await call('GET /api/automations', { ...as(), query: { page: '2' } })).body).toEqual([]);
    const option = { id: created.body.id, name: 'welcome_1' };
    expect((await call('GET /api/automations-for-assets', as())).body).toContainEqual(option);
    expect((await call('GET /api/automations-for-templates', as())).body).toContainEqual(option);
  });

  it('keeps all that the form sends, and what a part of it does not name', async () => {
    const body = {
      name: 'all',
      active: false,
      every_x_days: 3650,
      delay_days: 7,
      stop_after_days: 0,
      metadata_trigger: 'ends',
      email_list_ids: [list, list],
      double_send_first: true,
      triple_send_second: true,
      audience: {
        all: [{ field: '@list', op: 'on', value: list }, { any: [{ field: 'ends', op: 'not_set' }] }],
      },
    };
    const { body: created } = await create(body);
    const { email_list_ids: _, ...fields } = body;
    expect(created).toMatchObject({ ...fields, email_lists: [{ id: list }] });
    const toggled = await put(created.id, { active: true });
    expect(toggled).toMatchObject({ status: 200, body: { ...created, active: true } });
    expect((await put(created.id, {})).body).toEqual(toggled.body);
    const changed = await put(created.id, {
      stop_after_days: null,
      metadata_trigger: '',
      color: 'red',
      created_at: '1999',
    });
    expect(changed.body).toEqual({
      ...toggled.body,
      stop_after_days: null,
      metadata_trigger: null,
      starts_at: 'added',
    });
    expect(await read(created.id)).toEqual(changed.body);
  });

  it('is neither created nor changed with what is not valid', async () => {
    const automation = await newAutomation(stack, owner, { name: 'right', lists: [list] });
    const before = (await call('GET /api/automations', as())).body;
    for (const [fields, errors] of INVALID) {
      const created = await create({ name: 'wrong', email_list_ids: [list], ...fields });
      expect(errorsOf(created), JSON.stringify(fields)).toEqual([422, errors]);
      const changed = await put(automation, fields);
      expect(errorsOf(changed), JSON.stringify(fields)).toEqual([422, errors]);
    }
    expect((await call('GET /api/automations', as())).body).toEqual(before);
  });

  it('does not get a triple send beside the double send that it has, or the other way round', async () => {
    const { body: double } = await create({ name: 'double', double_send_first: true });
    expect(errorsOf(await put(double.id, { triple_send_first: true }))).toEqual([
      422,
      { double_send_first: [BOTH] },
    ]);
    const { body: triple } = await create({ name: 'triple', triple_send_first: true });
    expect(errorsOf(await put(triple.id, { double_send_first: true }))).toEqual([
      422,
      { double_send_first: [BOTH] },
    ]);
    const swapped = await put(double.id, { triple_send_first: true, double_send_first: false });
    expect(swapped.body).toMatchObject({ triple_send_first: true, double_send_first: false });
    expect(await read(triple.id)).toEqual(triple);
  });

  it('is checked together with what is stored where a part of its schedule is changed', async () => {
    const fields = { repeat: 'yearly', delay_days: -3, metadata_trigger: 'ends', email_list_ids: [list] };
    const { body: yearly } = await create({ name: 'yearly', ...fields });
    expect(yearly).toMatchObject({ repeat: 'yearly', delay_days: -3 });
    const negative = [422, { delay_days: ['Value cannot be negative'] }];
    expect(errorsOf(await put(yearly.id, { repeat: 'once' }))).toEqual(negative);
    const { body: later } = await create({ name: 'later', delay_minutes: 90 });
    expect(errorsOf(await put(later.id, { delay_days: -3 }))).toEqual(negative);
    expect(errorsOf(await put(later.id, { send_at: '09:00' }))[1]).toHaveProperty('delay_minutes');
    expect(await read(later.id)).toEqual(later);
    expect((await put(later.id, { send_at: '09:00', delay_minutes: 0 })).status).toBe(200);
  });

  it('whose lists were all deleted is read, simulated, toggled, edited and deleted', async () => {
    const gone = await newList(stack, owner, { name: 'Gone' });
    await addMembers(stack, owner, gone, [{ email: 'ben@example.com', ends: '2020-01-05' }]);
    const automation = await newAutomation(stack, owner, { lists: [gone], metadata_trigger: 'ends' });
    await call('DELETE /api/email-lists/{list}', { ...as(), params: { list: gone } });
    const params = { automation };
    expect(await read(automation)).toMatchObject({ email_lists: [], metadata_trigger: 'ends' });
    const simulated = await call('GET /api/automations/{automation}/simulate', { ...as(), params });
    expect(simulated).toMatchObject({ status: 200, body: { total_count: 0, left_out: 0 } });
    expect(
      (await call('GET /api/automations/{automation}/forecast', { ...as(), params })).body.total_count,
    ).toBe(0);
    expect((await put(automation, { active: false })).body).toMatchObject({ active: false });
    const form = { name: 'again', active: true, metadata_trigger: 'ends', email_list_ids: [] };
    expect((await put(automation, form)).body).toMatchObject({
      name: 'again',
      active: true,
      email_lists: [],
    });
    const any = [list, '0'.repeat(12)].map(value => ({ field: '@list', op: 'on', value }));
    expect((await put(automation, { audience: { any } })).body).toMatchObject({
      errors: { audience: [expect.stringMatching(/^One of the email lists in the conditions/)] },
    });
    const moved = await put(automation, { email_list_ids: [list] });
    expect(moved.body.email_lists).toEqual([
      { id: list, name: 'Customers', domain: 'example.com', paused: 'no_key' },
    ]);
    expect((await call('DELETE /api/automations/{automation}', { ...as(), params })).status).toBe(204);
    expect((await call('GET /api/automations/{automation}', { ...as(), params })).status).toBe(404);
    expect((await put(automation, { active: true })).status).toBe(404);
  });
});

it('a simulation shows the emails of the next 24 hours, and the forecast their number in a month', async () => {
  const person = await newMember(stack);
  const own = { token: person.token, organization: person.home.id };
  const readers = await newList(stack, person, { name: 'Readers' });
  const paused = await newList(stack, person, { name: 'Paused' });
  await addMembers(stack, person, readers, [
    { email: 'ann@example.com', ends: '2020-01-05T09:30:00Z' },
    { email: 'ben@example.com', ends: 'soon' },
    { email: 'cleo@example.com', ends: '2020-01-05', is_subscribed: false },
  ]);
  await addMembers(stack, person, paused, [{ email: 'dan@example.com', ends: '2020-01-05' }]);
  const off = { ...own, params: { list: paused }, body: { active: false } };
  expect((await call('PUT /api/email-lists/{list}', off)).status).toBe(200);
  const automation = await newAutomation(stack, person, {
    name: 'trial_ends',
    lists: [readers, paused],
    metadata_trigger: 'ends',
  });
  const params = { automation };
  const { body } = await call('GET /api/automations/{automation}/simulate', { ...own, params });
  expect(body).toMatchObject({
    automation: 'trial_ends',
    total_count: 1,
    count: 1,
    limited: false,
    max_results: 100,
    counted_until: body.until,
    left_out: 1,
    inactive_lists: ['Paused'],
    will_send: 0,
    skipped: { no_key: 1 },
    sampled: null,
    sample_emails: [
      {
        email: 'ann@example.com',
        list_name: 'Readers',
        scheduled_time: expect.stringMatching(/T09:30:00\.000Z$/),
        trigger_column: 'ends',
        trigger_value: '2020-01-05T09:30:00Z',
      },
    ],
  });
  expect(Date.parse(body.until) - Date.parse(body.from)).toBe(24 * 60 * 60 * 1000);
  const forecast = () => call('GET /api/forecast', own);
  const alone = await call('GET /api/automations/{automation}/forecast', { ...own, params });
  expect(alone.body.days).toHaveLength(30);
  const numbers = ({ days, total_count }: { days: { skipped: number }[]; total_count: number }) => ({
    sent: total_count,
    skipped: days.reduce((sum, { skipped }) => sum + skipped, 0),
  });
  expect(alone.body).toMatchObject({ sampled: null, counted_share: 1 });
  const { skipped } = numbers(alone.body);
  expect([29, 30]).toContain(skipped);
  expect(numbers(alone.body).sent).toBe(0);
  await newTemplate(stack, person, { automation_ids: [automation] });
  const key = { mailgun_sending_key: 'key-1' };
  await call('PUT /api/email-lists/{list}/mailgun-key', { ...own, params: { list: readers }, body: key });
  expect(numbers((await forecast()).body)).toEqual({ sent: skipped, skipped: 0 });
  // As it is edited, it takes the place of what is stored, which would mail the same people in the same minutes.
  const draft = { name: 'draft', email_list_ids: [readers], metadata_trigger: 'ends' };
  const edited = await call('POST /api/automations/forecast', { ...own, query: { automation }, body: draft });
  expect(numbers(edited.body)).toEqual({ sent: skipped, skipped: 0 });
  await switchOff(stack, own);
});
