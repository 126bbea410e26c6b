import { expect, it } from 'vitest';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const as = ({ token, home }: Person) => ({ token, organization: home.id });
const done = async (person: Person) => {
  const { body } = await call('GET /api/first-steps', as(person));
  return (body.steps as { step: string; is_done: boolean }[]).flatMap(one => (one.is_done ? [one.step] : []));
};

it('a list, members, content and an automation that was simulated, though not by a viewer, are ticked off as they come', async () => {
  const owner = await newMember(stack);
  expect(await done(owner)).toEqual([]);
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'ada@example.com' }]);
  const body = { name: 'welcome', email_list_ids: [list], active: false };
  const { body: automation } = await call('POST /api/automations', { ...as(owner), body });
  await newTemplate(stack, owner, { automation_ids: [automation.id] });
  await expect.poll(() => done(owner)).toEqual(['list', 'members', 'content', 'automation']);
  const viewer = await newMember(stack);
  await join(stack, owner, owner.home.id, viewer, 'VIEWER');
  const params = { automation: automation.id };
  const simulate = ({ token }: Person) =>
    call('GET /api/automations/{automation}/simulate', { ...as(owner), token, params });
  expect((await simulate(viewer)).status).toBe(200);
  expect(await done(owner)).not.toContain('simulation');
  await simulate(owner);
  expect(await done(owner)).toEqual(['list', 'members', 'content', 'automation', 'simulation']);
});

it('what is dismissed is dismissed in one organization; what is wrong changes nothing', async () => {
  const [owner, other] = [await newMember(stack), await newMember(stack)];
  const isShown = async (person: Person) =>
    (await call('GET /api/first-steps', as(person))).body.is_shown as boolean;
  const wrong = await call('PUT /api/first-steps', { ...as(owner), body: { dismissed: 'yes' } });
  expect([wrong.status, wrong.body.errors]).toEqual([
    422,
    { dismissed: ['dismissed must be true or false'] },
  ]);
  expect(await isShown(owner)).toBe(true);
  const foreign = { ...as(other), organization: owner.home.id };
  expect((await call('PUT /api/first-steps', { ...foreign, body: { dismissed: true } })).status).toBe(403);
  expect((await call('PUT /api/first-steps', { ...as(owner), body: { dismissed: true } })).status).toBe(204);
  expect([await isShown(owner), await isShown(other)]).toEqual([false, true]);
});

it('what needs attention, what is coming, and what happened are those of the caller’s organization', async () => {
  const [owner, other] = [await newMember(stack), await newMember(stack)];
  const { body: automation } = await call('POST /api/automations', {
    ...as(owner),
    body: { name: 'welcome' },
  });
  const { body } = await call('GET /api/attention', as(owner));
  expect(body.notices).toMatchObject([
    { kind: 'no_content', id: automation.id },
    { kind: 'no_list', id: automation.id },
  ]);
  expect((await call('GET /api/attention', as(other))).body.notices).toEqual([]);
  expect((await call('GET /api/upcoming', as(owner))).body).toMatchObject({
    next_24_hours: { count: 0, skipped: 0 },
    next_at: null,
    automations: [],
    counted_share: 1,
  });
  const { days, totals, previous, best } = (await call('GET /api/reporting/performance', as(owner))).body;
  expect([days.length, totals.sent, previous.sent, best]).toEqual([30, 0, 0, null]);
  const results = async (query: object) =>
    call('GET /api/reporting/automations', { ...as(owner), query } as never);
  expect((await results({ days: '30' })).body.automations).toMatchObject([
    { automation_id: automation.id, sent: 0 },
  ]);
  expect((await results({ days: '91' })).body.errors).toEqual({
    days: ['days must be a whole number from 1 to 90'],
  });
  const foreign = await call('GET /api/reporting/automations', { ...as(other), query: { days: '1' } });
  expect(foreign.body.automations).toEqual([]);
});
