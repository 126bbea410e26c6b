import { beforeEach, describe, expect, it } from 'vitest';
import { allNamed } from '#core/list/event/event.store.ts';
import { storeAll } from '#core/list/event/event.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as purge from '#core/storage/purge-request.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { newLists } from '#test/support/core-automation.ts';
import { crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';

const table = freshTable();
const NOW = new Date('2030-06-15T12:00:00.250Z');
const ANN = 'ann@example.com';
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString();

let readers: list.CountedList;
let buyers: list.CountedList;
beforeEach(async () => {
  [readers, buyers] = (await newLists(table, NOW, ['Readers', 'Buyers'])) as [
    list.CountedList,
    list.CountedList,
  ];
});

const upsert = (to: list.CountedList, ...members: object[]) =>
  listMember.upsertAll({ table, now: new Date(ago(DAY)) }, to, members);
const person = (email = ANN) => recipientKey.keyOf(readers.organization_id, email);
const partition = (email = ANN) => recipientKey.partitionOf(person(email));
const send = (events: unknown[], on: Table = table, now = NOW) =>
  storeAll({ table: on, now }, readers.organization_id, events);
const ordered = (fields: object = {}) => ({ event: 'ordered', email: ANN, ...fields });
const statuses = async (...events: unknown[]) => (await send(events)).map(({ status }) => status);
const errorsOf = async (event: unknown) => {
  const [{ status, errors } = { status: undefined, errors: undefined }] = await send([event]);
  expect(status).toBe('rejected');
  return errors;
};
const memberOf = async (to = readers, email = ANN) =>
  (await getAll(table, [{ PK: partition(email), SK: `IN#${to.id}` }]))[0];
const metadataOf = async (to?: list.CountedList, email?: string) => (await memberOf(to, email))?.metadata;
const triggers = async (to = readers, column = 'ordered') =>
  (await queryPartition(table, `TRG#${to.id}#${column}`)).map(({ SK }) => String(SK).slice(0, 15));
const names = async () => (await allNamed(table, readers.organization_id)).map(({ event }) => event);

describe('An event', () => {
  it('sets the date of its name and its properties in all lists of the person, and adds trigger rows', async () => {
    await upsert(readers, { email: ANN, plan: 'basic', city: 'Rome' });
    await upsert(buyers, { email: ANN });
    const results = await send([ordered({ properties: { plan: 'pro', total: 9.5, city: null } })]);
    expect(results).toEqual([{ index: 0, status: 'stored' }]);
    const stored = { ordered: NOW.toISOString(), plan: 'pro', total: 9.5 };
    expect([await metadataOf(), await metadataOf(buyers)]).toEqual([stored, stored]);
    expect(await triggers()).toEqual(['0720#2030-06-15']);
    expect(await triggers(buyers)).toEqual(['0720#2030-06-15']);
    expect((await queryPartition(table, `LIST#${buyers.id}`, 'COLUMN#')).map(({ SK }) => SK)).toEqual([
      'COLUMN#ordered',
    ]);
  });

  it('of one list changes that one alone', async () => {
    await upsert(readers, { email: ANN });
    await upsert(buyers, { email: ANN });
    expect(await statuses(ordered({ email_list_id: buyers.id }))).toEqual(['stored']);
    expect([await metadataOf(), await metadataOf(buyers)]).toEqual([{}, { ordered: NOW.toISOString() }]);
  });

  it('with a later instant moves the date, an older or equal one changes nothing, nor its properties', async () => {
    await upsert(readers, { email: ANN });
    expect(await statuses(ordered({ at: '2030-06-15T10:00:00+02:00' }))).toEqual(['stored']);
    expect(await statuses(ordered({ at: '2030-06-15 08:00', properties: { plan: 'pro' } }))).toEqual([
      'unchanged',
    ]);
    expect(await statuses(ordered({ at: ago(DAY), properties: { plan: 'pro' } }))).toEqual(['unchanged']);
    expect(await metadataOf()).toEqual({ ordered: '2030-06-15T08:00:00.000Z' });
    expect(await statuses(ordered({ at: '2030-06-15T08:00:00.010Z' }))).toEqual(['stored']);
    expect(await triggers()).toEqual(['0480#2030-06-15']);
  });

  it('that is more than an hour old says that what was due is not sent', async () => {
    await upsert(readers, { email: ANN });
    const [hour] = await send([ordered({ at: ago(HOUR) })]);
    const late = { ...ordered({ at: ago(HOUR + 1) }), event: 'paid' };
    const [older] = await send([late]);
    expect(hour).toEqual({ index: 0, status: 'stored' });
    const warnings = { at: [expect.stringContaining('an email that was due by now is not sent')] };
    expect(older).toEqual({ index: 0, status: 'stored', warnings });
    expect(await send([late])).toEqual([{ index: 0, status: 'unchanged' }]);
  });

  it('may be from a year ago to a day ahead, and warns of a property that looks like a date', async () => {
    await upsert(readers, { email: ANN, ordered: '' });
    const first = ordered({ at: ago(365 * DAY), properties: { until: '31.12.2030' } });
    expect(await send([first])).toEqual([
      {
        index: 0,
        status: 'stored',
        warnings: { at: [expect.anything()], 'properties.until': [expect.anything()] },
      },
    ]);
    expect(await send([ordered({ at: ago(-DAY) })])).toEqual([{ index: 0, status: 'stored' }]);
    expect(await metadataOf()).toEqual({ ordered: ago(-DAY), until: '31.12.2030' });
  });

  it('of somebody unsubscribed is stored, and leaves them unsubscribed', async () => {
    await upsert(readers, { email: ANN });
    await upsert(readers, { email: ANN, is_subscribed: false });
    expect(await statuses(ordered({ email_list_id: readers.id, create: true }))).toEqual(['stored']);
    expect(await memberOf()).toMatchObject({
      status: 'unsubscribed',
      metadata: { ordered: NOW.toISOString() },
    });
    expect(await triggers()).toEqual([]);
  });

  it('of an unknown person creates them only where it says so', async () => {
    expect(await statuses(ordered(), ordered({ email_list_id: readers.id }))).toEqual(['unknown', 'unknown']);
    expect(await queryPartition(table, partition())).toEqual([]);
    const create = ordered({ email_list_id: readers.id, create: true, properties: { plan: 'pro' } });
    expect(await statuses(create)).toEqual(['stored']);
    expect(await memberOf()).toMatchObject({
      email: ANN,
      status: 'subscribed',
      metadata: { ordered: NOW.toISOString(), plan: 'pro' },
    });
    expect(await triggers()).toEqual(['0720#2030-06-15']);
    await upsert(readers, { email: ANN, is_subscribed: false });
    await recipient.leave({ table, now: NOW }, person(), readers.id, 'api');
    expect(await statuses({ ...create, email_list_id: buyers.id })).toEqual(['stored']);
    expect(await memberOf(buyers)).toMatchObject({ status: 'subscribed' });
    expect(await statuses(create)).toEqual(['stored']);
    expect(await memberOf()).toMatchObject({ status: 'unsubscribed' });
  });

  it('creates nobody for good in a list that is deleted at that moment', async () => {
    const key = { PK: `ORG#${readers.organization_id}`, SK: `LIST#${readers.id}` };
    const on = beforeFirst(table, 'TransactWriteCommand', () => batchWrite(table, { deletes: [key] }));
    const create = ordered({ email_list_id: readers.id, create: true });
    expect(await send([create], on)).toEqual([
      { index: 0, status: 'rejected', errors: { event: ['Email list not found'] } },
    ]);
    expect((await purge.readAll(table)).map(({ list_id }) => list_id)).toContain(readers.id);
  });

  it('is not taken for one of a deleted list where its column cannot be inserted', async () => {
    await upsert(readers, { email: ANN });
    const failing = (error: object) =>
      intercepted(table, (send, { constructor: { name } }) => {
        if (name !== 'TransactWriteCommand') return send();
        throw Object.assign(new Error('The table is down'), error);
      });
    await expect(send([ordered()], failing({}))).rejects.toThrow('The table is down');
    const lost = {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    };
    expect(await send([ordered()], failing(lost))).toEqual([
      { index: 0, status: 'rejected', errors: { event: [expect.stringContaining('Please try again')] } },
    ]);
  });

  it('of many people inserts the column of a list once', async () => {
    const people = Array.from({ length: 5 }, (_, at) => ({ email: `p${at}@example.com` }));
    await upsert(readers, ...people);
    let reads = 0;
    const on = intercepted(table, (send, { input }) => {
      if (JSON.stringify(input).includes(`:"LIST#${readers.id}"}`)) reads++;
      return send();
    });
    const results = await send(
      people.map(of => ordered(of)),
      on,
    );
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('stored'));
    expect(reads).toBe(1);
  });

  it('of two lists of which one is deleted meanwhile is stored in the other', async () => {
    await upsert(readers, { email: ANN });
    await upsert(buyers, { email: ANN });
    await batchWrite(table, { deletes: [{ PK: `LIST#${buyers.id}`, SK: 'COUNTS' }] });
    expect(await statuses(ordered())).toEqual(['stored']);
    expect([await metadataOf(), await metadataOf(buyers)]).toEqual([{ ordered: NOW.toISOString() }, {}]);
  });
});

describe('A key', () => {
  const once = (fields: object = {}) => ordered({ idempotency_key: 'order-1 of ann@example.com', ...fields });

  it('is stored once within a day, without its text', async () => {
    await upsert(readers, { email: ANN });
    expect(await statuses(once())).toEqual(['stored']);
    const later = new Date(NOW.getTime() + DAY - 1);
    expect((await send([once({ properties: { plan: 'pro' } })], table, later))[0]?.status).toBe('unchanged');
    expect(await metadataOf()).toEqual({ ordered: NOW.toISOString() });
    expect(JSON.stringify(await queryPartition(table, partition(), 'KEY#'))).not.toContain('ann');
    expect((await send([once()], table, new Date(NOW.getTime() + DAY)))[0]?.status).toBe('stored');
    expect(await statuses(once({ email: 'ben@example.com' }))).toEqual(['unknown']);
  });

  it('of two calls at once is stored by one', async () => {
    await upsert(readers, { email: ANN });
    const calls = [0, 5, 10].map(ms => send([once()], table, new Date(NOW.getTime() + ms)));
    const results = (await Promise.all(calls)).flat().map(({ status }) => status);
    expect(results.sort()).toEqual(['stored', 'unchanged', 'unchanged']);
  });

  it('of a person on 70 lists stores the rest of the same event after a process has died', async () => {
    const lists = await newLists(
      table,
      NOW,
      Array.from({ length: 70 }, (_, at) => `List ${at}`),
    );
    const [{ organization_id = 0 } = {}] = lists;
    for (const to of lists) await upsert(to, { email: ANN });
    const at = (ms: number) => ({ table, now: new Date(NOW.getTime() + ms) });
    const columns = lists.length;
    const dying = crashing(table, { at: columns + 2, how: 'before' });
    await expect(storeAll({ ...at(0), table: dying }, organization_id, [once()])).rejects.toThrow();
    const PK = `R#${organization_id}#${recipientKey.hashOf(ANN)}`;
    const instants = async () =>
      (await queryPartition(table, PK, 'IN#')).map(
        ({ metadata }) => (metadata as { ordered?: string }).ordered,
      );
    expect(new Set(await instants())).toEqual(new Set([NOW.toISOString(), undefined]));
    expect((await storeAll(at(60_000), organization_id, [once()]))[0]?.status).toBe('stored');
    expect(new Set(await instants())).toEqual(new Set([NOW.toISOString()]));
    expect((await storeAll(at(120_000), organization_id, [once()]))[0]?.status).toBe('unchanged');
    expect(new Set(await instants())).toEqual(new Set([NOW.toISOString()]));
  });
});

describe('Of several events', () => {
  it('each has the result of its place, and a bad one does not fail the others', async () => {
    await upsert(readers, { email: ANN }, { email: 'ben@example.com' });
    expect(
      await statuses(
        ordered({ email: 'ben@example.com' }),
        'no object',
        ordered({ email: 'no@example.com' }),
        ordered(),
      ),
    ).toEqual(['stored', 'rejected', 'unknown', 'stored']);
  });

  it('one of a list of nobody is rejected, and changes no list of the others', async () => {
    for (const to of [readers, buyers]) await upsert(to, { email: ANN });
    const ofNobody = ordered({ email_list_id: '0'.repeat(12) });
    const ofBuyers = { event: 'paid', email: ANN, email_list_id: buyers.id };
    expect(await statuses(ofNobody, ofBuyers)).toEqual(['rejected', 'stored']);
    expect([await metadataOf(), await metadataOf(buyers)]).toEqual([{}, { paid: NOW.toISOString() }]);
  });

  it('of one member and name the later one counts', async () => {
    await upsert(readers, { email: ANN });
    expect(
      await statuses(
        ordered({ at: ago(2000), properties: { plan: 'first' } }),
        ordered({ email: ' ANN@example.com', at: ago(1000), properties: { plan: 'second' } }),
        { event: 'paid', email: ANN, at: ago(500), properties: { plan: 'third' } },
        { event: 'asked', email: ANN, at: ago(700), properties: { plan: 'fourth' } },
      ),
    ).toEqual(['unchanged', 'stored', 'stored', 'stored']);
    expect(await metadataOf()).toEqual({
      ordered: ago(1000),
      paid: ago(500),
      asked: ago(700),
      plan: 'third',
    });
  });

  it('meeting a change of the same member, both are stored', async () => {
    await upsert(readers, { email: ANN });
    const on = beforeFirst(table, 'TransactWriteCommand', async () => {
      await batchWrite(table, {
        puts: [{ PK: `LIST#${readers.id}`, SK: 'COLUMN#ordered', has_place: true, members: 0 }],
      });
      await upsert(readers, { email: ANN, city: 'Rome' });
    });
    expect((await send([ordered()], on))[0]?.status).toBe('stored');
    expect(await metadataOf()).toEqual({ ordered: NOW.toISOString(), city: 'Rome' });
  });
});

describe('An event is rejected, and nothing is stored,', () => {
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`k${at}`, at]));

  it.each([
    ['a name that is no column', { event: 'a/b' }, 'event', /The name of an event must consist of letters/],
    ['no name', { event: undefined }, 'event', 'Enter the name of the event'],
    ['a name that is a field', { event: 'email' }, 'event', 'An event must not be called email'],
    ['a name of other metadata', { event: 'city' }, 'event', /that is no date/],
    ['a name of a number', { event: 'seats' }, 'event', /that is no date/],
    ['no address', { email: 'ann' }, 'email', 'Enter a valid email address'],
    ['a day without a time', { at: '2030-06-15' }, 'at', /must be a date with a time/],
    ['an instant more than a day ahead', { at: ago(-DAY - 1) }, 'at', /more than a day ahead/],
    ['an instant older than a year', { at: ago(365 * DAY + 1) }, 'at', /older than a year/],
    [
      'a property of its own name',
      { properties: { ordered: 1 } },
      'properties.ordered',
      /the name of the event/,
    ],
    ['a property that is an object', { properties: { a: {} } }, 'properties.a', /must be text/],
    ['one key too many with those that are stored', { properties: many }, 'properties', /At most 50 keys/],
    ['a list of nobody', { email_list_id: '0'.repeat(12) }, 'email_list_id', /no email list with this id/],
    ['create without a list', { create: true }, 'email_list_id', /list on which to create them/],
    ['a key that is too long', { idempotency_key: 'x'.repeat(201) }, 'idempotency_key', /1 to 200/],
  ])('for %s', async (_, fields, field, text) => {
    await upsert(readers, { email: ANN, city: 'Rome', seats: 3 });
    expect(await errorsOf(ordered(fields))).toEqual({
      [field]: [typeof text === 'string' ? text : expect.stringMatching(text)],
    });
    expect([await metadataOf(), await names()]).toEqual([{ city: 'Rome', seats: 3 }, []]);
  });

  it('for a list of another organization', async () => {
    const [other] = await newLists(table, NOW, ['Others']);
    expect(await errorsOf(ordered({ email_list_id: other?.id }))).toHaveProperty('email_list_id');
  });

  it('where a list has dates in 100 columns', async () => {
    await upsert(readers, { email: ANN });
    for (const from of [0, 40, 80]) {
      const dates = Array.from({ length: from === 80 ? 20 : 40 }, (_, at) => [`d${from + at}`, '2030-01-01']);
      await upsert(readers, { email: `m${from}@example.com`, ...Object.fromEntries(dates) });
    }
    const noPlace = [expect.stringMatching(/at most 100 columns/)];
    expect(await errorsOf(ordered())).toEqual({ event: noPlace });
    const shipped = { event: 'd0', email: ANN, properties: { shipped: '2030-02-01', d1: '2030-02-01' } };
    expect(await errorsOf(shipped)).toEqual({ 'properties.shipped': noPlace });
  });
});

it('Events of people on many lists count as further calls, after which the call is refused', async () => {
  const lists = await newLists(table, NOW, Array(60).fill('One of many'));
  const organization = lists[0]?.organization_id ?? 0;
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => ({ email: `${name}@example.com` }));
  for (const of of lists) await upsert(of, ...people);
  const RATE = { PK: `RATE#${organization}`, SK: '2030-06-15T12:00:00.000Z' };
  const calls = async () => (await getAll(table, [RATE]))[0]?.calls;
  const all = (event: string) => people.map(of => ({ event, ...of }));
  const store = (events: object[]) => storeAll({ table, now: NOW }, organization, events);
  await store(all('ordered').slice(0, 1));
  expect(await calls()).toBeUndefined();
  // 360 memberships, 100 of them in the call itself.
  expect((await store(all('paid'))).map(({ status }) => status)).toEqual(Array(6).fill('stored'));
  expect(await calls()).toBe(3);
  await store(all('paid'));
  expect(await calls()).toBe(3);
  await batchWrite(table, { puts: [{ ...RATE, calls: 80, processor_ms: 0 }] });
  await expect(store(all('left'))).rejects.toMatchObject({ reason: 'too-many' });
});

describe('The names of events', () => {
  it('are noted once a minute, also where nobody is known, the newest first', async () => {
    await send([ordered()]);
    await send([{ event: 'paid', email: ANN }], table, new Date(NOW.getTime() + 61_000));
    const commands: string[] = [];
    const counted = intercepted(table, (send, command) => {
      if (JSON.stringify(command.input).includes('#EVENTS')) commands.push(command.constructor.name);
      return send();
    });
    for (const ms of [30_000, 59_999, 60_000, 90_000])
      await send([ordered()], counted, new Date(NOW.getTime() + ms));
    // A process reads them once, and again a minute after it came.
    expect(commands).toEqual(['BatchGetCommand', 'BatchGetCommand', 'UpdateCommand']);
    expect(await allNamed(table, readers.organization_id)).toEqual([
      { event: 'paid', last_at: ago(-61_000) },
      { event: 'ordered', last_at: ago(-60_000) },
    ]);
  });

  it('keep the later of two calls at once', async () => {
    const later = () => send([ordered()], table, new Date(NOW.getTime() + 1));
    await send([ordered()], beforeFirst(table, 'UpdateCommand', later));
    expect(await allNamed(table, readers.organization_id)).toEqual([{ event: 'ordered', last_at: ago(-1) }]);
  });

  it('are 200 at most, of which one that has not come for 30 days gives way', async () => {
    const PK = `ORG#${readers.organization_id}#EVENTS`;
    const puts = Array.from({ length: 199 }, (_, at) => ({ PK, SK: `e${at}`, last_at: ago(30 * DAY) }));
    await batchWrite(table, { puts });
    expect((await send([ordered(), ordered({ event: 'paid' })])).map(({ status }) => status)).toEqual([
      'unknown',
      'rejected',
    ]);
    expect(await errorsOf(ordered({ event: 'paid' }))).toEqual({
      event: [expect.stringMatching(/200 names of events/)],
    });
    const later = new Date(NOW.getTime() + 1);
    expect((await send([ordered({ event: 'paid' })], table, later))[0]?.status).toBe('unknown');
    expect((await names()).length).toBe(200);
    expect((await names()).slice(0, 2)).toEqual(['paid', 'ordered']);
    // Two calls at once may have taken one place more.
    await batchWrite(table, { puts: [{ PK, SK: 'other', last_at: NOW.toISOString() }] });
    await batchWrite(table, { puts: puts.map(put => ({ ...put, last_at: NOW.toISOString() })) });
    const more = ['f0', 'f1', 'f2'].map(event => ordered({ event }));
    expect(await statuses(...more)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('give way only to one that has no other place, and that is stored', async () => {
    await upsert(readers, { email: ANN, city: 'Rome' });
    const PK = `ORG#${readers.organization_id}#EVENTS`;
    const puts = Array.from({ length: 199 }, (_, at) => ({ PK, SK: `e${at}`, last_at: ago(31 * DAY) }));
    await batchWrite(table, { puts });
    expect(await statuses(ordered())).toEqual(['stored']);
    expect(await names()).toHaveLength(200);
    const stale = intercepted(table, (send, { constructor: { name }, input }) =>
      name === 'BatchGetCommand' && JSON.stringify(input).includes('#EVENTS')
        ? Promise.resolve({ Responses: { [table.name]: [] } })
        : send(),
    );
    const later = new Date(NOW.getTime() + 60_000);
    expect(
      (await send([ordered(), ordered({ event: 'city' })], stale, later)).map(({ status }) => status),
    ).toEqual(['stored', 'rejected']);
    expect(await names()).toHaveLength(200);
  });

  it('give way in the order in which they came last; one that comes again at that moment stays', async () => {
    await send([ordered()], table, new Date(ago(300 * DAY)));
    const PK = `ORG#${readers.organization_id}#EVENTS`;
    const came = (SK: string, days: number) => ({ PK, SK, last_at: ago(days * DAY) });
    const fresh = Array.from({ length: 196 }, (_, nth) => came(`e${nth}`, 0));
    const forgotten = [31, 32, 33].map(days => came(`of${days}`, days));
    await batchWrite(table, { puts: [...fresh, ...forgotten] });
    const events = (...named: string[]) => named.map(event => ordered({ event }));
    expect(await statuses(...events('paid'))).toEqual(['unknown']);
    expect((await names()).slice(-3)).toEqual(['of31', 'of32', 'of33']);
    expect(await statuses(...events('of33', 'joined'))).toEqual(['unknown', 'unknown']);
    expect(await names()).toHaveLength(200);
    expect((await names()).at(-1)).toBe('of31');
    const on = beforeFirst(table, 'DeleteCommand', () => batchWrite(table, { puts: [came('of31', 0)] }));
    expect((await send(events('left'), on))[0]?.status).toBe('unknown');
    expect(await names()).toEqual(expect.arrayContaining(['of31', 'of33', 'left']));
    // What this process knew is new again.
    expect(await statuses(ordered())).toEqual(['rejected']);
    expect(await names()).toHaveLength(201);
  });
});
