import { describe, expect, it } from 'vitest';
import { EventRow, EventRows, instantIn } from '#shared/event.ts';
import { faultsIn } from '#test/support/faults.ts';

describe('The instant of an event', () => {
  it.each([
    ['2030-01-31T12:00:00Z', '.000Z'],
    ['2030-01-31T12:00:00.5Z', '.500Z'],
    ['2030-01-31T12:00:00.25Z', '.250Z'],
    ['2030-01-31T12:00:00.025Z', '.025Z'],
    ['2030-01-31T12:00:00.123456Z', '.123Z'],
    ['2030-01-31T12:00:00,5Z', '.500Z'],
    ['2030-01-31 14:00:00.5+02:00', '.500Z'],
    ['2030-01-31T12:00', '.000Z'],
  ])('%s has milliseconds %s', (text, milliseconds) => {
    expect(instantIn(text)?.toISOString()).toBe(`2030-01-31T12:00:00${milliseconds}`);
  });

  it.each(['2030-01-31', '2030-02-31T12:00:00Z', '2030-01-31T12:00:00.Z', 'now', 1_896_091_200_000])(
    'is not %s',
    at => {
      const { error } = EventRow.safeParse({ event: 'ordered', email: 'ann@example.com', at });
      expect(error?.issues).toEqual([
        expect.objectContaining({
          path: ['at'],
          message: 'at must be a date with a time, such as 2026-01-31T12:00:00Z',
        }),
      ]);
    },
  );
});

const LETTERS =
  'must consist of letters from a to z, digits, spaces, dots, hyphens and underscores, and neither begin nor end with a space';
const KEY = 'idempotency_key must be text of 1 to 200 characters';
const ordered = { event: 'ordered', email: 'Ann@Example.com' };

describe('an event', () => {
  it.each<[object, Record<string, string>]>([
    [{ event: undefined }, { event: 'Enter the name of the event' }],
    [{ event: 7 }, { event: 'Enter the name of the event' }],
    [{ event: '' }, { event: `The name of an event ${LETTERS}` }],
    [{ event: 'a/b' }, { event: `The name of an event ${LETTERS}` }],
    [{ event: '@added' }, { event: `The name of an event ${LETTERS}` }],
    [{ event: 'x'.repeat(65) }, { event: 'The name of an event must be at most 64 characters' }],
    [{ event: 'prototype' }, { event: 'The name of an event must not be called prototype' }],
    [{ event: 'email' }, { event: 'An event must not be called email' }],
    [{ event: 'is_subscribed' }, { event: 'An event must not be called is_subscribed' }],
    [{ email: 'ann' }, { email: 'Enter a valid email address' }],
    [{ email_list_id: 7 }, { email_list_id: 'email_list_id must be the id of an email list' }],
    [{ properties: [] }, { properties: 'Metadata must be an object of keys and values' }],
    [{ properties: { 'a/b': 1 } }, { 'properties.a/b': `A key ${LETTERS}` }],
    [{ idempotency_key: 7 }, { idempotency_key: KEY }],
    [{ idempotency_key: '' }, { idempotency_key: KEY }],
    [{ idempotency_key: 'x'.repeat(201) }, { idempotency_key: KEY }],
    [{ create: 1 }, { create: 'create must be true or false' }],
  ])('with %j is rejected', (fields, faults) => {
    expect(faultsIn(EventRow, { ...ordered, ...fields })).toEqual(faults);
  });

  it('must be an object', () => {
    expect(faultsIn(EventRow, 'ordered')).toEqual({
      '': 'An event must be an object with the name of the event and an email',
    });
  });

  it('creates nobody and has no properties, unless the call says otherwise', () => {
    const none = { event: 'ordered', email: 'ann@example.com', properties: {}, create: false };
    expect(EventRow.parse(ordered)).toEqual(none);
    const all = {
      event: 'x'.repeat(64),
      properties: { a: null },
      create: true,
      idempotency_key: 'x'.repeat(200),
    };
    const at = '2030-01-31T12:00:00.5+02:00';
    expect(EventRow.parse({ ...ordered, ...all, at })).toEqual({
      ...none,
      ...all,
      at: new Date('2030-01-31T10:00:00.500Z'),
    });
  });

  it('comes with up to a hundred in a call', () => {
    const of = (events: unknown) => faultsIn(EventRows, { events });
    expect(of(Array(100).fill(7))).toEqual({});
    expect(of(Array(101).fill(7))).toEqual({ events: 'At most 100 events can be sent per call' });
    expect(of([])).toEqual({ events: 'Send at least one event' });
    expect(of({})).toEqual({ events: 'events must be a list of events' });
  });
});
