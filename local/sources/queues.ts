import { createActivity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { Mistake, messageOf } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Source } from './source.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
type Place = { engines: Engines; clock: Clock; failed: (sentence: string, stack?: string) => void };

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

// The most that one receive call answers.
const MOST_RECEIVED = 10;
// Lambda begins with this many pollers of a queue.
const USUAL_CONCURRENCY = 5;

export function queueSources(resolver: Resolver, pools: Map<string, Pool>, place: Place): Source[] {
  return readAll(resolver, 'AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.EventSourceArn.includes(':sqs:') && properties.Enabled !== false)
    .map(({ resource, properties }) =>
      queueSource(properties, poolByUri(properties.FunctionName, pools), resource.stack.region, place),
    );
}

/** Hands the messages of a queue to a function, as Lambda's event source does. It sleeps until it is woken. */
function queueSource(
  mapping: Mapping,
  pool: Pool,
  region: string,
  { engines, clock, failed }: Place,
): Source {
  if (mapping.FilterCriteria) throw new Mistake(`The local stack filters no queue (${pool.entry}).`);
  const name = mapping.EventSourceArn.split(':').at(-1) ?? '';
  const QueueUrl = `${engines.queues}/000000000000/${name}`;
  const batchSize = mapping.BatchSize ?? MOST_RECEIVED;
  const concurrency = Math.min(
    mapping.ScalingConfig?.MaximumConcurrency ?? USUAL_CONCURRENCY,
    pool.mostAtOnce,
  );
  const partial = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;

  const sqs = <Answer>(action: string, body: object) =>
    call<Answer>(engines.queues, `AmazonSQS.${action}`, { QueueUrl, ...body }, region);

  const polling = createActivity();
  const batches = createActivity();
  let again = false;
  let atOnce = 0;
  let roomMade = () => {};
  let timer: NodeJS.Timeout | undefined;
  /** The simulated instant at which a hidden message appears. */
  let next = Number.POSITIVE_INFINITY;
  let closed = false;

  function wake(): void {
    again = true;
    if (!polling.busy()) void poll();
  }

  async function poll(): Promise<void> {
    const end = polling.begin();
    try {
      while (again && !closed) {
        again = false;
        await takeAll();
        await sleepUntilNext();
      }
    } catch (error) {
      stuck(error);
    } finally {
      end();
    }
  }

  function stuck(error: unknown): void {
    // The engines may go down before their clients do.
    if (!closed) failed(`The queue ${name} does not answer: ${messageOf(error)}`);
  }

  async function takeAll(): Promise<void> {
    while (!closed) {
      if (atOnce >= concurrency) {
        await new Promise<void>(done => {
          roomMade = done;
        });
      }
      const messages = await receive();
      if (messages.length === 0) return;
      atOnce += 1;
      void handOver(messages, batches.begin());
    }
  }

  async function receive(): Promise<Message[]> {
    await clock.told();
    const messages: Message[] = [];
    while (messages.length < batchSize) {
      const { Messages = [] } = await sqs<{ Messages?: Message[] }>('ReceiveMessage', {
        MaxNumberOfMessages: Math.min(MOST_RECEIVED, batchSize - messages.length),
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
        WaitTimeSeconds: 0,
      });
      if (Messages.length === 0) break;
      messages.push(...Messages);
    }
    return messages;
  }

  async function handOver(messages: Message[], end: () => void): Promise<void> {
    const Records = messages.map(message => record(message, mapping.EventSourceArn, region));
    const outcome = await pool.invoke({ Records });
    if (!('failure' in outcome)) {
      const given = partial ? givenBack(outcome.result, messages) : new Set<string>();
      await remove(messages.filter(({ MessageId }) => !given.has(MessageId))).catch(stuck);
    }
    atOnce -= 1;
    roomMade();
    // What failed is hidden now: find out until when.
    wake();
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

  async function sleepUntilNext(): Promise<void> {
    const response = await fetch(`${engines.queues}/_fauxqs/queues/${name}`);
    const { messages } = (await response.json()) as Inspected;
    const instants = [
      ...messages.delayed.map(({ delayUntil = 0 }) => delayUntil),
      ...messages.inflight.map(({ visibilityDeadline }) => visibilityDeadline),
    ];
    next = Math.min(Number.POSITIVE_INFINITY, ...instants);
    clearTimeout(timer);
    if (closed || !Number.isFinite(next)) return;
    timer = setTimeout(wake, Math.max(next - clock.now(), 0) + 1);
    timer.unref();
  }

  const forget = clock.onMove(() => {
    if (next <= clock.now()) wake();
  });
  wake();

  const busy = () => polling.busy() || batches.busy();
  return {
    reads: 'queue',
    wake,
    busy,
    async settle() {
      while (busy()) {
        await batches.idle();
        await polling.idle();
      }
    },
    close() {
      closed = true;
      forget();
      clearTimeout(timer);
    },
  };
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

/** Which messages the function gave back. An answer that makes no sense gives all of them back. */
function givenBack(result: string | undefined, messages: Message[]): Set<string> {
  const answer = JSON.parse(result ?? 'null') as { batchItemFailures?: { itemIdentifier?: string }[] } | null;
  const ids = (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  const sound = ids.every(id => id !== undefined && known.has(id));
  return sound ? new Set(ids.map(String)) : known;
}
