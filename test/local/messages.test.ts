import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { queueStores } from '#local/engines/messages.ts';
import { temporary } from './fixture/stack.ts';

type Store = Awaited<ReturnType<typeof queueStores>>['sqsStore'];
type Queue = ReturnType<Store['createQueue']>;
type Message = Queue['messages'][number];

const arn = (name: string) => `arn:aws:sqs:eu-central-1:000000000000:${name}`;
const file = () => join(temporary('messages'), 'queues.sqlite');
const MOST_TRIES = 2;

/** The queues of a template, as they are after a start with this file. */
async function queuesOf(file: string) {
  const { sqsStore } = await queueStores(file);
  const create = (name: string, attributes = {}) =>
    sqsStore.createQueue(name, `http://localhost/${name}`, arn(name), attributes);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: MOST_TRIES });
  return { work: create('work', { RedrivePolicy }), dead: create('dead') };
}

/** The same after a kill -9 at this moment. */
function killed(original: string) {
  const copy = file();
  for (const part of ['', '-wal']) copyFileSync(original + part, copy + part);
  return queuesOf(copy);
}

const message = (body: string, more: Partial<Message> = {}): Message => ({
  messageId: body,
  body,
  md5OfBody: '',
  messageAttributes: {},
  md5OfMessageAttributes: '',
  sentTimestamp: Date.now(),
  approximateReceiveCount: 0,
  ...more,
});

const bodies = (messages: Message[]) => messages.map(({ body }) => body);
/** A call of the API ends: what it wrote is committed. */
const answered = () => Promise.resolve();

describe('After a kill -9', () => {
  it('messages are in their order, with what was sent, and those with a delay have it', async () => {
    const original = file();
    const { work } = await queuesOf(original);
    const delayUntil = Date.now() + 60_000;
    const whole = message('b', {
      messageAttributes: { kind: { DataType: 'String', StringValue: '\ud800 "ü' } },
    });
    work.enqueue(message('c', { delayUntil }));
    for (const each of [whole, message('a')]) work.enqueue(each);
    await answered();
    const { ready, delayed } = (await killed(original)).work.inspectMessages();
    expect(bodies(ready)).toEqual(['b', 'a']);
    expect(ready[0]).toEqual(whole);
    expect(delayed).toEqual([message('c', { delayUntil, sentTimestamp: delayed[0]?.sentTimestamp ?? 0 })]);
  });

  it('a message that was received is hidden as long as before, and one that was deleted is gone', async () => {
    const original = file();
    const { work } = await queuesOf(original);
    for (const body of ['a', 'b']) work.enqueue(message(body));
    const [a, b] = work.dequeue(2, 60);
    work.deleteMessage(a?.ReceiptHandle ?? '');
    await answered();
    const { ready, inflight } = (await killed(original)).work.inspectMessages();
    expect(ready).toEqual([]);
    expect(inflight).toEqual(work.inspectMessages().inflight);
    expect(inflight).toMatchObject([
      { receiptHandle: b?.ReceiptHandle, message: { approximateReceiveCount: 1 } },
    ]);
  });

  it('a message that was given back at once is there at once, as one that was received', async () => {
    const original = file();
    const { work } = await queuesOf(original);
    work.enqueue(message('a'));
    const [received] = work.dequeue(1, 60);
    work.changeVisibility(received?.ReceiptHandle ?? '', 0);
    await answered();
    const { ready } = (await killed(original)).work.inspectMessages();
    expect(ready).toMatchObject([{ body: 'a', approximateReceiveCount: 1 }]);
  });

  it('a message on its way to the dead-letter queue is in one of the two', async () => {
    const original = file();
    const { work, dead } = await queuesOf(original);
    const restarts: ReturnType<typeof killed>[] = [];
    const enqueue = dead.enqueue.bind(dead);
    dead.enqueue = failed => {
      restarts.push(killed(original));
      enqueue(failed);
      restarts.push(killed(original));
    };
    work.enqueue(message('a'));
    for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
      expect(work.dequeue(1, 0, () => dead)).toHaveLength(1);
      await answered();
    }
    expect(work.dequeue(1, 0, () => dead)).toEqual([]);
    await answered();
    restarts.push(killed(original));
    const found = (await Promise.all(restarts)).map(({ work, dead }) => [
      bodies(work.inspectMessages().inflight.map(({ message }) => message)),
      bodies(dead.inspectMessages().ready),
    ]);
    expect(found).toEqual([
      [['a'], []],
      [['a'], []],
      [[], ['a']],
    ]);
  });

  it('a queue that was emptied is empty, and the others are not', async () => {
    const original = file();
    const { work, dead } = await queuesOf(original);
    work.enqueue(message('a'));
    dead.enqueue(message('b'));
    work.purge();
    await answered();
    const after = await killed(original);
    expect(bodies([...after.work.messages, ...after.dead.messages])).toEqual(['b']);
  });
});
