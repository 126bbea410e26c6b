import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DryRun } from '#shared/dry-run.ts';
import { Cancelled, pendingConfirmation, type RouteWithDryRun } from '#web/lib/confirmation.ts';
import { confirmByDryRun } from '#web/lib/dry-run.ts';
import { formatMoment } from '#web/lib/format.ts';
import { resetAll } from '#web/lib/store.ts';
import { provideToaster } from '#web/lib/toasts.ts';
import { noEffect } from '../support/components/examples.ts';
import { browserGlobals } from './browser-globals.ts';

const NOW = Date.parse('2030-01-05T08:00:00Z');
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const shown: string[] = [];
provideToaster({
  show: message => void shown.push(message),
  showUndoable: () => undefined,
  dismissAbout: () => undefined,
});

beforeEach(() => {
  browserGlobals({ token: 'secret' });
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  resetAll();
  shown.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Input = { params?: Record<string, string>; body?: Record<string, unknown>; organization?: number };
const AUTOMATION = 'PUT /api/automations/{automation}';
const ACTIVATED: Input = { params: { automation: 'a1' }, body: { active: true } };

/** Has a call confirmed that would have this effect; `asked` are the dry runs. */
function confirming(answer: DryRun | Response, route: RouteWithDryRun = AUTOMATION, input = ACTIVATED) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    asked.push([`${method} ${url}`, JSON.parse(String(body))]);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  return { asked, confirmation: confirmByDryRun(route, input) };
}
const question = async () => {
  await expect.poll(() => pendingConfirmation.get()).toBeDefined();
  return pendingConfirmation.get();
};

const more = (people: number, emails = people) => ({ emails, people_more: people, people_fewer: 0 });
const today = (people: number, change: Partial<DryRun> = {}): DryRun => ({
  ...noEffect,
  next_24_hours: more(people),
  next_7_days: more(people),
  first_at: inMinutes(0),
  ...change,
});
const NOBODY = 'Nobody gets more emails within 24 hours.';

it.each<[string, DryRun, string[]]>([
  [
    'one person within minutes',
    today(1, { first_at: inMinutes(4) }),
    [
      '1 person gets an email within 24 hours who would not have, the first within 5 minutes.',
      'In the next 7 days, 1 person gets 1 more email.',
    ],
  ],
  [
    'several within the hour, and others fewer',
    today(1_200, {
      first_at: inMinutes(58),
      next_7_days: { emails: 2, people_more: 1_300, people_fewer: 1 },
    }),
    [
      '1,200 people get an email within 24 hours who would not have, the first within 59 minutes.',
      'In the next 7 days, 1,300 people get 2 more emails.',
      '1 person gets fewer emails in this time.',
    ],
  ],
  [
    'an hour later',
    today(2, { first_at: inMinutes(59) }),
    [
      `2 people get an email within 24 hours who would not have, the first on ${formatMoment(inMinutes(59))}.`,
      'In the next 7 days, 2 people get 2 more emails.',
    ],
  ],
  [
    'in the next days, estimated',
    {
      ...noEffect,
      next_7_days: { ...more(3), people_fewer: 2 },
      first_at: inMinutes(3_000),
      sampled: { people: 10, of: 1, margin: 1 },
      counted_share: 0.9,
    },
    [
      NOBODY,
      `In the next 7 days, 3 people get 3 more emails, the first on ${formatMoment(inMinutes(3_000))}.`,
      '2 people get fewer emails in this time.',
      'Estimated from 10 of 1 member: it may be 1 email more or less.',
      'There are too many members to look at all of them at once: it will be more.',
    ],
  ],
  [
    'today alone',
    today(2, { next_7_days: more(0), first_at: null }),
    ['2 people get an email within 24 hours who would not have.'],
  ],
])(
  'the question before emails are sent says to how many people, and when: %s',
  async (_, dryRun, sentences) => {
    const { confirmation } = confirming(dryRun);
    const pending = await question();
    expect(pending).toMatchObject({ title: 'Send emails?', sentences });
    expect(pending?.choices).toBeUndefined();
    pending?.answer(0);
    const { say, more } = await confirmation;
    say();
    expect([more, shown]).toEqual([undefined, []]);
  },
);

const ORGANIZATION = 'PUT /api/organizations/{organization}';
const there = { ...noEffect, existing: 1 };

it.each<[string, DryRun, RouteWithDryRun, Input['body'], string?]>([
  ['Activate and send', today(1), AUTOMATION, { active: true }],
  ['Save and send', today(1), AUTOMATION, { active: true, name: 'welcome' }],
  ['Save and send', today(1), AUTOMATION, { name: 'welcome' }],
  ['Save and send', today(1), 'POST /api/automations', {}],
  ['Activate', there, AUTOMATION, { active: true }, 'Activate and send'],
  ['Save', there, AUTOMATION, { name: 'welcome' }, 'Save and send'],
  ['Save and send', { ...today(1), existing: 1 }, AUTOMATION, { name: 'welcome' }, 'Save and send'],
  ['Resume and send 14 emails', today(1, { next_7_days: more(2, 14) }), ORGANIZATION, { active: true }],
])('what confirms says what it does: %s', async (confirm, dryRun, route, body, confirmOther) => {
  confirming(dryRun, route, { params: { automation: 'a1', organization: '1' }, body: body ?? {} });
  const pending = await question();
  expect([pending?.confirm, pending?.confirmOther]).toEqual([confirm, confirmOther]);
});

it.each<[string, Partial<DryRun>]>([
  ['1 person', { existing: 1 }],
  ['about 1,234 people', { existing: 1_234, sampled: { people: 1, of: 2, margin: 3 } }],
])('who is there already is left out, or included by a choice: %s', async (who, dryRun) => {
  const { confirmation } = confirming({ ...noEffect, ...dryRun });
  const pending = await question();
  expect(pending?.sentences[0]).toBe(
    'Of what becomes due from now on, nobody gets more emails within 24 hours.',
  );
  expect(pending?.choices).toEqual([
    'Only those whose email becomes due from now on',
    `Also ${who} whose first email would have been due already`,
  ]);
  pending?.answer(1);
  expect((await confirmation).more).toEqual({ body: { active: true, include_existing: true } });
});

it('who does not confirm changes nothing', async () => {
  const { confirmation } = confirming(today(1));
  (await question())?.answer(false);
  await expect(confirmation).rejects.toBeInstanceOf(Cancelled);
});

it.each([500, 429])(
  'where a dry run fails with %i, the question says that nothing is known',
  async status => {
    const { confirmation } = confirming(Response.json({ message: 'No' }, { status }));
    const pending = await question();
    expect(pending).toMatchObject({
      sentences: ['What this would send could not be found out.'],
      confirm: 'Save all the same',
    });
    pending?.answer(0);
    expect((await confirmation).more).toBeUndefined();
  },
);

it.each([403, 404, 409, 413, 422])(
  'where a dry run is refused with %i, nothing is asked: the call itself says so',
  async status => {
    const { confirmation } = confirming(Response.json({ message: 'No' }, { status }));
    const { say, more } = await confirmation;
    say();
    expect([more, shown, pendingConfirmation.get()]).toEqual([undefined, [], undefined]);
  },
);

it.each([
  [1, ['1 person gets fewer emails in the next 7 days.']],
  [12, ['12 people get fewer emails in the next 7 days.']],
  [0, []],
])('%i people who get fewer emails are told of after the call', async (people, said) => {
  const { confirmation } = confirming({
    ...noEffect,
    next_7_days: { emails: 0, people_more: 0, people_fewer: people },
  });
  const { say } = await confirmation;
  expect(shown).toEqual([]);
  say();
  await expect.poll(() => shown).toEqual(said);
});

const CONTENT = 'POST /api/content-links/dry-run';
const linked = { is_active: true, automation_ids: ['a1'] };

it.each<[RouteWithDryRun, Input, unknown]>([
  [AUTOMATION, ACTIVATED, ['PUT /api/automations/a1/dry-run', { active: true }]],
  [
    ORGANIZATION,
    { params: { organization: '1' }, body: { active: true } },
    ['PUT /api/organizations/1/dry-run', { active: true }],
  ],
  [ORGANIZATION, { params: { organization: '1' }, body: { active: false } }, undefined],
  [ORGANIZATION, { params: { organization: '1' }, body: { name: 'Depot' } }, undefined],
  [
    'POST /api/email-templates',
    { body: { ...linked, name: 'x' } },
    [CONTENT, { kind: 'template', ...linked }],
  ],
  [
    'POST /api/email-assets',
    { body: { ...linked, type: 'cta_url' } },
    [CONTENT, { kind: 'cta_url', ...linked }],
  ],
  [
    'POST /api/email-asset-sets',
    { body: { ...linked, subject_line: 'x', cta_url: '', cta_text: 'y' } },
    [CONTENT, { kinds: ['subject_line', 'cta_text'], ...linked }],
  ],
  [
    'PUT /api/email-templates/{emailTemplate}',
    { params: { emailTemplate: 't1' }, body: { is_active: true, name: 'x' } },
    [CONTENT, { id: 't1', is_active: true }],
  ],
  [
    'PUT /api/email-templates/{emailTemplate}/automations',
    { params: { emailTemplate: 't1' }, body: { automation_ids: [] } },
    [CONTENT, { id: 't1', automation_ids: [] }],
  ],
  ['PUT /api/email-assets/{emailAsset}', { params: { emailAsset: 'e1' }, body: { name: 'x' } }, undefined],
])('before %s with %j, the effect of what starts sending is asked for', async (route, input, dryRun) => {
  const { asked, confirmation } = confirming(noEffect, route, input);
  await confirmation;
  expect(asked).toEqual(dryRun ? [dryRun] : []);
});
