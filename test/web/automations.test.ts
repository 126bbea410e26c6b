import { describe, expect, it } from 'vitest';
import type { Automation, LIST_PAUSES } from '#shared/automation.ts';
import { INITIAL_SAFEGUARDS } from '#shared/safeguards.ts';
import { ANY_TIME } from '#shared/schedule.ts';
import { AUTOMATION, statusFailure } from '#web/entities/automation/automation.tsx';
import { guardObstacles } from '#web/entities/automation/guard-texts.ts';
import { obstaclesOf, pausedBy } from '#web/entities/automation/obstacles.ts';
import { sequenceObstacles } from '#web/entities/automation/sequence.tsx';
import { automationRows, rowKey, shownRows, withSteps } from '#web/features/automation/automation-rows.ts';
import {
  eligibilityText,
  emptinessOf,
  listLines,
  listsText,
  namesText,
} from '#web/features/automation/automation-texts.ts';
import {
  listOfDaysOff,
  multipleSends,
  scheduleTexts,
  sendTimesText,
  shortSchedule,
} from '#web/features/automation/schedule-texts.ts';
import {
  cautionsOf,
  insteadText,
  nothingText,
  outcomeText,
  triggerText,
  waitsText,
} from '#web/features/automation/simulation-texts.ts';
import { Problem } from '#web/lib/problem.ts';
import { accuracyOf } from '#web/lib/sampled.ts';
import { automation as example, simulation } from '../support/components/examples.ts';
import { onboarding } from '../support/components/sequences.ts';

const COMPLETE = {
  is_eligible: true,
  subject_line: true,
  pre_cta_content: true,
  cta_text: true,
  cta_url: true,
  footer: true,
};

const automation = (fields: Partial<Automation> = {}): Automation => ({
  ...example,
  metadata_trigger: 'signed_up_at',
  email_lists: [{ id: 'l1', name: 'Customers', domain: 'example.com' }],
  email_eligibility: COMPLETE,
  ...fields,
});

describe('the texts of an automation', () => {
  it.each([
    [{}, 'Starts immediately', 'Runs every 1 day', 'No stop date defined, sends indefinitely'],
    [
      { delay_days: 1, every_x_days: 7, stop_after_days: 30 },
      'Starts after 1 day',
      'Runs every 7 days',
      'Stops sending after 30 days',
    ],
    [
      { delay_days: 14, stop_after_days: 1 },
      'Starts after 14 days',
      'Runs every 1 day',
      'Stops sending after 1 day',
    ],
    [{ stop_after_days: 0 }, 'Starts immediately', 'Runs every 1 day', 'Stops sending after 0 days'],
  ])('say when %o sends', (fields, starts, runs, stops) => {
    expect(scheduleTexts(automation(fields))).toEqual([starts, runs, stops]);
  });

  it('say since when an email waits, with the day where it waits for more than one', () => {
    const until = '2026-03-02T06:00:00.000Z';
    expect(waitsText('2026-03-01T22:30:00.000Z', until)).toBe('waits since 22:30 for the end of quiet hours');
    expect(waitsText('2026-02-28T22:30:00.000Z', until)).toBe(
      'waits since Feb 28, 2026, 22:30 for the end of quiet hours',
    );
  });

  it.each([
    [{}, 'An email every day'],
    [
      { send_at: '09:00', stop_after_days: 90, dates_off: ['2030-12-24'] },
      'At most 91 emails, every day at 09:00',
    ],
    [{ repeat: 'once', delay_days: 3, stop_after_days: 1 }, '1 email, 3 days after signed_up_at'],
    [
      { repeat: 'yearly', delay_days: -3, send_at: '09:00' },
      'An email each year, 3 days before signed_up_at at 09:00',
    ],
    [{ delay_days: 2, stop_after_days: 1 }, 'Never'],
  ] as [Partial<Automation>, string][])('say in the words of the form when %o sends', (fields, text) => {
    const of = automation(fields);
    expect(shortSchedule(of, of.metadata_trigger)).toBe(text);
    if (fields.repeat) expect(scheduleTexts(of)).toEqual([]);
  });

  it('name the occurrences with two and with three emails', () => {
    expect(multipleSends(automation())).toEqual([]);
    const sends = { triple_send_first: true, double_send_second: true, double_send_third: true };
    expect(multipleSends(automation(sends))).toEqual(['Double 2nd', 'Double 3rd', 'Triple 1st']);
  });

  it('count its lists', () => {
    expect([0, 1, 2].map(listsText)).toEqual(['No lists', '1 list', '2 lists']);
  });

  it('say of each required type whether it is there', () => {
    expect(eligibilityText({ ...COMPLETE, is_eligible: false, cta_url: false }).split('\n')).toEqual([
      'Subject Line: Available',
      'Pre-CTA Content: Available',
      'CTA Text: Available',
      'CTA URL: Missing',
      'Footer: Available',
      'Missing one or more required asset types.',
      'Nothing to send: link an active template, or one active asset of each of five types.',
    ]);
    expect(eligibilityText(COMPLETE)).toMatch(/\nAll required asset types available\.$/);
  });

  it('say all that keeps it from sending', () => {
    expect(obstaclesOf(automation())).toEqual([]);
    const nothing = automation({
      active: false,
      email_eligibility: { ...COMPLETE, is_eligible: false },
      email_lists: [],
      delay_days: 2,
      stop_after_days: 1,
    });
    expect(obstaclesOf(nothing).map(({ text }) => text.split(':')[0])).toEqual([
      'This automation is inactive',
      'Nothing to send',
      'No email list is connected',
      'Its schedule stops before it starts',
    ]);
    const mends = (of: Automation) => obstaclesOf(of).flatMap(({ mend }) => mend?.to ?? []);
    const edit = '/automations/a1/edit';
    expect(mends(nothing)).toEqual(['/automations/a1?open=content', edit, edit]);
    // A step has its lists and its schedule from its sequence, which switches it too.
    const step = { ...nothing, sequence_id: 's1' };
    expect(mends(step).slice(1)).toEqual([
      '/automations/sequences/s1/edit',
      '/automations/sequences/s1/edit',
    ]);
    expect(obstaclesOf(step)[0]?.text).toMatch(/^Nothing to send/);
    expect(emptinessOf(nothing)).toMatch(/^No email list is connected/);
    expect(emptinessOf(automation())).toMatch(/^No subscribed member/);
    expect(emptinessOf(automation({ starts_at: 'event' }))).toMatch(/^Nobody has an email due by an event/);
    expect(emptinessOf(automation({ delay_days: 2, stop_after_days: 1 }))).toMatch(/^Its schedule stops/);
    expect(obstaclesOf(automation({ repeat: 'yearly', delay_days: 2, stop_after_days: 1 }))).toEqual([]);
  });

  it('name its lists, a line each, and count those beyond twenty', () => {
    const lists = Array.from({ length: 23 }, (_, index) => ({ name: `List ${index}` }));
    expect(listLines(lists.slice(0, 2))).toBe('List 0\nList 1');
    expect(listLines(lists).split('\n').slice(19)).toEqual(['List 19', 'and 3 more']);
  });

  it('name the first of many lists', () => {
    expect(namesText(['A'])).toBe('A');
    expect(namesText(['A', 'B'])).toBe('A and B');
    expect(namesText(['A', 'B', 'C'])).toBe('A, B and C');
    expect(namesText(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more');
  });

  it('join the errors of its fields where its status cannot be changed', () => {
    const errors = { email_list_ids: ['No such list'], name: ['Name is required', 'Too short'] };
    expect(statusFailure(new Problem('Invalid', 422, errors, true))).toBe(
      'Failed to update automation: No such list, Name is required, Too short',
    );
    for (const problem of [new Problem('Down', 502), new Problem('Down', 500, {}, true), new Error()]) {
      expect(statusFailure(problem)).toBe('Failed to update automation status. Please try again.');
    }
  });
});

it('what is said of an automation that was activated is what keeps it from sending first', () => {
  const { switched } = AUTOMATION.texts;
  expect(switched(automation({ active: false }), true)).toBe('welcome is active.');
  expect(switched(automation({ active: false, email_lists: [] }), true)).toBe(
    'welcome is active. No email list is connected: nothing is sent until there is one.',
  );
  expect(switched(automation(), false)).toBe('welcome is inactive: it sends nothing.');
});

it.each([
  [0, []],
  [1, ['1 of its 3 steps has no email yet: nobody gets it, and the others are sent.']],
  [2, ['2 of its 3 steps have no email yet: nobody gets them, and the others are sent.']],
  [3, ['Nothing to send: none of its steps has an email yet.']],
])('of an active sequence it is said how many of its emails are missing: %i', (missing, texts) => {
  const steps = onboarding.steps.map((step, at) => ({
    ...step,
    email_eligibility: { ...COMPLETE, is_eligible: at >= missing },
  }));
  const said = (fields: object) =>
    sequenceObstacles({ ...onboarding, steps, ...fields }).map(({ text }) => text);
  expect(said({ active: true })).toEqual(texts);
  expect(said({ active: false })).toEqual([
    'This sequence is inactive: nothing is sent until it is activated.',
  ]);
});

it('days off are listed by the order of the week, then the dates, or how many they are', () => {
  const dates_off = Array.from({ length: 13 }, (_, at) => `2030-12-${10 + at}`);
  const days = { days_off: ['saturday', 'monday', 'friday'] as const, dates_off: dates_off.slice(0, 2) };
  const times = { ...ANY_TIME, ...days, days_off: [...days.days_off] };
  expect(listOfDaysOff(ANY_TIME)).toBe('');
  expect(listOfDaysOff(times)).toBe('Mondays, Fridays and Saturdays; Dec 10, 2030 and Dec 11, 2030');
  expect(listOfDaysOff({ ...ANY_TIME, dates_off: dates_off.slice(1) })).toMatch(
    /^Dec 11, 2030, .* and Dec 22, 2030$/,
  );
  expect(listOfDaysOff({ ...ANY_TIME, dates_off })).toBe('13 dates');
  expect(sendTimesText(ANY_TIME)).toBeUndefined();
  expect(sendTimesText({ ...times, send_at: '09:00', time_zone_of: 'list' }, 'Europe/Berlin')).toBe(
    'at 09:00 in the time zone of each list, not on Mondays, Fridays and Saturdays, nor on Dec 10, 2030 and Dec 11, 2030',
  );
});

describe('the list of automations', () => {
  const all = [
    automation({ name: 'beta', created_at: '2026-03-03T00:00:00.000Z' }),
    automation({ name: 'Alpha', active: false, created_at: '2026-03-02T00:00:00.000Z' }),
    automation({ name: 'gamma', email_lists: [{ id: 'l2', name: 'Readers', domain: 'example.org' }] }),
  ];
  const names = (
    sort: 'name' | 'active' | 'created_at' | undefined,
    direction: 'asc' | 'desc',
    search = '',
  ) =>
    shownRows(automationRows(all, []), { page: 1, sort, direction, filters: { search } }).map(
      ({ automation }) => automation?.name,
    );

  it('is sorted by name, status or date', () => {
    expect(names(undefined, 'asc')).toEqual(['Alpha', 'beta', 'gamma']);
    expect(names('name', 'desc')).toEqual(['gamma', 'beta', 'Alpha']);
    expect(names('active', 'asc')).toEqual(['beta', 'gamma', 'Alpha']);
    expect(names('created_at', 'desc')).toEqual(['beta', 'Alpha', 'gamma']);
  });

  it('is searched by the names of automations and lists', () => {
    expect(names(undefined, 'asc', ' ALPHA ')).toEqual(['Alpha']);
    expect(names(undefined, 'asc', 'readers')).toEqual(['gamma']);
    expect(names(undefined, 'asc', 'nothing')).toEqual([]);
  });
});

it('the steps of a sequence that is open follow it in the order in which they go, whatever their names', () => {
  const steps = ['s2', 's1'].map(automation_id => ({
    automation_id,
    name: automation_id,
    delay_days: 0,
    delay_minutes: 0,
    active: true,
    email_eligibility: COMPLETE,
  }));
  const sequence = {
    ...automation(),
    ...ANY_TIME,
    id: 'q',
    starts_at: 'added' as const,
    email_list_ids: [],
    steps,
    revision: 'first',
  };
  const automations = ['s1', 's2'].map(id => automation({ id, sequence_id: 'q' }));
  const rows = automationRows(automations, [sequence]);
  expect(withSteps(rows, new Set(['q']), automations).map(rowKey)).toEqual(['q', 's2', 's1']);
});

describe('the guard', () => {
  const found = {
    by: 'guard',
    at: new Date().toISOString(),
    kind: 'bounced',
    hours: 1,
    sent: 1200,
    events: 130,
    provider: 'ses',
    combination_id: null,
  } as const;
  const textsOf = (fields: Partial<Automation>) => guardObstacles(automation(fields)).map(({ text }) => text);

  it('says by which numbers it has paused an automation, and where they are', () => {
    const paused = automation({ active: false, paused: found });
    expect(pausedBy(paused)).toBe('Paused by Letterflow');
    const [first] = guardObstacles(paused);
    expect(first).toMatchObject({
      text: expect.stringMatching(
        /: of 1,200 emails that went by Amazon SES within one hour, 130 bounced for good \(10\.83%\)\. Look at/,
      ),
      mend: { label: 'See what bounced', to: `/sending-log?automation=${paused.id}&status=bounced` },
      isWrong: true,
    });
    expect(obstaclesOf(paused).map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('is inactive'),
    );
  });

  it('warns for a day', () => {
    const warned = { ...found, kind: 'complained', hours: 30 } as const;
    expect(textsOf({ warned })[0]).toMatch(
      /^Careful: of 1,200 emails .* within 2 days, 130 were complained about/,
    );
    const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
    expect([textsOf({ warned: { ...warned, at } }), textsOf({ warned: null })]).toEqual([[], []]);
  });
});

describe('what an automation is paused by', () => {
  const acme = {
    id: 1,
    name: 'Acme',
    logo: null,
    active: true,
    is_default: true,
    role: 'USER' as const,
    currency: null,
  };
  const lists = (...paused: ((typeof LIST_PAUSES)[number] | 'sends')[]) =>
    paused.map((of, at) => ({
      id: `l${at}`,
      name: `List ${at}`,
      domain: 'example.com',
      ...(of !== 'sends' && { paused: of }),
    }));

  it.each([
    [lists('inactive'), 'Paused by the list List 0'],
    [lists('no_key'), 'Paused by the list List 0, which has no sending key'],
    [lists('key_refused'), 'Paused by the list List 0, whose sending key is refused'],
    [lists('inactive', 'no_key'), 'Paused by its 2 lists'],
    [lists('inactive', 'sends'), undefined],
    [lists('inactive', 'inactive', 'sends'), undefined],
    [lists('sends', 'inactive'), undefined],
    [[], undefined],
  ])('is said of its lists %#', (email_lists, text) => {
    const paused = automation({ email_lists });
    expect(pausedBy(paused, acme)).toBe(text);
    expect(pausedBy(paused, { ...acme, active: false })).toBe('Paused by the organization');
    expect(pausedBy({ ...paused, active: false }, { ...acme, active: false })).toBeUndefined();
    const mends = obstaclesOf(paused, acme).filter(obstacle => obstacle.text === `${text}: nothing is sent.`);
    const mend = { label: 'See the list', to: '/email-lists/l0' };
    expect(mends).toEqual(text ? [{ text: `${text}: nothing is sent.`, mend }] : []);
    // No list is to be mended for that.
    const [off] = obstaclesOf(paused, { ...acme, active: false });
    expect(off).toEqual({ text: 'Paused by the organization: nothing is sent.' });
    // The same is not said twice.
    const cautions = cautionsOf(paused, { ...simulation, inactive_lists: ['List 0'] });
    if (text) expect(cautions).toEqual([`${text}: nothing is sent.`]);
  });
});

describe('what is said of the numbers', () => {
  it('is nothing where all members were counted and the emails are sent', () => {
    expect(cautionsOf(automation(), simulation)).toEqual([]);
    expect(cautionsOf(automation(), { ...simulation, left_out: 0 })).toEqual([]);
    expect(accuracyOf({ sampled: null, counted_share: 1 })).toEqual([]);
  });

  it('is who is left out, and which lists get nothing', () => {
    expect(cautionsOf(automation(), { ...simulation, left_out: 1, inactive_lists: ['A'] })).toEqual([
      'Nothing is sent to A until this list is activated.',
      '1 subscribed member has no readable date in signed_up_at, and gets no email.',
    ]);
    const more = { ...simulation, left_out: 2000, inactive_lists: ['A', 'B'] };
    expect(cautionsOf(automation({ metadata_trigger: null }), more)).toEqual([
      'Nothing is sent to A and B until these lists are activated.',
      '2,000 subscribed members have no readable date, and get no email.',
    ]);
  });

  it('is how far the count came', () => {
    const [text] = cautionsOf(automation(), { ...simulation, counted_until: '2026-11-01T14:00:00.000Z' });
    expect(text).toMatch(/^Counted until Nov 1, 2026, .* only: there are too many members/);
    const sampled = { people: 10_000, of: 45_210, margin: 120 };
    expect(accuracyOf({ sampled, counted_share: 1 })).toHaveLength(1);
    expect(accuracyOf({ sampled, counted_share: 0.42 })).toEqual([
      'Estimated from 10,000 of 45,210 members: what is sent may be 120 emails more or less.',
      'Only about 42% of the members could be looked at within one call: more is sent.',
    ]);
  });

  it('is what becomes of what is due, and which automations take the place', () => {
    const held = {
      ...simulation,
      will_send: 1_032,
      skipped: {
        no_first: 2,
        'capped:max_emails_5_minutes': 28,
        'capped:max_emails_1_week': 3,
        suppressed: 1,
      },
      safeguards: { ...INITIAL_SAFEGUARDS, max_emails_1_week: 1_000 },
    };
    expect(outcomeText(held)).toBe(
      '1,066 due · 1,032 sent · 1 not sent: the address is suppressed · 2 left out, as the first email is not sent · ' +
        '28 held back by the limit of one in 5 minutes · 3 held back by the limit of 1,000 in 1 week',
    );
    const other = (name: string) => ({ id: name, name, count: 3 });
    expect(insteadText(held)).toBeUndefined();
    expect(insteadText({ instead_of: [other('news')] })).toBe('news takes the place of what is held back.');
    expect(insteadText({ instead_of: [other('news'), other('tips')] })).toBe(
      'news and tips take the place of what is held back.',
    );
  });

  it('is why nothing will be sent', () => {
    expect(nothingText({ will_send: 0, skipped: { no_key: 60 } })).toBe(
      'Nothing will be sent: its lists have no sending key.',
    );
    expect(nothingText({ will_send: 0, skipped: { no_content: 3, key_refused: 1 } })).toBe(
      'Nothing will be sent: the mail provider does not take the sending key of its lists, and it has no active content.',
    );
    expect(nothingText({ will_send: 1, skipped: { no_key: 60 } })).toBeUndefined();
    expect(nothingText({ will_send: 0, skipped: {} })).toBeUndefined();
    expect(nothingText({ will_send: 0, skipped: { 'capped:max_emails_1_hour': 1 } })).toBe(
      'Nothing will be sent: the limits of the safeguards hold all of it back.',
    );
  });

  it('a trigger is a date in UTC, or what was written', () => {
    expect(triggerText('2026-03-01')).toBe('Mar 1, 2026');
    expect(triggerText('2026-03-01T14:30:00.000Z')).toBe('Mar 1, 2026, 14:30');
    expect(triggerText('soon')).toBe('soon');
    expect(triggerText('2026-99-99')).toBe('2026-99-99');
  });
});
