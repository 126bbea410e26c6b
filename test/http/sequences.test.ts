import { beforeAll, expect, it } from 'vitest';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: string;
beforeAll(async () => {
  owner = await newMember(stack);
  list = await newList(stack, owner, { name: 'Customers' });
});
const as = () => ({ token: owner.token, organization: owner.home.id });
const create = (body: object) => call('POST /api/sequences', { ...as(), body });
const put = (sequence: string, body: object) =>
  call('PUT /api/sequences/{sequence}', { ...as(), params: { sequence }, body });
const get = (sequence: string) => call('GET /api/sequences/{sequence}', { ...as(), params: { sequence } });
const all = async () => (await call('GET /api/sequences', as())).body;

it('a sequence is created with its defaults, answered like that, listed, changed and deleted', async () => {
  const created = await create({
    name: ' Onboarding für alle ',
    email_list_ids: [list],
    steps: [{}, { delay_days: 3 }],
  });
  const step = {
    automation_id: expect.stringMatching(/^[a-z0-9]{12}$/),
    delay_minutes: 0,
    active: true,
    email_eligibility: expect.objectContaining({ is_eligible: false }),
  };
  expect(created).toMatchObject({ status: 201 });
  expect(created.body).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{12}$/),
    name: 'Onboarding für alle',
    active: false,
    email_list_ids: [list],
    email_lists: [{ id: list, name: 'Customers', domain: 'example.com', paused: 'no_key' }],
    metadata_trigger: null,
    starts_at: 'added',
    audience: null,
    send_at: null,
    time_zone_of: 'organization',
    days_off: [],
    holdout_percent: 0,
    steps: [
      { ...step, name: 'Onboarding_f_r_alle_1', delay_days: 0 },
      { ...step, name: 'Onboarding_f_r_alle_2', delay_days: 3 },
    ],
    created_at: expect.any(String),
    revision: expect.any(String),
  });
  const { id, steps } = created.body;
  expect((await get(id)).body).toEqual(created.body);
  expect(await all()).toEqual([created.body]);
  expect((await call('GET /api/sequences', { ...as(), query: { page: '2' } })).body).toEqual([]);
  await newTemplate(stack, owner, { automation_ids: [steps[0].automation_id] });
  const changed = await put(id, { active: true, send_at: '09:00', created_at: '1999' });
  expect(changed).toMatchObject({ status: 200, body: { active: true, send_at: '09:00' } });
  expect(changed.body.steps[0].email_eligibility.is_eligible).toBe(true);
  const { body: automations } = await call('GET /api/automations', as());
  expect(automations).toMatchObject([
    { sequence_id: id, active: true },
    { sequence_id: id, active: true },
  ]);
  await addMembers(stack, owner, list, [{ email: 'ann@example.com' }, { email: 'ben@example.com' }]);
  const people = await call('GET /api/sequences/{sequence}/people', { ...as(), params: { sequence: id } });
  expect(people.body.steps).toEqual([
    { automation_id: steps[0].automation_id, people: 2 },
    { automation_id: steps[1].automation_id, people: 0 },
  ]);
  const params = { automation: steps[0].automation_id };
  const refused = await call('DELETE /api/automations/{automation}', { ...as(), params });
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'This is a step of the sequence “Onboarding für alle”: change it there.' },
  });
  expect((await call('DELETE /api/sequences/{sequence}', { ...as(), params: { sequence: id } })).status).toBe(
    204,
  );
  expect((await get(id)).status).toBe(404);
  expect((await call('GET /api/automations', as())).body).toEqual([]);
});

const INVALID: [object, object][] = [
  [{ active: true, steps: [] }, { steps: ['Add a step before you activate the sequence'] }],
  [
    { steps: [{ delay_days: 3 }, { delay_days: 2 }] },
    { steps: ['Step 2: It must go later than the step before it'] },
  ],
  [{ starts_at: 'event' }, { metadata_trigger: ['Enter the name of the event that starts it'] }],
  [
    { email_list_ids: ['0'.repeat(12)] },
    { email_list_ids: ['One of the email lists does not exist any more'] },
  ],
];

it('it is neither created nor changed with what is not valid', async () => {
  const { body: sequence } = await create({ name: 'Right', steps: [{}] });
  const before = await all();
  for (const [fields, errors] of INVALID) {
    const created = await create({ name: 'Wrong', ...fields });
    expect([created.status, created.body.errors], JSON.stringify(fields)).toEqual([422, errors]);
    const changed = await put(sequence.id, fields);
    expect([changed.status, changed.body.errors], JSON.stringify(fields)).toEqual([422, errors]);
  }
  expect(await all()).toEqual(before);
});
