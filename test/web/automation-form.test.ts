import { describe, expect, it } from 'vitest';
import type { Automation, Start } from '#shared/automation.ts';
import { readTime } from '#web/components/time-input.tsx';
import { columnText } from '#web/entities/automation/start-field.tsx';
import { columnsOf } from '#web/entities/automation/use-start.ts';
import { BLANK, schemaWith, settingsOfAutomation } from '#web/features/automation/automation-settings.ts';
import { draftOf } from '#web/features/automation/schedule-fields.tsx';
import { scheduleSentence } from '#web/features/automation/schedule-texts.ts';
import { endOfQuiet } from '#web/features/automation/send-times-fields.tsx';

const LISTS = [
  { id: 'b00000000000', name: 'Customers', domain: 'example.com' },
  { id: 'a00000000000', name: 'Readers', domain: 'example.org' },
];
const { email_list_ids: _, ...stored } = BLANK;
/** The input of a form in which how often is chosen. */
const DAYS = { ...BLANK, repeat: 'days' };
const automation = (fields: Partial<Automation> = {}): Automation => ({
  ...stored,
  repeat: 'days',
  reply_to: null,
  paused: null,
  warned: null,
  id: 'c00000000000',
  name: 'welcome',
  metadata_trigger: null,
  starts_at: 'added',
  sequence_id: null,
  email_lists: LISTS,
  email_eligibility: {} as Automation['email_eligibility'],
  created_at: '2026-03-01T10:00:00.000Z',
  ...fields,
});

const texts = (settings: object, missing?: string) =>
  schemaWith({ missing })
    .safeParse({ ...DAYS, name: 'welcome', ...settings })
    .error?.issues.map(({ path, message }) => [path[0], message]) ?? [];

describe('what is entered', () => {
  it('is refused with all that is wrong at once', () => {
    const wrong = { name: ' ', every_x_days: 0, delay_days: -31, stop_after_days: -1 };
    expect(texts(wrong, 'Please select a trigger column')).toEqual([
      ['name', 'Name is required'],
      ['every_x_days', 'Value must be at least 1'],
      ['delay_days', 'Value cannot be below −30, or negative unless yearly'],
      ['stop_after_days', 'Value cannot be negative'],
      ['metadata_trigger', 'Please select a trigger column'],
    ]);
    expect(texts({ delay_days: -1 })).toEqual([['delay_days', 'Value cannot be negative']]);
    expect(texts({ name: 'Win back!', every_x_days: 1.5, delay_days: null })).toEqual([
      ['name', 'Name can only contain letters, numbers, and underscores'],
      ['every_x_days', 'Value must be a whole number'],
      ['delay_days', 'Value must be a whole number'],
    ]);
  });

  it('names a column or an event, or says that it starts when a member was added', () => {
    const started = (starts_at: Start, metadata_trigger: string) => {
      const settings = schemaWith().parse({ ...DAYS, name: 'a', starts_at, metadata_trigger });
      return [settings.starts_at, settings.metadata_trigger];
    };
    expect([started('date', 'ends'), started('event', 'ordered')]).toEqual([
      ['date', 'ends'],
      ['event', 'ordered'],
    ]);
    expect([started('added', ''), started('date', '')]).toEqual([
      ['added', null],
      ['added', null],
    ]);
  });

  it('begins with what is stored', () => {
    const settings = settingsOfAutomation(automation());
    expect(settings).toEqual({
      ...DAYS,
      name: 'welcome',
      starts_at: 'added',
      email_list_ids: ['a00000000000', 'b00000000000'],
    });
    expect(settingsOfAutomation(automation({ metadata_trigger: 'ends' })).metadata_trigger).toBe('ends');
  });
});

it('the columns of several lists are counted together, by name', () => {
  const columns = columnsOf([
    { columns: ['trial_ends', 'born'], stats: { trial_ends: 1200, born: 3 } },
    { columns: ['trial_ends'], stats: { trial_ends: 34 } },
    { columns: [], stats: {} },
  ]);
  expect(columns.map(column => columnText(column, 3))).toEqual([
    'born (3 members, in 1 of 3 lists)',
    'trial_ends (1,234 members, in 2 of 3 lists)',
  ]);
  expect(columnText({ name: 'born', members: 1, lists: 1 }, 1)).toBe('born (1 member, in 1 of 1 list)');
});

const DATES = ['2030-12-24', '2030-12-25', '2030-12-26', '2031-01-01'];

describe('a schedule in words', () => {
  const sentence = (fields: object, trigger: string | null) => {
    const draft = draftOf({ ...DAYS, ...fields });
    return draft && scheduleSentence(draft, trigger, 'Europe/Berlin');
  };
  // Their stop has no effect, even before the delay.
  const ONCE = { repeat: 'once', stop_after_days: 0 };
  const YEARLY = { ...ONCE, repeat: 'yearly' };
  const WEEKEND = { days_off: ['sunday', 'saturday'] };

  it.each<[object, string | null, string]>([
    [{ ...ONCE, delay_days: 3 }, 'signed_up', '1 email, 3 days after signed_up'],
    [{ ...ONCE, delay_minutes: 150 }, null, '1 email, 2 hours and 30 minutes after they were added'],
    [{ ...ONCE, delay_days: 1, delay_minutes: 60 }, 'ends', '1 email, 1 day and 1 hour after ends'],
    [ONCE, null, '1 email, when they are added'],
    [ONCE, 'ends', '1 email, at ends'],
    [{ ...ONCE, triple_send_first: true, double_send_second: true }, 'ends', '3 emails, at ends'],
    [
      { ...ONCE, send_at: '09:00', ...WEEKEND },
      'ends',
      '1 email, on or after ends at 09:00 in the time zone of the organization (Europe/Berlin), not on Saturdays and Sundays',
    ],
    [
      { ...YEARLY, delay_days: -3, send_at: '09:00', time_zone_of: 'member' },
      'renewal',
      'an email each year, 3 days before renewal at 09:00 in the time zone of each member',
    ],
    [
      { ...YEARLY, delay_days: -1, delay_minutes: 61 },
      'ends',
      'an email each year, 1 day before ends plus 1 hour plus 1 minute',
    ],
    [YEARLY, 'birthday', 'an email each year, on birthday'],
    [YEARLY, null, 'an email each year, on the day on which they were added'],
    [{ ...YEARLY, delay_days: 1 }, null, 'an email each year, 1 day after they were added'],
    [{}, 'ends', 'an email every day, without an end: about 30 a month'],
    [
      { delay_days: 3, every_x_days: 7, ...WEEKEND },
      'ends',
      'an email every 7 days, not on Saturdays and Sundays in the time zone of the organization (Europe/Berlin), from 3 days after ends on, without an end: at most 4 a month',
    ],
    [
      { every_x_days: 7, delay_minutes: 120 },
      'ends',
      'an email every 7 days, from 2 hours after ends on, without an end: about 4 a month',
    ],
    [
      { every_x_days: 7, delay_minutes: 120, stop_after_days: 14 },
      'ends',
      '3 emails, every 7 days, from 2 hours after ends until 14 days after',
    ],
    [{ every_x_days: 90 }, 'ends', 'an email every 90 days, without an end: about 4 a year'],
    [{ every_x_days: 800 }, 'ends', 'an email every 800 days, without an end'],
    [
      { delay_days: 3, every_x_days: 7, stop_after_days: 30, double_send_first: true },
      'ends',
      '5 emails, every 7 days, from 3 days after ends until 24 days after',
    ],
    [
      { stop_after_days: 9, dates_off: DATES },
      null,
      'at most 10 emails, every day, not on 4 dates in the time zone of the organization (Europe/Berlin), from when they are added until 9 days after',
    ],
    [{ every_x_days: 7, stop_after_days: 6 }, 'ends', '1 email, at ends'],
  ])('%o of %s: each person gets %s', (fields, trigger, words) => {
    expect(sentence(fields, trigger)).toBe(`Each person gets ${words}.`);
  });

  it.each([
    { repeat: '' },
    { every_x_days: 0 },
    { every_x_days: null },
    { delay_days: 0.5 },
    { delay_days: -3 },
    { delay_minutes: Number.NaN },
    { stop_after_days: Number.NaN },
  ])('no sentence describes the invalid schedule %o', fields =>
    expect(sentence(fields, 'ends')).toBeUndefined(),
  );

  it('of one that stops before it starts is that nothing is sent', () => {
    const words = sentence({ delay_days: 2, stop_after_days: 1 }, 'ends');
    expect(words).toBe('No email is ever sent: sending stops before it starts.');
  });
});

describe('a time in quiet hours', () => {
  const hours = [
    { from: '22:00', until: '06:00' },
    { from: '06:00', until: '07:30' },
    { from: '12:00', until: '13:00' },
  ];
  it.each([
    ['21:59', undefined],
    ['22:00', { time: '07:30', nextDay: true }],
    ['05:00', { time: '07:30', nextDay: false }],
    ['07:30', undefined],
    ['12:30', { time: '13:00', nextDay: false }],
    ['half past', undefined],
  ])('%s', (time, end) => expect(endOfQuiet(time, hours)).toEqual(end));
});

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['9.30', '09:30'],
  ['21:5', '21:5'],
  ['9:30 pm', '21:30'],
  ['12 am', '00:00'],
  ['12:15 PM', '12:15'],
  ['noon', 'noon'],
  ['', ''],
])('a time that is typed as %s is %s', (typed, time) => expect(readTime(typed)).toBe(time));
