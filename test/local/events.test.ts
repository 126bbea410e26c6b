import { describe, expect, it } from 'vitest';
import { entry } from './fixture/client.ts';
import { fixtureStack } from './fixture/stack.ts';

const MINUTE = 60_000;
const { now, pass, jump, item, eventTries: tries, publish, drain, stack, take } = fixtureStack();

describe('An event', () => {
  it('invokes the function whose rule it matches, before a drain is over', async () => {
    const before = await now();
    const { body } = await publish(entry({ name: 'apple', colour: 'red' }));
    expect(body).toEqual({
      FailedEntryCount: 0,
      Entries: [{ EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    });
    await drain();
    const event = JSON.parse((await item('RECEIVED', 'apple'))?.event ?? '');
    expect(event).toEqual({
      version: '0',
      id: body.Entries[0].EventId,
      'detail-type': 'thing.made',
      source: 'fixture',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'eu-central-1',
      resources: [],
      detail: { name: 'apple', colour: 'red' },
    });
    expect(Math.abs(Date.parse(event.time) - before)).toBeLessThan(MINUTE);
  });

  it('invokes no function whose rule it does not match', async () => {
    await publish(
      entry({ name: 'pear', colour: 'green' }),
      entry({ name: 'pear', colour: 'red' }, { Source: 'elsewhere' }),
      entry({ name: 'pear', colour: 'red' }, { DetailType: 'thing.broken' }),
    );
    await drain();
    expect(await item('RECEIVED', 'pear')).toBeUndefined();
  });

  it('is kept for tests to read, with the simulated time, newest last', async () => {
    await jump(90 * MINUTE);
    await publish(entry({ name: 'plum', colour: 'blue' }), entry({ name: 'cherry', colour: 'blue' }));
    const [plum, cherry] = stack().events().slice(-2);
    expect(plum).toEqual({
      bus: 'fixture',
      source: 'fixture',
      detailType: 'thing.made',
      detail: { name: 'plum', colour: 'blue' },
      at: expect.stringMatching(/Z$/),
    });
    expect(Math.abs(Date.parse(plum?.at ?? '') - (await now()))).toBeLessThan(MINUTE);
    expect(cherry?.detail).toMatchObject({ name: 'cherry' });
  });

  it('is retried after one minute and after two more where its function fails, and then put in the queue of what is lost', async () => {
    await publish(entry({ name: 'crab', colour: 'red', refuse: true }));
    await drain();
    expect(await tries('crab')).toBe(1);
    await pass(MINUTE);
    expect(await tries('crab')).toBe(2);
    await pass(2 * MINUTE);
    expect(await tries('crab')).toBe(3);
    await jump(60 * MINUTE);
    expect(await tries('crab')).toBe(3);
    expect(stack().logs().join('\n')).toContain('fixture/listener.ts gave up an event after 3 attempts');
    expect(JSON.parse((await take('Lost')) ?? '')).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { detail: { name: 'crab' } },
    });
  });
});

describe('An event that is refused', () => {
  const code = async (more: object) => (await publish(entry({ name: 'x' }, more))).body.Entries[0].ErrorCode;

  it('names another bus; the others of the same call are taken', async () => {
    const before = stack().events().length;
    const { body } = await publish(
      entry({ name: 'fine', colour: 'blue' }),
      entry({ name: 'x' }, { EventBusName: 'unheard-of' }),
    );
    expect(body).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ EventId: expect.any(String) }, { ErrorCode: 'AccessDeniedException' }],
    });
    expect(stack().events().slice(before)).toMatchObject([{ detail: { name: 'fine' } }]);
  });

  it('has no source, no type, or a detail that is not an object', async () => {
    expect(await code({ Source: '' })).toBe('InvalidArgument');
    expect(await code({ DetailType: undefined })).toBe('InvalidArgument');
    expect(await code({ Detail: '{' })).toBe('MalformedDetail');
    expect(await code({ Detail: '[]' })).toBe('MalformedDetail');
  });

  it('is one of more than ten, or of more than 256 KB in one call', async () => {
    const before = stack().events().length;
    const many = Array.from({ length: 11 }, () => entry({ name: 'x' }));
    expect((await publish(...many)).body.message).toContain('ValidationException');
    const half = () => entry({ name: 'x'.repeat(128 * 1024) });
    expect((await publish(half(), half())).body.message).toContain('Total size of the entries');
    expect(stack().events()).toHaveLength(before);
    expect((await publish(half())).body.FailedEntryCount).toBe(0);
  });
});
