import { availableParallelism } from 'node:os';
import type { Clock } from '../clock.ts';
import { call, queueUrl } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { Mistake, messageOf } from '../mistake.ts';
import { queueName } from '../template/identity.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import { createWaker, type Source } from './waker.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
type Place = { engines: Engines; clock: Clock; failed: (sentence: string) => void };

type Message = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, unknown>;
};
type Inspected = {
  messages: {
    delayed: { delayUntil?: number }[];
    inflight: { visibilityDeadline: number }[];
    ready: unknown[];
  };
};

// The most messages that one receive call returns.
const MOST_RECEIVED = 10;
// Lambda starts with so many pollers of a queue. More concurrent batches than cores would only delay all of them, unless
// they wait for others: a template that allows few batches gets them all.
const POLLERS = 5;
const MOST_BATCHES = Math.min(POLLERS, Math.max(2, availableParallelism()));

export function queueSources(resolver: Resolver, pools: Map<string, Pool>, place: Place): Source[] {
  const deadLetters = new Map(
    readAll(resolver, 'AWS::SQS::Queue').map(({ resource, properties }) => [
      queueName(resource),
      nameOf(properties.RedrivePolicy?.deadLetterTargetArn ?? ''),
    ]),
  );
  const sources = new Map<string, Source>();
  for (const { resource, properties } of readAll(resolver, 'AWS::Lambda::EventSourceMapping')) {
    if (!properties.EventSourceArn.includes(':sqs:')) continue;
    const name = nameOf(properties.EventSourceArn);
    // The engine moves a message to its dead-letter queue when it receives from the queue.
    const received = () => sources.get(deadLetters.get(name) ?? '')?.wake();
    const pool = poolByUri(properties.FunctionName, pools);
    sources.set(name, queueSource(properties, pool, resource.stack.region, { ...place, received }));
  }
  return [...sources.values()];
}

export type QueueSender = ReturnType<typeof queueSender>;

/** Puts a message into a queue of the template, as a rule of the event bus does, or a reader of a stream. */
export const queueSender =
  (engines: Engines, clock: Clock, queued: () => void) =>
  async (arn: string, region: string, body: object, group?: string): Promise<void> => {
    await clock.synced();
    const message = {
      QueueUrl: queueUrl(engines, nameOf(arn)),
      MessageBody: JSON.stringify(body),
      ...(group !== undefined && { MessageGroupId: group }),
    };
    await call(engines.queues, 'AmazonSQS.SendMessage', message, region);
    queued();
  };

const nameOf = (arn: string) => arn.split(':').at(-1) ?? '';

/** Invokes a function with the messages of a queue, as Lambda's event source mapping does. */
function queueSource(
  { EventSourceArn, BatchSize, FilterCriteria, FunctionResponseTypes, ScalingConfig }: Mapping,
  pool: Pool,
  region: string,
  { engines, clock, failed, received }: Place & { received: () => void },
): Source {
  if (FilterCriteria) throw new Mistake(`The local stack filters no queue (${pool.entry}).`);
  const name = nameOf(EventSourceArn);
  const QueueUrl = queueUrl(engines, name);
  const allowed = ScalingConfig?.MaximumConcurrency ?? MOST_BATCHES;
  const mostBatches = () => Math.min(allowed > POLLERS ? MOST_BATCHES : allowed, pool.mostAtOnce());

  const sqs = <Answer>(action: string, body: object) =>
    call<Answer>(engines.queues, `AmazonSQS.${action}`, { QueueUrl, ...body }, region);

  let batches = 0;
  let batchEnded = () => {};
  const { begin, closed, ...waker } = createWaker(clock, work, noAnswer);

  function noAnswer(error: unknown): void {
    if (!closed()) failed(`The queue ${name} does not answer: ${messageOf(error)}`);
  }

  /** Receives all visible messages; returns when the next hidden one becomes visible. */
  async function work(): Promise<number> {
    while (!closed()) {
      if (batches >= mostBatches()) await new Promise<void>(done => (batchEnded = done));
      const messages = await receive();
      if (messages.length === 0) break;
      batches += 1;
      void invoke(messages, begin());
    }
    received();
    return nextVisible();
  }

  async function receive(): Promise<Message[]> {
    await clock.synced();
    const messages: Message[] = [];
    while (messages.length < BatchSize) {
      const { Messages = [] } = await sqs<{ Messages?: Message[] }>('ReceiveMessage', {
        MaxNumberOfMessages: Math.min(MOST_RECEIVED, BatchSize - messages.length),
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
        WaitTimeSeconds: 0,
      });
      if (Messages.length === 0) break;
      messages.push(...Messages);
    }
    return messages;
  }

  async function invoke(messages: Message[], end: () => void): Promise<void> {
    const outcome = await pool.invoke({
      Records: messages.map(message => record(message, EventSourceArn, region)),
    });
    if ('result' in outcome) {
      const failures = FunctionResponseTypes ? failuresOf(outcome.result, messages) : new Set<string>();
      await remove(messages.filter(({ MessageId }) => !failures.has(MessageId))).catch(noAnswer);
    }
    batches -= 1;
    batchEnded();
    // Failed messages are hidden now, so the waker has to find out until when.
    waker.wake();
    end();
  }

  async function remove(messages: Message[]): Promise<void> {
    for (let from = 0; from < messages.length; from += MOST_RECEIVED) {
      await sqs('DeleteMessageBatch', {
        Entries: messages
          .slice(from, from + MOST_RECEIVED)
          .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      });
    }
  }

  async function nextVisible(): Promise<number> {
    const response = await fetch(`${engines.queues}/_fauxqs/queues/${name}`);
    const { messages } = (await response.json()) as Inspected;
    return Math.min(
      Number.POSITIVE_INFINITY,
      ...messages.delayed.map(({ delayUntil = 0 }) => delayUntil),
      ...messages.inflight.map(({ visibilityDeadline }) => visibilityDeadline),
    );
  }

  waker.wake();
  return waker;
}

const record = (message: Message, arn: string, region: string) => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes ?? {},
  messageAttributes: message.MessageAttributes ?? {},
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: arn,
  awsRegion: region,
});

/** The messages that the function reports as failed. Like Lambda, takes all as failed if the response is not valid. */
function failuresOf(result: string | undefined, messages: Message[]): Set<string> {
  const answer = JSON.parse(result ?? 'null') as { batchItemFailures?: { itemIdentifier?: string }[] } | null;
  const ids = (answer?.batchItemFailures ?? []).map(({ itemIdentifier = '' }) => itemIdentifier);
  const received = new Set(messages.map(({ MessageId }) => MessageId));
  return ids.every(id => received.has(id)) ? new Set(ids) : received;
}
