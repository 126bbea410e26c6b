import { beforeEach, expect, it } from 'vitest';
import { invalid } from '#core/refusal.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import { once } from '#functions/http/idempotency.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { engineTable } from '#test/support/engine.ts';
import { breakingConnection } from '#test/support/lost-answer.ts';

const table = engineTable();
const at = (seconds: number) => new Date(Date.parse('2030-01-01T12:00:00Z') + seconds * 1000);
const DAY = 24 * 60 * 60;

let organization = 0;
let done = 0;
beforeEach(() => {
  organization++;
  done = 0;
});

const CALL = {
  user: 'ann',
  key: 'order-1',
  method: 'POST',
  path: '/api/v1/value',
  body: '{"email":"ann@example.com"}',
};
type Options = { seconds?: number; on?: Table; work?: typeof answer; of?: number };
const answer = async () => ({ status: 200, body: `{"done":${++done},"email":"ann@example.com"}` });
const calling = (
  fields: object = {},
  { seconds = 0, on = table, work = answer, of = organization }: Options = {},
) => once({ table: on, now: at(seconds) }, of, { ...CALL, ...fields }, work);
const stored = () => queryPartition(table, `ORG#${organization}#ANSWERS`);

it('the same call with the same key is answered as before for 24 hours, and does nothing again', async () => {
  const first = await calling();
  expect(first).toEqual({ status: 200, body: '{"done":1,"email":"ann@example.com"}', isRepeated: false });
  expect(await calling({}, { seconds: DAY - 1 })).toEqual({ ...first, isRepeated: true });
  expect(done).toBe(1);
});

it('after 24 hours it is a new call, whatever DynamoDB has deleted', async () => {
  await calling();
  expect(await calling({ body: '{}' }, { seconds: DAY })).toMatchObject({ isRepeated: false });
  expect(done).toBe(2);
});

it.each([{ body: '{}' }, { path: '/api/v1/email-lists/1/members' }, { method: 'PUT' }])(
  'another call with the same key is refused: %o',
  async other => {
    await calling();
    await expect(calling(other)).rejects.toMatchObject({ reason: 'conflict' });
    expect(done).toBe(1);
  },
);

it('keys are those of an organization', async () => {
  await calling();
  expect(await calling({ body: '{}' }, { of: organization + 1_000_000 })).toMatchObject({
    isRepeated: false,
  });
});

it('of fifty calls at once one is done; the others are told that it is under way, or get its answer', async () => {
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => calling()));
  expect(done).toBe(1);
  const answers = all.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  for (const one of all) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'conflict', retryAfter: 1 });
  }
});

it.each([new Error('The table is down'), invalid('value', 'value is required')])(
  'a call that fails or is refused is not kept: %s',
  async error => {
    await expect(calling({}, { work: () => Promise.reject(error) })).rejects.toThrow(error);
    expect(await stored()).toEqual([]);
    expect(await calling()).toMatchObject({ isRepeated: false });
  },
);

it('a call whose process has died may be repeated when it cannot run any more, and nothing else with its key', async () => {
  await expect(calling({}, { on: crashing(table, { at: 2, how: 'before' }) })).rejects.toThrow(Crashed);
  await expect(calling({}, { seconds: 39 })).rejects.toMatchObject({ reason: 'conflict', retryAfter: 1 });
  await expect(calling({ body: '{}' }, { seconds: 40 })).rejects.toMatchObject({ reason: 'conflict' });
  expect(await calling({}, { seconds: 40 })).toMatchObject({ isRepeated: false });
  expect(await calling({}, { seconds: 80 })).toMatchObject({ isRepeated: true });
});

it('is no repetition where the connection broke and the SDK has sent it again', async () => {
  expect(await calling({}, { on: breakingConnection(table) })).toMatchObject({ isRepeated: false });
  expect(done).toBe(1);
});

it('what is stored shows neither the key nor the answer, and expires', async () => {
  await calling();
  const [item, ...others] = await stored();
  expect(others).toEqual([]);
  expect(item?.ttl).toBe(at(DAY).getTime() / 1000);
  const text = JSON.stringify(item) + Buffer.from(item?.answer as Uint8Array).toString();
  expect(text).not.toContain('ann@');
  expect(text).not.toContain('order-1');
});

it('an answer that no item holds is not kept, but that it was given is', async () => {
  const noise = Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join('');
  await calling({}, { work: async () => ({ status: 200, body: noise }) });
  await expect(calling()).rejects.toThrow('too large to be kept');
  expect(done).toBe(0);
});

it.each(['', 'x'.repeat(201), 'two words', 'ä', 'a\tb'])('a key is short and plain: %s', async key => {
  await expect(calling({ key })).rejects.toMatchObject({
    reason: 'invalid',
    errors: { 'Idempotency-Key': [expect.stringContaining('visible ASCII')] },
  });
  expect(done).toBe(0);
});
