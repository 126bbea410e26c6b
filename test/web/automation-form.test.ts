import { describe, expect, it } from 'vitest';
import type { Automation } from '#shared/automation.ts';
import { readTime } from '#web/components/time-input.tsx';
import {
  BLANK,
  schemaWith,
  settingsOfAutomation,
  WHEN_ADDED,
} from '#web/features/automation/automation-settings.ts';
import { enteredSchedule, scheduleSentence } from '#web/features/automation/schedule-fields.tsx';
import { endOfQuiet } from '#web/features/automation/send-times-fields.tsx';
import { columnsOf, columnText } from '#web/features/automation/trigger-field.tsx';

const LISTS = [
  { id: 'b00000000000', name: 'Customers', domain: 'example.com' },
  { id: 'a00000000000', name: 'Readers', domain: 'example.org' },
];
const { email_list_ids: _, ...stored } = BLANK;
const automation = (fields: Partial<Automation> = {}): Automation => ({
  ...stored,
  id: 'c00000000000',
  name: 'welcome',
  metadata_trigger: null,
  email_lists: LISTS,
  email_eligibility: {} as Automation['email_eligibility'],
  created_at: '2026-03-01T10:00:00.000Z',
  ...fields,
});

const texts = (settings: object, mustChoose = false) =>
  schemaWith({ mustChoose })
    .safeParse({ ...BLANK, name: 'welcome', ...settings })
    .error?.issues.map(({ path, message }) => [path[0], message]) ?? [];

describe('what is entered', () => {
  it('is refused with all that is wrong at once', () => {
    const wrong = { name: ' ', every_x_days: 0, delay_days: -31, stop_after_days: -1 };
    expect(texts(wrong, true)).toEqual([
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

  it('names a column, or says that it starts when a member was added', () => {
    const column = (metadata_trigger: string) =>
      schemaWith({ mustChoose: metadata_trigger !== '' }).parse({ ...BLANK, name: 'a', metadata_trigger })
        .metadata_trigger;
    expect(['trial_ends', WHEN_ADDED, ''].map(column)).toEqual(['trial_ends', null, null]);
  });

  it('begins with what is stored', () => {
    const settings = settingsOfAutomation(automation());
    expect(settings).toEqual({
      ...BLANK,
      name: 'welcome',
      metadata_trigger: WHEN_ADDED,
      email_list_ids: ['a00000000000', 'b00000000000'],
    });
    expect(settingsOfAutomation(automation({ email_lists: [] })).metadata_trigger).toBe('');
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
  const sentence = (fields: object, trigger = 'trial_ends') => {
    const schedule = enteredSchedule({ ...BLANK, ...fields });
    return schedule && scheduleSentence(schedule, trigger, 'Europe/Berlin');
  };

  it.each([
    [{}, 'First email at trial_ends, then every day, without end.'],
    [
      { delay_days: 3, every_x_days: 7 },
      'First email 3 days after trial_ends, then every 7 days, without end.',
    ],
    [
      { delay_days: 3, every_x_days: 7, stop_after_days: 30 },
      'First email 3 days after trial_ends, then every 7 days, until 30 days after: 4 emails, the last one after 24 days.',
    ],
    [{ stop_after_days: 1 }, 'First email at trial_ends, then every day, until 1 day after: 2 emails.'],
    [{ delay_days: 1, stop_after_days: 1 }, 'One email 1 day after trial_ends.'],
    [{ every_x_days: 7, stop_after_days: 6 }, 'One email at trial_ends.'],
    [
      { send_at: '09:00', time_zone_of: 'list', days_off: ['sunday', 'saturday'] },
      'First email on or after trial_ends, then every day, at 09:00 in the time zone of each list, not on Saturdays and Sundays, without end.',
    ],
    [
      { delay_days: 1, stop_after_days: 9, days_off: ['friday'], dates_off: ['2030-12-24'] },
      'First email 1 day after trial_ends, then every day, not on Fridays, nor on Dec 24, 2030 in the time zone of the organization (Europe/Berlin), until 9 days after: at most 9 emails.',
    ],
    [
      { stop_after_days: 0, send_at: '18:30', time_zone_of: 'member', dates_off: DATES },
      'One email on or after trial_ends, at 18:30 in the time zone of each member, not on 4 dates.',
    ],
    [{ delay_days: 2, stop_after_days: 1 }, 'No email is ever sent: sending stops before it starts.'],
  ])('%o', (fields, words) => {
    expect(sentence(fields)).toBe(words);
  });

  it.each([
    { every_x_days: 0 },
    { every_x_days: null },
    { delay_days: 0.5 },
    { stop_after_days: Number.NaN },
  ])('no sentence describes the invalid schedule %o', fields => expect(sentence(fields)).toBeUndefined());
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
