import { describe, expect, it } from 'vitest';
import { AutomationChange, automationRoutes, NewAutomation } from '#shared/automation.ts';
import { neverSends } from '#shared/schedule.ts';
import { faultsIn } from '#test/support/faults.ts';

const LIST = 'aaaaaaaaaaaa';
const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(12, '0'));
const OCCURRENCES = ['first', 'second', 'third'];
const ORDINALS = ['1st', '2nd', '3rd'];

const NAME = 'Name can only contain letters, numbers, and underscores';
const WHOLE = 'Value must be a whole number';
const NEGATIVE = 'Value cannot be negative';
const TRIGGER = 'Trigger column must be the name of a metadata column';
const LISTS = 'email_list_ids must be the ids of email lists';
const TIME = 'Enter a time of day from 00:00 to 23:59';
const DAYS_OFF = 'Days off must be days of the week: sunday, monday …';
const DATES_OFF = 'Dates off must be dates such as 2030-12-24';

/** Of a new automation and of a change. */
const FIELDS: [fields: object, faults: Record<string, string>][] = [
  [{ name: 7 }, { name: 'Name is required' }],
  [{ name: ' ' }, { name: 'Name is required' }],
  [{ name: 'two words' }, { name: NAME }],
  [{ name: 'naïve' }, { name: NAME }],
  [{ name: 'a-b' }, { name: NAME }],
  [{ name: 'line\nbreak' }, { name: NAME }],
  [{ name: 'x'.repeat(101) }, { name: 'Name must be at most 100 characters' }],
  [{ active: 'yes' }, { active: 'Active must be true or false' }],
  [{ repeat: 'weekly' }, { repeat: 'Choose how often: days, once or yearly' }],
  [{ every_x_days: 0 }, { every_x_days: 'Value must be at least 1' }],
  [{ every_x_days: 1.5 }, { every_x_days: WHOLE }],
  [{ every_x_days: '2' }, { every_x_days: WHOLE }],
  [{ every_x_days: 3651 }, { every_x_days: 'Value must be at most 3,650' }],
  [
    { repeat: 'yearly', delay_days: -31 },
    { delay_days: 'Value cannot be below −30, or negative unless yearly' },
  ],
  [{ delay_days: 0.5 }, { delay_days: WHOLE }],
  [{ delay_days: 3651 }, { delay_days: 'Value must be at most 3,650' }],
  [{ delay_minutes: -1 }, { delay_minutes: NEGATIVE }],
  [{ delay_minutes: 1440 }, { delay_minutes: 'Value must be at most 1,439' }],
  [{ stop_after_days: -1 }, { stop_after_days: NEGATIVE }],
  [{ stop_after_days: 3651 }, { stop_after_days: 'Value must be at most 3,650' }],
  [{ stop_after_days: '' }, { stop_after_days: WHOLE }],
  [{ metadata_trigger: 7 }, { metadata_trigger: TRIGGER }],
  [{ metadata_trigger: 'x'.repeat(65) }, { metadata_trigger: TRIGGER }],
  [{ starts_at: 'once' }, { starts_at: 'Choose what starts it: added, date or event' }],
  [{ email_list_ids: LIST }, { email_list_ids: LISTS }],
  [{ email_list_ids: [7] }, { 'email_list_ids.0': LISTS }],
  [{ email_list_ids: [`${LIST}a`] }, { 'email_list_ids.0': LISTS }],
  [{ email_list_ids: [LIST, `a${LIST}`] }, { 'email_list_ids.1': LISTS }],
  [{ email_list_ids: ids(51) }, { email_list_ids: 'At most 50 email lists can be connected' }],
  ...OCCURRENCES.flatMap((nth, at): (typeof FIELDS)[number][] => {
    const [double, triple] = [`double_send_${nth}`, `triple_send_${nth}`];
    const both = `Choose either a double or a triple send for the ${ORDINALS[at]} occurrence`;
    return [
      [{ [double]: 1 }, { [double]: `${double} must be true or false` }],
      [{ [triple]: 1 }, { [triple]: `${triple} must be true or false` }],
      [{ [double]: true, [triple]: true }, { [double]: both }],
    ];
  }),
  ...['24:00', '09:60', '9:00', '09:00:00', ' 09:00', 9].map((send_at): (typeof FIELDS)[number] => [
    { send_at },
    { send_at: TIME },
  ]),
  [
    { time_zone_of: 'person' },
    { time_zone_of: 'The time zone must be that of the organization, the list or the member' },
  ],
  [{ days_off: 'sunday' }, { days_off: DAYS_OFF }],
  [{ days_off: ['someday'] }, { 'days_off.0': DAYS_OFF }],
  [
    { days_off: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] },
    { days_off: 'Leave at least one day of the week on which emails go' },
  ],
  [{ dates_off: '2030-12-24' }, { dates_off: DATES_OFF }],
  [{ dates_off: ['2030-02-30'] }, { 'dates_off.0': DATES_OFF }],
  [{ dates_off: ['2030-12-24T00:00'] }, { 'dates_off.0': DATES_OFF }],
  [{ dates_off: [7] }, { 'dates_off.0': DATES_OFF }],
  [{ dates_off: Array(101).fill('2030-12-24') }, { dates_off: 'At most 100 dates can be days off' }],
  [{ audience: { all: [] } }, { audience: 'A group needs at least one rule: add one, or remove the group' }],
  [{ include_existing: 'yes' }, { include_existing: 'include_existing must be true or false' }],
];

/** Of a change, it is known only with what is stored. */
const TOGETHER: typeof FIELDS = [
  [{ delay_days: -1 }, { delay_days: NEGATIVE }],
  [{ repeat: 'once', delay_days: -30 }, { delay_days: NEGATIVE }],
  [{ repeat: 'yearly', delay_days: 366 }, { delay_days: 'Value must be at most 365' }],
  [
    { delay_minutes: 1, send_at: '09:00' },
    { delay_minutes: 'An email with a time of day goes at that time: leave the hours and minutes at 0' },
  ],
  [
    { time_zone_of: 'member' },
    { time_zone_of: 'Only a fixed time of day can be that of each member: choose one, or another time zone' },
  ],
];

const known = { name: 'welcome_1' };

describe('an automation', () => {
  it.each(FIELDS)('%j is refused', (fields, faults) => {
    expect(faultsIn(NewAutomation, { ...known, ...fields })).toEqual(faults);
    expect(faultsIn(AutomationChange, fields)).toEqual(faults);
  });

  it.each(TOGETHER)('%j is refused', (fields, faults) => {
    expect(faultsIn(NewAutomation, { ...known, ...fields })).toEqual(faults);
    expect(faultsIn(AutomationChange, fields)).toEqual({});
  });

  it('needs a name, and has the defaults of the form', () => {
    expect(faultsIn(NewAutomation, {})).toEqual({ name: 'Name is required' });
    expect(NewAutomation.parse(known)).toEqual({
      name: 'welcome_1',
      active: true,
      repeat: 'days',
      every_x_days: 1,
      delay_days: 0,
      delay_minutes: 0,
      stop_after_days: null,
      metadata_trigger: null,
      email_list_ids: [],
      send_at: null,
      time_zone_of: 'organization',
      days_off: [],
      dates_off: [],
      audience: null,
      reply_to: null,
      allocation: 'equal',
      holdout_percent: 0,
      ...Object.fromEntries(
        OCCURRENCES.flatMap(nth => [
          [`double_send_${nth}`, false],
          [`triple_send_${nth}`, false],
        ]),
      ),
    });
    expect(AutomationChange.parse({ revision: 'x' })).toEqual({});
  });

  it.each<[object, object?]>([
    [{ name: `\t${'x'.repeat(100)} ` }, { name: 'x'.repeat(100) }],
    [{ name: 'Az_09' }],
    [{ active: false, include_existing: true }],
    [{ every_x_days: 3650, delay_days: 3650, delay_minutes: 1439, stop_after_days: 3650 }],
    [{ stop_after_days: 0 }],
    [{ repeat: 'once', delay_days: 3650 }],
    [{ repeat: 'yearly', delay_days: -30, send_at: '00:00' }],
    [{ repeat: 'yearly', delay_days: 365, delay_minutes: 1 }],
    [{ metadata_trigger: 'x'.repeat(64), starts_at: 'date' }],
    [
      { metadata_trigger: '', starts_at: 'added' },
      { metadata_trigger: null, starts_at: 'added' },
    ],
    [{ email_list_ids: ids(50) }],
    [{ send_at: '23:59', time_zone_of: 'member' }],
    [{ time_zone_of: 'list' }],
    [
      { days_off: ['saturday', 'monday', 'sunday', 'monday', 'friday', 'thursday', 'tuesday'] },
      { days_off: ['sunday', 'monday', 'tuesday', 'thursday', 'friday', 'saturday'] },
    ],
    [
      { dates_off: [...Array(99).fill('2030-12-24'), '2029-12-24'] },
      { dates_off: ['2029-12-24', '2030-12-24'] },
    ],
    [{ double_send_first: true, triple_send_second: true, double_send_third: true }],
    [{ audience: null }],
  ])('%j is stored', (fields, stored = fields) => {
    expect(NewAutomation.parse({ ...known, ...fields })).toEqual({
      ...NewAutomation.parse(known),
      ...stored,
    });
    expect(AutomationChange.parse(fields)).toEqual(stored);
  });

  it.each([
    ['days', 2, 3, true],
    ['days', 3, 3, false],
    ['days', null, 3, false],
    ['once', 2, 3, false],
    ['yearly', 2, 3, false],
  ] as const)(
    'every so many %s that stops after %s days, and starts after %s, never sends: %s',
    (repeat, stop_after_days, delay_days, never) => {
      expect(neverSends({ repeat, stop_after_days, delay_days })).toBe(never);
    },
  );
});

const preview = automationRoutes['GET /api/automations/{automation}/preview'].query;
const found = automationRoutes['GET /api/automations/{automation}/preview-members'].query;
const testEmail = automationRoutes['POST /api/automations/{automation}/test-email'].body;
const draft = automationRoutes['POST /api/automations/forecast'].query;
const list = automationRoutes['GET /api/automations'].query;
const question = automationRoutes['POST /api/audience/count'].body;
const MEMBER = 'member must be the id of a list member';
const PAGE = 'page must be a whole number from 1 to 1000000';

it.each([
  [preview, { use_templates: 'yes' }, { use_templates: 'use_templates must be true or false' }],
  [preview, { member: 'a/b' }, { member: MEMBER }],
  [preview, { member: 'x'.repeat(101) }, { member: MEMBER }],
  [preview, { use_templates: 'false', member: 'x'.repeat(100) }, {}],
  [found, { search: 'x'.repeat(255) }, { search: 'The search must have at most 254 characters' }],
  [found, { search: 'x'.repeat(254) }, {}],
  [testEmail, {}, { seed: 'seed is required' }],
  [testEmail, { seed: 'x'.repeat(33) }, { seed: 'This seed is not valid' }],
  [testEmail, { seed: '' }, { seed: 'This seed is not valid' }],
  [testEmail, { seed: 'A' }, { seed: 'This seed is not valid' }],
  [testEmail, { seed: 'x'.repeat(32), use_templates: true, member: 'm' }, {}],
  [draft, { automation: 'x' }, { automation: 'automation must be the id of an automation' }],
  [draft, { automation: `B${'0'.repeat(11)}` }, {}],
  [list, { page: '0' }, { page: PAGE }],
  [list, { page: '1000001' }, { page: PAGE }],
  [list, { page: '0x1' }, { page: PAGE }],
  [list, { page: '1000000' }, {}],
  [question, {}, { email_list_ids: LISTS }],
  [question, { email_list_ids: [], audience: 'all' }, { audience: expect.stringMatching(/^Send null/) }],
])('%#: what is asked of automations, %j, has the faults %j', (schema, asked, faults) => {
  expect(faultsIn(schema, asked)).toEqual(faults);
});

it('asks for the first page, and counts everybody by the zone of the organization, unless the call says otherwise', () => {
  expect(list.parse({})).toEqual({ page: 1 });
  expect(question.parse({ email_list_ids: [LIST] })).toEqual({
    email_list_ids: [LIST],
    audience: null,
    time_zone_of: 'organization',
  });
});
