import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { markShard, partitionOf } from '#core/sources/source.ts';
import { deleteAll } from '#core/storage/table.store.ts';
import { documents } from '../support/items.ts';
import { newMailing } from '../support/mailing.ts';
import { sendingOn } from '../support/sending-stack.ts';
import { forgetShard, stateOf } from '../support/shard.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { advance } = stack;
const { mailed, pass } = sendingOn(stack);
const MINUTE = 60;

const region = () => ({
  region: stack.env().AWS_REGION ?? '',
  endpoint: stack.env().AWS_ENDPOINT_URL_SQS ?? '',
});
const sqs = () =>
  new SQSClient({ ...region(), credentials: { accessKeyId: 'local', secretAccessKey: 'local' } });
async function queueUrl(name: string) {
  const { QueueUrls = [] } = await sqs().send(new ListQueuesCommand({}));
  return QueueUrls.find(url => new RegExp(`-${name}[0-9A-F]+$`).test(url)) ?? '';
}
const send = async (body: string) =>
  sqs().send(new SendMessageCommand({ QueueUrl: await queueUrl('Packs'), MessageBody: body }));
async function held(name: string) {
  const command = new GetQueueAttributesCommand({ QueueUrl: await queueUrl(name), AttributeNames: ['All'] });
  const { Attributes = {} } = await sqs().send(command);
  return (
    Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible)
  );
}

it('the queue may deliver a pack ten times, and others for the same people: each gets one email', async () => {
  const mailing = await newMailing(stack);
  const ann = await mailing.due();
  await advance(2 * MINUTE);
  const due = new Date(Date.parse(await mailing.inSeconds(0)) - MINUTE * 1000).toISOString().slice(0, 16);
  const { list, automation } = mailing;
  const pack = (id: string) => ({
    id,
    organization: mailing.owner.home.id,
    minute: due,
    sources: [{ list, column: 'due', automation }],
    people: [[ann.id.slice(list.length + 1), [[0, due]]]],
  });
  await Promise.all(Array.from({ length: 10 }, () => send(JSON.stringify(pack('samepack0000')))));
  await send(JSON.stringify(pack('otherpack000')));
  await pass(15 * MINUTE);
  expect(await mailed(ann)).toBe(1);
  expect((await mailing.log()).map(({ end }) => end)).toEqual(['sent']);
});

it('the queue gives up a message that fails each time, and delivers its neighbours', async () => {
  const mailing = await newMailing(stack);
  const before = [await held('Packs'), await held('DeadPacks')];
  await send('This is no pack');
  const ann = await mailing.due();
  await pass(8 * MINUTE);
  expect(await mailed(ann)).toBe(1);
  expect(await held('Packs')).toBe((before[0] ?? 0) + 1);
  for (let times = 0; times < 4; times++) await pass(8 * MINUTE);
  expect([await held('Packs'), await held('DeadPacks')]).toEqual([0, 0]);
  expect(stack.logs().filter(line => line.includes('a message is no pack'))).toHaveLength(1);
});

it('a further shard is swept by the event that the run of the first one puts on the bus', async () => {
  const table = documents(stack);
  await forgetShard(table, 1);
  await markShard(table, 1_000);
  await advance(2 * MINUTE);
  expect((await stateOf(table, 1))?.swept_minute).toMatch(/:00\.000Z$/);
  await deleteAll(table, [{ PK: partitionOf(0), SK: 'SHARD#1' }]);
});
