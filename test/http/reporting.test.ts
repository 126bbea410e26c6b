import { beforeAll, describe, expect, it } from 'vitest';
import * as rollup from '#core/sending/rollup.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import type { RouteKey } from '#shared/routes.ts';
import { newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { needsOf } from '../support/items.ts';
import { programFor } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let apiToken: string;
let template: string;
let day: string;

beforeAll(async () => {
  owner = await newMember(stack);
  ({ apiToken } = await programFor(stack, owner, 'none'));
  template = await newTemplate(stack, owner, { name: 'Anna' });
  const { body } = await stack.fetchJson('GET', '/_local/clock');
  day = body.now.slice(0, 10);
});

let orders = 0;
const newOrder = () => `order-${++orders}`;
const post = (fields: object = {}, headers: Record<string, string> = {}) =>
  call('POST /api/v1/value', {
    token: apiToken,
    organization: owner.home.id,
    body: { emailTemplateCombinationId: template, eventId: newOrder(), value: 12.5, ...fields },
    headers,
  });
const drain = () => stack.fetchJson('POST', '/_local/drain');

const report = (query: Record<string, string> = {}, { token, home }: Person = owner) =>
  call('GET /api/reporting/combinations', {
    token,
    organization: home.id,
    query: { start_date: day, end_date: day, ...query },
  });
const detail = (combination: string, query: Record<string, string> = {}, { token, home }: Person = owner) =>
  call('GET /api/reporting/combinations/{combination}', {
    token,
    organization: home.id,
    params: { combination },
    query: { start_date: day, end_date: day, ...query },
  });
const countedValue = async (of = template) => {
  await drain();
  return (await detail(of)).body.value;
};

describe('a value that a program posts', () => {
  it('is in the report within seconds, beside what was sent', async () => {
    const of = await newTemplate(stack, owner, { name: 'Bea' });
    const answer = await post({ emailTemplateCombinationId: of, value: 19.99 });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        emailTemplateCombinationId: of,
        eventId: `order-${orders}`,
        value: 19.99,
        posted_at: expect.stringContaining(day),
        is_repeated: false,
      },
    ]);
    await drain();
    const { status, body } = await report({ sort_by: 'value' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      start_date: day,
      end_date: day,
      sort: { by: 'value', direction: 'desc' },
      left_out: 0,
      texts_cut_at: null,
      counted_until: null,
    });
    expect(body.combinations.find(({ id }: { id: string }) => id === of)).toMatchObject({
      combination: 'Bea',
      type: 'template',
      template_id: of,
      is_active: true,
      can_edit: true,
      sent: 0,
      open_rate: '0.00%',
      value: 19.99,
      value_per_send: 0,
      value_per_click: 0,
    });
  });

  it('changes nothing where it is refused', async () => {
    const before = await countedValue();
    const refused: [object, number][] = [
      [{ emailTemplateCombinationId: '0'.repeat(12) }, 404],
      [{ value: -1 }, 422],
      [{ value: '1' }, 422],
      [{ value: 1_000_000_001 }, 422],
      [{ value: 0.123456 }, 422],
      [{ eventId: '' }, 422],
      [{ eventId: 'x'.repeat(201) }, 422],
      [{ eventId: 'a\u0007b' }, 422],
    ];
    for (const [fields, status] of refused)
      expect([fields, (await post(fields)).status]).toEqual([fields, status]);
    const other = await newMember(stack);
    const foreign = await newTemplate(stack, other);
    expect((await post({ emailTemplateCombinationId: foreign })).status).toBe(404);
    expect(await countedValue()).toBe(before);
  });
});

describe('a call with an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  it('is refused where the key is not plain', async () => {
    const bad = await post({}, key('two words'));
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['Idempotency-Key']]);
  });

  it('may be repeated after it was refused', async () => {
    expect((await post({ emailTemplateCombinationId: '0'.repeat(12) }, key('refused'))).status).toBe(404);
    expect((await post({}, key('refused'))).status).toBe(200);
  });
});

describe('reports', () => {
  it('are for all roles; who may not edit a template is told so, and refused', async () => {
    await post();
    await drain();
    const user = await newMember(stack);
    await join(stack, owner, owner.home.id, user, 'USER');
    const as = { token: user.token, organization: owner.home.id };
    const query = { start_date: day, end_date: day };
    const { status, body } = await call('GET /api/reporting/combinations', { ...as, query });
    expect([status, body.combinations.some(({ can_edit }: { can_edit: boolean }) => can_edit)]).toEqual([
      200,
      false,
    ]);
    const pause: RouteKey = 'PUT /api/email-templates/{emailTemplate}';
    const params = { emailTemplate: template };
    expect((await call(pause, { ...as, params, body: { is_active: false } })).status).toBe(403);
  });
});

describe('comparisons', () => {
  const compare = ({ token, home }: Pick<Person, 'token' | 'home'>) =>
    call('GET /api/reporting/comparisons', { token, organization: home.id });

  it('are of what each automation has sent so far, for all roles', async () => {
    const sender = await newMember(stack);
    const automation = 'abcdefghijkl';
    const [one, other] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const;
    const { table } = await needsOf(stack);
    const PK = `ORG#${sender.home.id}`;
    await batchWrite(table, {
      puts: [
        { PK, SK: `AUTO#${automation}`, id: automation, organization_id: sender.home.id, name: 'Welcome' },
      ],
    });
    const counts: [string, rollup.Counts][] = [
      [one, { sent: 60, clicked: 30 }],
      [other, { sent: 60 }],
    ];
    const counters = counts.map(([combination, some]) =>
      rollup.rollupCounter(sender.home.id, day, { combination, automation }, some),
    );
    await batchWrite(table, { puts: counters.map(({ key, add }) => ({ ...key, ...add })) });
    const user = await newMember(stack);
    await join(stack, sender, sender.home.id, user, 'USER');
    const { status, body } = await compare({ token: user.token, home: sender.home });
    expect([status, body.since, body.not_compared]).toEqual([200, day, []]);
    expect(body.automations).toMatchObject([
      {
        automation_id: automation,
        automation: 'Welcome',
        parts: [],
        combinations: {
          result: 'not_enough_data',
          rows: [
            { id: one, sent: 60, clicked: 30 },
            { id: other, sent: 60, clicked: 0 },
          ],
        },
      },
    ]);
    expect((await compare(await newMember(stack))).body.automations).toEqual([]);
  });
});
