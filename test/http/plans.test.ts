import { afterEach, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { DesiredState, type Plan } from '#shared/plan.ts';
import { newAsset, template } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { newList } from '../support/list.ts';
import { newMailing } from '../support/mailing.ts';
import { newMember } from '../support/member.ts';
import { join, switchOff } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

const sending: { token: string; organization: number }[] = [];
afterEach(async () => {
  for (const as of sending.splice(0)) await switchOff(stack, as);
});

type As = { token: string; organization: number };

async function newScene() {
  const mailing = await newMailing(stack);
  sending.push(mailing.as);
  const now = Date.parse((await stack.fetchJson('GET', '/_local/clock')).body.now);
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  for (const [name, hours] of [
    ['ann', 2],
    ['ben', 30],
    ['dan', 60],
  ] as const) {
    await mailing.add(`${name}@example.com`, { due: at(hours) });
  }
  const plan = async (body: object, as: As = mailing.as) => call('POST /api/plans', { ...as, body } as never);
  const apply = async (hash: string, body: object = {}, as: As = mailing.as) =>
    call('POST /api/plans/{hash}/apply', { ...as, params: { hash }, body } as never);
  const automation = async () =>
    (
      await call('GET /api/automations/{automation}', {
        ...mailing.as,
        params: { automation: mailing.automation },
      })
    ).body;
  return { ...mailing, plan, apply, shown: automation, at };
}

it('a changed delay is planned with the emails of each day, applied once, and answered alike when repeated', async () => {
  const { as, automation, plan, apply, shown } = await newScene();
  const { status, body } = await plan({
    automations: [{ id: automation, delay_days: 1, stop_after_days: 30 }],
  });
  const made = body as Plan;
  expect(status).toBe(201);
  expect(made.changes).toEqual([
    {
      kind: 'automation',
      id: automation,
      name: (await shown()).name,
      action: 'change',
      before: { delay_days: 0, stop_after_days: 0 },
      after: { delay_days: 1, stop_after_days: 30 },
    },
  ]);
  expect(made.scopes).toEqual(['automations']);
  expect(made.applied_at).toBeNull();
  expect(made.effect.days.reduce((sum, { more }) => sum + more, 0)).toBe(3);
  expect(made.effect.days.reduce((sum, { fewer }) => sum + fewer, 0)).toBe(3);
  expect(made.effect.newly_reached).toEqual({ count: 0, margin: 0, samples: [] });
  expect((await shown()).delay_days).toBe(0);
  const found = await call('GET /api/plans/{hash}', { ...as, params: { hash: made.hash } });
  expect(found.body).toEqual(made);

  const first = await apply(made.hash);
  expect(first.status, first.text).toBe(200);
  expect((await shown()).delay_days).toBe(1);
  const again = await apply(made.hash);
  expect(again.body).toEqual(first.body);
});

const { automation_ids: _, ...TEXT } = template();

it('a new automation with new content says whom it reaches, and the sample is named as long as the person is there', async () => {
  const { as, plan, at, list, apply, add } = await newScene();
  const ann = await add('new@example.com', { other: at(7), due: at(5) });
  const { body } = await plan({
    automations: [
      {
        name: 'again',
        email_lists: ['Readers 0'],
        metadata_trigger: 'other',
        stop_after_days: 0,
        every_x_days: 9,
      },
    ],
    templates: [{ ...TEXT, name: 'Again', automations: ['again'] }],
  });
  const made = body as Plan;
  expect(made.effect.newly_reached).toEqual({
    count: 1,
    margin: 0,
    samples: [{ list_member_id: ann, email: 'new@example.com' }],
  });
  expect(made.effect.obstacles).toEqual([]);
  expect(made.scopes).toEqual(['content', 'automations', 'sending']);
  const limited = await apply(made.hash, { max_people: 0 });
  expect(limited).toMatchObject({
    status: 422,
    body: { errors: { max_people: ['This plan newly reaches 1 people, and max_people is 0'] } },
  });
  expect(await automationNames(as)).not.toContain('again');
  // Whatever a call says, a token that has a limit keeps it.
  const { body: limitedToken } = await call('POST /api/tokens', {
    ...as,
    body: { name: 'limited', scopes: ['read', 'content', 'automations', 'sending'], max_people: 0 },
  });
  const program = { token: limitedToken.token };
  expect((await call('GET /api/v1/me', program)).body.limits.max_people).toBe(0);
  for (const body of [{}, { max_people: 5 }]) {
    const refused = await call('POST /api/v1/plans/{hash}/apply', {
      ...program,
      params: { hash: made.hash },
      body,
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { max_people: [expect.stringContaining('is 0')] } },
    });
  }
  expect((await apply(made.hash, { max_people: 1 })).status).toBe(200);
  // Once it is applied, the answer is that of the first time.
  expect((await apply(made.hash, { max_people: 0 })).status).toBe(200);
  await call('DELETE /api/list-members/{listMember}', { ...as, params: { listMember: ann } });
  const { body: later } = await call('GET /api/plans/{hash}', { ...as, params: { hash: made.hash } });
  expect(later.effect.newly_reached).toMatchObject({ count: 1, samples: [] });
  expect(list).toBeDefined();
});

it('the fields that other calls answer are no change', async () => {
  const { as, plan, shown, owner, list } = await newScene();
  const steps = [{ name: 'one' }, { name: 'two', delay_days: 3 }];
  const body = { name: 'Course', email_list_ids: [list], steps };
  await call('POST /api/sequences', { ...as, body } as never);
  await newAsset(stack, owner, { name: 'Subject', value: 'Hi' });
  const pages = await Promise.all([
    call('GET /api/sequences', { ...as, query: { page: '1' } }),
    call('GET /api/email-templates', { ...as, query: {} }),
    call('GET /api/email-assets', { ...as, query: {} }),
    call('GET /api/safeguards', as),
    call('GET /api/sending-hours', as),
  ]);
  const [sequences, templates, assets, safeguards, sending_hours] = pages.map(({ body }) => body);
  const of = (schema: z.ZodMiniType, rows: Record<string, unknown>[]) =>
    rows.map(({ email_lists, automations, ...row }) => {
      const own = fieldsOf(schema).flatMap(field => (row[field] === undefined ? [] : [[field, row[field]]]));
      const names = (all: unknown) => (all as { name: string }[]).map(({ name }) => name);
      return {
        ...Object.fromEntries(own),
        ...(email_lists !== undefined && { email_lists: names(email_lists) }),
        ...(automations !== undefined && { automations: names(automations) }),
      };
    });
  const { shape } = DesiredState;
  const desired = {
    automations: of(shape.automations, [await shown()]),
    sequences: of(shape.sequences, sequences).map(one => ({
      ...one,
      steps: (one as { steps: { automation_id: string }[] }).steps.map(({ automation_id }) => ({
        automation_id,
      })),
    })),
    templates: of(shape.templates, templates),
    assets: of(shape.assets, assets.data),
    safeguards,
    sending_hours,
  };
  expect(Object.keys(desired.automations[0] ?? {}).length).toBeGreaterThan(15);
  const { status, body: made } = await plan(desired);
  expect([status, made.changes], JSON.stringify(made)).toEqual([201, []]);
});

type Def = { innerType: Schema; element: Schema; shape: object };
type Schema = { _zod: { def: Def } };
/** Of the entries of an optional list. */
const fieldsOf = (schema: z.ZodMiniType) =>
  Object.keys((schema as unknown as Schema)._zod.def.innerType._zod.def.element._zod.def.shape);

const automationNames = async (as: As) =>
  (await call('GET /api/automations', { ...as, query: { page: '1' } })).body.map(
    ({ name }: { name: string }) => name,
  );

it('what is off or has no content is an obstacle, and what a limit skips is counted', async () => {
  const { as, plan, automation, at, add } = await newScene();
  const twin = { email_lists: ['Readers 0'], metadata_trigger: 'due', stop_after_days: 0, every_x_days: 9 };
  await add('twice@example.com', { due: at(4) });
  const { body: lonely } = await plan({ automations: [{ name: 'lonely', ...twin }] });
  expect(lonely.effect.obstacles).toMatchObject([
    { automation: 'lonely', reason: 'no_content', text: 'The automation has no active content' },
  ]);
  expect(lonely.effect.newly_reached.count).toBe(0);
  const { body: capped } = await plan({
    automations: [{ name: 'twin', ...twin }],
    templates: [{ ...TEXT, name: 'Twin', automations: ['twin'] }],
  });
  expect(capped.effect.binding_caps).toEqual([
    { cap: 'max_emails_5_minutes', emails_now: 0, emails: expect.any(Number) },
  ]);
  expect(capped.effect.binding_caps[0].emails).toBeGreaterThan(0);
  await call('PUT /api/email-lists/{list}', {
    ...as,
    params: {
      list: (await call('GET /api/automations/{automation}', { ...as, params: { automation } })).body
        .email_lists[0].id,
    },
    body: { active: false },
  } as never);
  const { body: off } = await plan({ automations: [{ id: automation, delay_days: 2, stop_after_days: 9 }] });
  expect(off.effect.obstacles).toMatchObject([{ reason: 'list_off', emails: 0 }]);
});

describe('what is desired is refused, and nothing is stored,', () => {
  const faults = async (body: object) => {
    const scene = await newScene();
    const { status, body: answer } = await scene.plan(typeof body === 'function' ? body(scene) : body);
    return { status, errors: Object.keys(answer.errors ?? {}), message: String(answer.message), answer };
  };

  it.each<[string, object, string[]]>([
    ['an unknown key', { automation: [] }, ['automation']],
    [
      'a key that an entry does not have',
      { automations: [{ name: 'a', delay: 3 }] },
      ['automations.0.delay'],
    ],
    [
      'a key that a step does not have',
      { sequences: [{ name: 'a', steps: [{ name: 'b', x: 1 }] }] },
      ['sequences.0.steps.0.x'],
    ],
    [
      'a key of the call that begins with existing people',
      { automations: [{ name: 'a', include_existing: true }] },
      ['automations.0.include_existing'],
    ],
    ['a key of limits', { safeguards: { max_emails_2_hours: 1 } }, ['safeguards.max_emails_2_hours']],
    ['no list', { automations: {} }, ['automations']],
    ['a wrong value', { automations: [{}, { name: 'a', delay_days: 'x' }] }, ['automations.1.delay_days']],
    ['no name', { automations: [{}] }, ['automations.0.name']],
    ['a name twice', { automations: [{ name: 'a' }, { name: 'a' }] }, ['automations.1']],
    [
      'an unknown list',
      { automations: [{ name: 'a', email_lists: ['Nobody'] }] },
      ['automations.0.email_lists.0'],
    ],
    [
      'an unknown automation',
      { templates: [{ ...TEXT, automations: ['nothing'] }] },
      ['templates.0.automations.0'],
    ],
    ['an unknown id', { sequences: [{ id: '000000000000', active: false }] }, ['sequences.0.id']],
    ['what is not there to be deleted', { delete: { assets: ['none'] } }, ['delete.assets.0']],
    [
      'incomplete content',
      { templates: [{ name: 'New', subject_line: 'Hi' }] },
      ['templates.0.pre_cta_content', 'templates.0.cta_text', 'templates.0.cta_url'],
    ],
    [
      'content with a fault',
      { assets: [{ name: 'a', type: 'footer', value: 'no link' }] },
      ['assets.0.value'],
    ],
    ['an asset without a type', { assets: [{ name: 'a', value: 'b' }] }, ['assets.0.type']],
    [
      'the same content twice',
      {
        assets: [
          { name: 'a', type: 'cta_text', value: 'b' },
          { name: 'c', type: 'cta_text', value: 'b' },
        ],
      },
      ['assets.1.value'],
    ],
    ['a step without a name', { sequences: [{ name: 'a', steps: [{}] }] }, ['sequences.0.steps.0.name']],
    [
      'steps in a wrong order',
      { sequences: [{ name: 'a', active: true, steps: [{ name: 'b', delay_days: 2 }, { name: 'c' }] }] },
      ['sequences.0.steps'],
    ],
    [
      'a schedule that does not go together',
      { automations: [{ name: 'a', time_zone_of: 'member' }] },
      ['automations.0.time_zone_of'],
    ],
    [
      'several faults, all of them',
      {
        automations: [
          { name: 'a', email_lists: ['x'] },
          { name: 'b', email_lists: ['y'] },
        ],
      },
      ['automations.0.email_lists.0', 'automations.1.email_lists.0'],
    ],
  ])('%s', async (_, body, fields) => {
    const { status, errors, message } = await faults(body);
    expect([status, errors], message).toEqual([422, fields]);
  });

  it('two with the name, with both ids', async () => {
    const { owner, plan, as } = await newScene();
    const ids = [
      await newList(stack, owner, { name: 'Twins' }),
      await newList(stack, owner, { name: 'Twins' }),
    ];
    const { body } = await plan({ automations: [{ name: 'a', email_lists: ['Twins'] }] });
    for (const id of ids) expect(body.errors['automations.0.email_lists.0'][0]).toContain(id);
    const create = () => call('POST /api/automations', { ...as, body: { name: 'double' } });
    const twins = [(await create()).body.id, (await create()).body.id];
    const { body: again } = await plan({ automations: [{ name: 'double', active: false }] });
    for (const id of twins) expect(again.errors['automations.0.name'][0]).toContain(id);
    expect((await plan({ automations: [{ id: twins[0], active: false }] })).status).toBe(201);
  });

  it('the ids of another organization', async () => {
    const [mine, theirs] = [await newScene(), await newScene()];
    const desired = {
      automations: [
        { id: theirs.automation, delay_days: 1 },
        { name: 'a', email_lists: [theirs.list] },
      ],
      templates: [{ ...TEXT, name: 'T', automations: [theirs.automation] }],
      delete: { automations: [theirs.automation] },
    };
    const { status, body } = await mine.plan(desired);
    expect([status, Object.keys(body.errors)]).toEqual([
      422,
      [
        'automations.0.id',
        'automations.1.email_lists.0',
        'delete.automations.0',
        'templates.0.automations.0',
      ],
    ]);
  });
});

describe('a plan of another', () => {
  it('organization is not found, and not applied', async () => {
    const [mine, theirs] = [await newScene(), await newScene()];
    const { body } = await theirs.plan({ automations: [{ id: theirs.automation, delay_days: 1 }] });
    const params = { hash: body.hash };
    expect((await call('GET /api/plans/{hash}', { ...mine.as, params })).status).toBe(404);
    expect((await mine.apply(body.hash)).status).toBe(404);
    expect((await theirs.shown()).delay_days).toBe(0);
    for (const hash of ['x', `${body.hash}0`, body.hash.toUpperCase()])
      expect((await mine.apply(hash)).status).toBe(404);
  });

  it('member is applied by the rights of the one who applies it, now', async () => {
    const { owner, as, plan, apply, shown, automation } = await newScene();
    const [admin, user] = [await newMember(stack), await newMember(stack)];
    await join(stack, owner, as.organization, admin, 'ADMIN');
    await join(stack, owner, as.organization, user);
    const of = ({ token }: { token: string }) => ({ token, organization: as.organization });
    const limits = { safeguards: { max_emails_1_hour: 5 } };
    for (const desired of [
      limits,
      { sending_hours: { time_zone: 'Asia/Tokyo' } },
      { holdout: { percent: 10 } },
    ])
      expect((await plan(desired, of(user))).status).toBe(403);
    const { body: made } = await plan(limits, of(admin));
    expect((await apply(made.hash, {}, of(user))).status).toBe(403);
    const become = (role: string) =>
      call('PUT /api/organizations/{organization}/members/{member}', {
        ...as,
        params: { organization: String(as.organization), member: admin.id },
        body: { role },
      } as never);
    await become('USER');
    expect((await apply(made.hash, {}, of(admin))).status).toBe(403);
    // What the guard pauses at is the owner's; the same value may be there.
    await become('ADMIN');
    const guard = { complained: 0.05, bounced: 5 };
    const { body: present } = await call('GET /api/safeguards', as);
    const same = { ...limits.safeguards, pause_at_percent: present.pause_at_percent };
    expect((await plan({ safeguards: same }, of(admin))).status).toBe(201);
    expect((await plan({ safeguards: { pause_at_percent: guard } }, of(admin))).status).toBe(403);
    expect((await plan({ safeguards: { pause_at_percent: guard } })).status).toBe(201);
    const { body: delay } = await plan({ automations: [{ id: automation, delay_days: 1 }] }, of(user));
    await call('DELETE /api/organizations/{organization}/members/{member}', {
      ...as,
      params: { organization: String(as.organization), member: user.id },
    });
    expect((await apply(delay.hash, {}, of(user))).status).toBe(403);
    expect((await shown()).delay_days).toBe(0);
    expect((await call('GET /api/safeguards', as)).body.max_emails_1_hour).not.toBe(5);
  });
});

it('a template of somebody else is changed by its owner and admins alone', async () => {
  const { owner, as, plan } = await newScene();
  const user = await newMember(stack);
  await join(stack, owner, as.organization, user);
  const by = { token: user.token, organization: as.organization };
  const desired = (more: object) => ({ templates: [{ name: 'Welcome', ...more }] });
  expect((await plan(desired({ cta_text: 'Other' }), by)).status).toBe(403);
  expect((await plan({ delete: { templates: ['Welcome'] } }, by)).status).toBe(403);
  const { body } = await plan(desired({ is_active: true }), by);
  expect(body.changes).toEqual([]);
  expect((await plan(desired({ cta_text: 'Other' }))).status).toBe(201);
});

it('a token needs the scopes of what a plan changes, to make it and to apply it', async () => {
  const { as, automation } = await newScene();
  let tokens = 0;
  const tokenWith = async (...scopes: string[]) =>
    (
      await call('POST /api/tokens', {
        ...as,
        body: { name: `plans_${++tokens}`, expiration: null, scopes },
      } as never)
    ).body.token as string;
  const post = async (scopes: string[], body: object) => {
    const token = await tokenWith(...scopes);
    return call('POST /api/v1/plans', { token, organization: as.organization, body } as never);
  };
  const delay = { automations: [{ id: automation, delay_days: 1 }] };
  const off = { automations: [{ id: automation, active: false }] };
  expect((await post(['automations'], delay)).status).toBe(403);
  expect((await post(['read'], delay)).body.message).toContain('lacks the scope automations');
  expect((await post(['read', 'automations'], off)).body.message).toContain('lacks the scope sending');
  expect(
    (await post(['read', 'automations'], { automations: [{ id: automation, active: true }] })).status,
  ).toBe(201);
  expect((await post(['read', 'automations'], { automations: [{ name: 'on' }] })).status).toBe(403);
  expect(
    (await post(['read', 'automations'], { automations: [{ name: 'off', active: false }] })).status,
  ).toBe(201);
  expect((await post(['read', 'automations', 'sending'], off)).status).toBe(201);
  const { body } = await post(['read', 'automations'], delay);
  const apply = async (...scopes: string[]) =>
    call('POST /api/v1/plans/{hash}/apply', {
      token: await tokenWith(...scopes),
      organization: as.organization,
      params: { hash: body.hash },
      body: {},
    } as never);
  expect((await apply('read', 'content')).status).toBe(403);
  expect((await apply('read', 'automations')).status).toBe(200);
});

it('a plan that is too large to be kept is refused in words', async () => {
  const { plan } = await newScene();
  const noise = () =>
    Array.from({ length: 9_000 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
    ).join('');
  const templates = Array.from({ length: 20 }, (_, nth) => ({
    ...TEXT,
    name: `T${nth}`,
    pre_cta_content: noise(),
  }));
  const { status, body } = await plan({ templates });
  expect([status, body.message]).toEqual([422, expect.stringContaining('too large')]);
});
