import { describe, expect, it } from 'vitest';
import { fixtureStack } from './fixture/stack.ts';

const MINUTE = 60_000;
const { json, now, moveTo, pass, jump, items, put, send, tries, waiting, take, positions, drain } =
  fixtureStack();

const runs = () => items('RUN');
const nextMinute = async () => (Math.floor((await now()) / MINUTE) + 1) * MINUTE;

describe('The simulated clock', () => {
  it('is the same in the functions as in the stack, while their timers keep real time', async () => {
    await jump(90 * MINUTE);
    const { body } = await json('GET', '/api/now');
    expect(Math.abs(body.now - (await now()))).toBeLessThan(20 * MINUTE);
    expect(body.now - Date.now()).toBeGreaterThan(80 * MINUTE);
    expect(Math.abs(body.started - Date.now())).toBeLessThan(60 * MINUTE);
  });

  it('does not go back, and says so', async () => {
    const before = await now();
    const { status, body } = await moveTo(before - 1000);
    expect(status).toBe(422);
    expect(body.message).toMatch(/^The clock cannot go back: it is \d{4}-/);
    expect(await now()).toBeGreaterThanOrEqual(before);
  });

  it('takes nothing that is no time', async () => {
    for (const wrong of [undefined, {}, { now: 'soon' }, { now: 5 }, { now: '2030-01-01T00:00:00' }]) {
      expect((await json('PUT', '/_local/clock', wrong)).status).toBe(422);
    }
  });
});

describe('Schedules', () => {
  it('run for every minute that passes, each at its minute', async () => {
    const first = await nextMinute();
    const { body } = await moveTo(first + 2 * MINUTE + 30_000);
    expect(body.sweeps).toBe(3);
    expect(body.sends).toBe(0);
    for (const minute of [0, 1, 2]) {
      const time = new Date(first + minute * MINUTE).toISOString();
      const run = (await runs()).find(({ SK }) => SK === time.replace('.000Z', 'Z'));
      expect(run?.at?.slice(0, 16)).toBe(time.slice(0, 16));
    }
  });

  it('that fail are retried a minute later', async () => {
    const first = await nextMinute();
    const time = new Date(first).toISOString().replace('.000Z', 'Z');
    await put({ PK: 'TRIP', SK: time });
    const ran = async () => (await runs()).some(({ SK }) => SK === time);
    expect((await moveTo(first)).body.sweeps).toBe(0);
    expect(await ran()).toBe(false);
    expect((await moveTo(first + MINUTE)).body.sweeps).toBe(1);
    expect(await ran()).toBe(true);
  });

  it('do not run during an outage, and go on from the next minute', async () => {
    const before = (await runs()).length;
    const { body } = await moveTo((await now()) + 3 * 24 * 60 * MINUTE, true);
    expect(body.sweeps).toBe(0);
    expect(await runs()).toHaveLength(before);
    expect((await moveTo(await nextMinute())).body.sweeps).toBe(1);
    expect(await runs()).toHaveLength(before + 1);
  });
});

describe('A queue', () => {
  it('passes its messages to the function, and is idle after a drain', async () => {
    for (const body of ['one', 'two', 'three']) await send(body);
    await drain();
    expect(await Promise.all(['one', 'two', 'three'].map(tries))).toEqual([1, 1, 1]);
  });

  it('retries only the messages that were reported as failed, when they are visible again in simulated time', async () => {
    await send('fail and stay');
    await send('go through');
    await drain();
    expect(await tries('fail and stay')).toBe(1);
    await pass(5 * MINUTE);
    expect(await tries('fail and stay')).toBe(1);
    await pass(2 * MINUTE);
    expect(await tries('fail and stay')).toBe(2);
    expect(await tries('go through')).toBe(1);
  });

  it('retries the whole batch when the function crashes', async () => {
    await send('crash please');
    await drain();
    expect(await tries('crash please')).toBe(1);
    await pass(7 * MINUTE);
    expect(await tries('crash please')).toBe(2);
  });

  it('moves a message to the dead-letter queue after its last retry', async () => {
    await send('fail for good');
    await drain();
    for (let visible = 1; visible <= 4; visible += 1) await jump(7 * MINUTE);
    expect(await tries('fail for good')).toBe(2);
    expect(await waiting('Dead')).toBeGreaterThan(0);
    expect(await waiting('Work')).toBe(0);
  });
});

describe('The stream of a table', () => {
  const seen = async () => (await items('SEEN')).map(({ SK }) => SK?.replace(/^\d+ /, ''));

  it('passes on each change, in order', async () => {
    await put({ PK: 'ITEM', SK: 'a', text: '1' });
    await put({ PK: 'ITEM', SK: 'b', text: '1' });
    await put({ PK: 'ITEM', SK: 'a', text: '2' });
    await drain();
    expect(await seen()).toEqual(['INSERT a', 'INSERT b', 'MODIFY a']);
  });

  it('blocks later changes until a failed record succeeds, in simulated time', async () => {
    const refuse_until = new Date((await now()) + 10 * MINUTE).toISOString();
    await put({ PK: 'ITEM', SK: 'c', refuse_until });
    await put({ PK: 'ITEM', SK: 'd' });
    await drain();
    expect(await seen()).not.toContain('INSERT c');
    expect(await seen()).not.toContain('INSERT d');
    await pass(15 * MINUTE);
    expect((await seen()).slice(-2)).toEqual(['INSERT c', 'INSERT d']);
  });
});

const meter = async () => (await json('GET', '/_local/meter')).body;

describe('A stream that is filtered', () => {
  const called = async () => (await items('CALLED')).map(({ SK }) => SK);

  it('invokes its function with what matches, and with nothing else', async () => {
    await put({ PK: 'ASKED', SK: 'a', text: '1' });
    await put({ PK: 'NOT ASKED', SK: 'b' });
    await put({ PK: 'ASKED', SK: 'a', text: '2' });
    await drain();
    expect(await called()).toEqual(['INSERT ASKED a', 'MODIFY ASKED a']);
  });

  it('invokes nothing where nothing matches, and reading it costs nothing', async () => {
    await drain();
    await json('DELETE', '/_local/meter');
    await put({ PK: 'NOT ASKED', SK: 'c' });
    await drain();
    // The call that wrote it, and the unfiltered reader of the same stream.
    expect(await meter()).toMatchObject({
      lambda: { invocations: 2 },
      dynamodb: { requests: 1, read_units: 0, write_units: 1 },
    });
    // Both readers are done with it.
    expect(new Set(positions()).size).toBe(1);
  });

  it('sends the position of records that it gave up to a queue, and continues', async () => {
    const before = await now();
    await put({ PK: 'ASKED', SK: 'd', refuse: 'yes' });
    await put({ PK: 'ASKED', SK: 'e' });
    await drain();
    expect(await waiting('Lost')).toBe(0);
    await pass(5 * MINUTE);
    expect(await called()).toContain('INSERT ASKED e');
    const loss = JSON.parse((await take('Lost')) ?? '');
    expect(loss).toMatchObject({
      version: '1.0',
      requestContext: {
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        functionArn: expect.stringMatching(/:function:fixture-app-clerk\w+:\$LATEST$/),
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 3,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      DDBStreamBatchInfo: {
        shardId: expect.stringMatching(/./),
        startSequenceNumber: expect.stringMatching(/^\d+$/),
        batchSize: 1,
        streamArn: expect.stringContaining('/stream/'),
      },
    });
    const info = loss.DDBStreamBatchInfo;
    expect(info.endSequenceNumber).toBe(info.startSequenceNumber);
    expect(Date.parse(loss.timestamp)).toBeGreaterThan(before);
    expect(Date.parse(info.approximateArrivalOfFirstRecord)).toBeLessThan(before + MINUTE);
    expect(JSON.stringify(loss)).not.toContain('refuse');
    expect(await waiting('Lost')).toBe(0);
  });
});

describe('The meter', () => {
  it('counts what the product uses, the index apart', async () => {
    await drain();
    await json('DELETE', '/_local/meter');
    await put({ PK: 'METER', SK: 'a', GSI1PK: 'g' });
    const { dynamodb, functions, lambda, provider } = await meter();
    expect(dynamodb).toEqual({ requests: 1, read_units: 0, write_units: 2, index_write_units: 1 });
    expect(Object.entries(functions)).toEqual([[expect.stringMatching(/^fixture-app-\w+$/), dynamodb]]);
    expect(lambda.invocations).toBeGreaterThanOrEqual(1);
    expect(provider).toEqual({ calls: 0, accepted: 0 });
  });

  it('counts a write whose condition failed by its size, and hides from the product that it counts', async () => {
    await drain();
    await json('DELETE', '/_local/meter');
    const answer = await put({ PK: 'METER', SK: 'a', text: 'x'.repeat(3000) }, { conditioned: true });
    expect(answer.status).toBe(500);
    expect((await meter()).dynamodb).toMatchObject({ requests: 1, write_units: 3 });
    expect((await put({ PK: 'METER', SK: 'b' })).body).toEqual({ consumed: null });
  });

  it('counts calls to queues, and leaves out what is not the product', async () => {
    await json('DELETE', '/_local/meter');
    await send('metered');
    await drain();
    expect((await meter()).sqs.requests).toBe(1);
    const { requests } = (await meter()).dynamodb;
    await items('METER');
    expect((await meter()).dynamodb.requests).toBe(requests);
  });
});
