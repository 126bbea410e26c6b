import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { env, withTimeout } from './runtime.ts';

const client = new SQSClient(withTimeout(5_000));

/** Messages of a busy group do not delay those of others: SQS fair queues. `seconds` is the delay, at most 900. */
export type Message = { body: object; group?: string; seconds?: number };

// A request may have ten messages, and 1 MiB:
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
const MOST_MESSAGES = 10;
const MOST_BYTES = 1_000_000;
const MOST_AT_ONCE = 5;
const MOST_SECONDS = 900;

export async function send(QueueUrl: string, message: Message, seconds: number): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl, ...contentOf({ ...message, seconds }) }));
}

export async function sendAll(QueueUrl: string, messages: Message[]): Promise<void> {
  const requests = requestsOf(messages);
  for (let at = 0; at < requests.length; at += MOST_AT_ONCE) {
    await Promise.all(requests.slice(at, at + MOST_AT_ONCE).map(Entries => sendTogether(QueueUrl, Entries)));
  }
}

async function sendTogether(QueueUrl: string, Entries: SendMessageBatchRequestEntry[]): Promise<void> {
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  if (Failed.length === 0) return;
  const codes = new Set(Failed.map(({ Code }) => Code));
  throw new Error(
    `The queue refused ${Failed.length} of ${Entries.length} messages: ${[...codes].join(', ')}`,
  );
}

const contentOf = ({ body, group, seconds }: Message) => ({
  MessageBody: JSON.stringify(body),
  ...(seconds !== undefined && { DelaySeconds: Math.min(Math.ceil(seconds), MOST_SECONDS) }),
  ...(group !== undefined && { MessageGroupId: group }),
});

function requestsOf(messages: Message[]): SendMessageBatchRequestEntry[][] {
  const requests: SendMessageBatchRequestEntry[][] = [];
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    const content = contentOf(message);
    const size = Buffer.byteLength(content.MessageBody);
    const last = requests.at(-1);
    const entry = { Id: String(index), ...content };
    if (last && last.length < MOST_MESSAGES && bytes + size <= MOST_BYTES) {
      last.push(entry);
      bytes += size;
    } else {
      requests.push([entry]);
      bytes = size;
    }
  }
  return requests;
}

type Pack = { organization: number; sources?: { existing?: string }[] };

/**
 * The message of a pack. Its group is the organization, so that packs of one do not delay those of others; what a pass has
 * queued, which may be for a million people, does not delay the rest of its organization either.
 */
const messageOf = (pack: Pack): Message => {
  const isOfPass = pack.sources?.some(({ existing }) => existing !== undefined);
  return { body: pack, group: `${pack.organization}${isOfPass ? '-pass' : ''}` };
};

export const queuePack = (pack: Pack, seconds = 0): Promise<void> =>
  send(env('PACKS_QUEUE'), messageOf(pack), seconds);

export const queuePacks = (packs: Pack[]): Promise<void> => sendAll(env('PACKS_QUEUE'), packs.map(messageOf));

type Purge = { organization_id: number };

export const queuePurge = (purge: Purge, seconds: number): Promise<void> =>
  send(env('PURGES_QUEUE'), { body: purge, group: String(purge.organization_id) }, seconds);

export const queueWebhooks = (messages: Message[]): Promise<void> => sendAll(env('WEBHOOKS_QUEUE'), messages);
