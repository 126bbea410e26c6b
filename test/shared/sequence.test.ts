import { describe, expect, it } from 'vitest';
import { NewSequence, SequenceChange } from '#shared/sequence.ts';
import { faultsIn } from '#test/support/faults.ts';

const STEP = 'aaaaaaaaaaaa';
const STEP_ID = 'automation_id must be the id of a step; leave it out for a new one';
const steps = (count: number) => Array.from({ length: count }, (_, delay_days) => ({ delay_days }));

describe('a sequence', () => {
  it.each<[object, Record<string, string>]>([
    [{ name: 7 }, { name: 'Name is required' }],
    [{ name: ' ' }, { name: 'Name is required' }],
    [{ name: 'x'.repeat(101) }, { name: 'Name must be at most 100 characters' }],
    [{ active: 'yes' }, { active: 'Active must be true or false' }],
    [{ include_existing: 1 }, { include_existing: 'include_existing must be true or false' }],
    [{ email_list_ids: ['LIST#1'] }, { 'email_list_ids.0': 'email_list_ids must be the ids of email lists' }],
    [{ metadata_trigger: 7 }, { metadata_trigger: 'Trigger column must be the name of a metadata column' }],
    [{ starts_at: 'once' }, { starts_at: 'Choose what starts it: added, date or event' }],
    [{ audience: {} }, { audience: expect.stringMatching(/^Send null for everybody/) }],
    [{ send_at: '25:00' }, { send_at: 'Enter a time of day from 00:00 to 23:59' }],
    [
      { time_zone_of: 'person' },
      { time_zone_of: 'The time zone must be that of the organization, the list or the member' },
    ],
    [{ days_off: ['someday'] }, { 'days_off.0': 'Days off must be days of the week: sunday, monday …' }],
    [{ holdout_percent: 51 }, { holdout_percent: 'A holdout is a whole number of percent, from 0 to 50' }],
    [{ steps: { delay_days: 1 } }, { steps: 'steps must be a list of steps' }],
    [{ steps: steps(21) }, { steps: 'A sequence has at most 20 steps: leave some out' }],
    [{ steps: [7] }, { steps: 'Step 1: A step must be an object with its delay' }],
    [{ steps: [{ automation_id: 7 }] }, { steps: `Step 1: ${STEP_ID}` }],
    [{ steps: [{}, { automation_id: `${STEP}a` }] }, { steps: `Step 2: ${STEP_ID}` }],
    [{ steps: [{ automation_id: `B${STEP}`.slice(0, 12) }] }, { steps: `Step 1: ${STEP_ID}` }],
    [{ steps: [{ name: 'x'.repeat(101) }] }, { steps: 'Step 1: Name must be at most 100 characters' }],
    [
      { steps: [{ delay_days: -1 }, { delay_days: 3651 }, { delay_days: 1.5, delay_minutes: 1440 }] },
      {
        steps:
          'Step 1: Value cannot be negative | Step 2: Value must be at most 3,650 | Step 3: Value must be a whole number | Step 3: Value must be at most 1,439',
      },
    ],
    [{ steps: [{ active: 1 }] }, { steps: 'Step 1: Active must be true or false' }],
  ])('with %j is refused', (fields, faults) => {
    expect(faultsIn(NewSequence, { name: 'Onboarding', ...fields })).toEqual(faults);
    expect(faultsIn(SequenceChange, fields)).toEqual(faults);
  });

  it('needs a name, and is off, without steps, at any time, unless the call says otherwise', () => {
    expect(faultsIn(NewSequence, {})).toEqual({ name: 'Name is required' });
    expect(NewSequence.parse({ name: ' Onboarding für alle ' })).toEqual({
      name: 'Onboarding für alle',
      active: false,
      email_list_ids: [],
      metadata_trigger: null,
      audience: null,
      send_at: null,
      time_zone_of: 'organization',
      days_off: [],
      holdout_percent: 0,
      steps: [],
    });
  });

  it('has up to twenty steps, each with what it says', () => {
    const most = { automation_id: STEP, name: 'Az_09', delay_days: 3650, delay_minutes: 1439, active: false };
    const fields = { steps: [...steps(19), most] };
    expect(NewSequence.parse({ name: 'All', ...fields })).toMatchObject(fields);
    expect(SequenceChange.parse({ steps: [{ ...most, color: 'red' }], color: 'red' })).toEqual({
      steps: [most],
    });
  });

  it('is changed in the revision that the call names, and a new one has none', () => {
    expect(SequenceChange.parse({ revision: 'r' })).toEqual({ revision: 'r' });
    expect(faultsIn(SequenceChange, { revision: 7 })).toEqual({
      revision: 'revision must be the one that was read',
    });
    expect(NewSequence.parse({ name: 'All', revision: 7 })).not.toHaveProperty('revision');
  });
});
