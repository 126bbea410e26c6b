import { expect, it } from 'vitest';
import {
  type DueRule,
  fixedOccurrences,
  fixedTrigger,
  rulesFor,
  triggerOf,
} from '#core/automation/due/occurrences.ts';
import { unstored } from '#test/support/unstored.ts';

const member = (created_at: string, metadata = {}, others = {}) => ({
  list_id: 'readers',
  created_at,
  metadata,
  ...others,
});
const iso = (date: Date | undefined) => date?.toISOString();
type Organization = Parameters<typeof rulesFor>[1]['organization'];
const goes = (
  fields: Partial<DueRule>,
  of: ReturnType<typeof member>,
  { zone, organization }: { zone?: string | undefined; organization?: Organization } = {},
) => {
  const rules = rulesFor(unstored(1, fields), { organization, list: undefined });
  return fixedOccurrences(of, rules(zone)).map(({ key, at }) => `${key.slice(-12)} ${iso(at)?.slice(0, 16)}`);
};

const STEP = {
  repeat: 'once',
  metadata_trigger: 'ends',
  delay_days: 3,
  begun: { readers: { since: '2030-05-10T12:00:40.000Z', delay_days: 1, delay_minutes: 30 } },
} as const;

it('who was there before a course began, and would have begun it before, has the instant of its beginning', () => {
  const rule = unstored(1, STEP);
  const trigger = (ends: string, created_at = '2030-01-01T00:00:00.000Z', others = {}) =>
    iso(triggerOf(member(created_at, { ends }, others), rule));
  // The first step is a day and half an hour after the date.
  expect(trigger('2030-05-09T11:29:59Z')).toBe('2030-05-10T12:00:40.000Z');
  expect(trigger('2030-05-09T11:30:00Z')).toBe('2030-05-09T11:30:00.000Z');
  expect(trigger('2030-05-09')).toBe('2030-05-10T12:00:40.000Z');
  expect(trigger('soon')).toBeUndefined();
  expect(trigger('2030-01-01', '2030-05-10T12:00:40.000Z')).toBe('2030-01-01T00:00:00.000Z');
  expect(trigger('2030-01-01', '2030-05-10T12:00:39.999Z')).toBe('2030-05-10T12:00:40.000Z');
  expect(trigger('2030-01-01', undefined, { list_id: 'others' })).toBe('2030-01-01T00:00:00.000Z');
  const imported = { added_by: { starts_after: '2030-02-01T00:00:00.000Z' } };
  expect(trigger('2030-01-01', undefined, imported)).toBe('2030-01-01T00:00:00.000Z');
  expect(trigger('2030-03-01', undefined, imported)).toBe('2030-05-10T12:00:40.000Z');
});

it('a step of such a course goes by its own delay from there, and not what fell into a pause', () => {
  const ann = member('2030-01-01T00:00:00.000Z', { ends: '2030-01-01' });
  const of = (active_since: string) => goes({ ...STEP, active_since }, ann);
  expect(of('2030-05-10T12:00:40.000Z')).toEqual(['2030-05-13#1 2030-05-13T12:00']);
  expect(of('2030-05-13T12:00:59.000Z')).toEqual(['2030-05-13#1 2030-05-13T12:00']);
  expect(of('2030-05-13T12:01:00.000Z')).toEqual([]);
});

it('a broadcast goes at an instant to who was there before', () => {
  const fields = {
    repeat: 'once',
    delay_days: 0,
    active_since: '2030-07-01T00:00:00.000Z',
    broadcast: { at: '2030-05-10T00:00:00.000Z' },
  } as const;
  const of = (created_at: string) => goes(fields, member(created_at));
  expect(of('2030-05-09T23:59:59.999Z')).toEqual(['2030-05-10#1 2030-05-10T00:00']);
  expect(of('2030-05-10T00:00:00.000Z')).toEqual([]);
});

it('a broadcast at a local time goes then in each zone, to who was there before, by the key of that day', () => {
  const fields = {
    repeat: 'once',
    delay_days: 0,
    send_at: '09:00',
    time_zone_of: 'member',
    broadcast: { local_at: '2030-05-10T09:00' },
  } as const;
  const of = (zone?: string, created_at = '2030-01-01T00:00:00.000Z') =>
    goes(fields, member(created_at), { zone });
  expect(of()).toEqual(['2030-05-10#1 2030-05-10T09:00']);
  expect(of('Pacific/Auckland')).toEqual(['2030-05-10#1 2030-05-09T21:00']);
  expect(of('America/Los_Angeles')).toEqual(['2030-05-10#1 2030-05-10T16:00']);
  expect(of('Pacific/Auckland', '2030-05-09T21:00:00.000Z')).toEqual([]);
  expect(of('America/Los_Angeles', '2030-05-10T15:59:00.000Z')).toHaveLength(1);
  expect(iso(fixedTrigger(member(''), unstored(1, fields)))).toBe('2030-05-10T00:00:00.000Z');
  // Who comes while it waits for the end of quiet hours gets it no more.
  const quiet_hours = [{ from: '08:00', until: '10:00' }];
  const organization = { hours: [{ since: '2020-01-01', time_zone: 'UTC', quiet_hours }] };
  const held = (created_at: string) => goes(fields, member(created_at), { organization });
  expect(held('2030-05-10T08:59:59.999Z')).toEqual(['2030-05-10#1 2030-05-10T10:00']);
  expect(held('2030-05-10T09:00:00.000Z')).toEqual([]);
});
