import { keyOf } from '#core/recipient/recipient.key.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import type { UnsubscribeWord } from '#shared/unsubscribe-words.ts';
import { newSender } from './sending.ts';
import { forgetShard } from './shard.ts';

const MINUTE = 60_000;

type Wanted = { metadata?: Record<string, string>; word?: UnsubscribeWord; content?: object };

/** A member of a list who was sent an email, with helpers that read their items. */
export async function newSent(table: Table, start: Date, { metadata = {}, word, content }: Wanted = {}) {
  const email = 'ann@example.com';
  // Resets the sweep, which must not find earlier organizations.
  await forgetShard(table);
  const sender = await newSender(table, start);
  const list = await sender.newList(word && { unsubscribe_text: word });
  await sender.add(list, email, metadata);
  const { id } = await sender.newAutomation({ email_list_ids: [list.id] });
  await sender.newTemplate([id], content);
  await sender.run(new Date(start.getTime() + 2 * MINUTE));
  const key = keyOf(sender.organization, email);
  const partition = `R#${key.organization}#${key.hash}`;
  const rows = async (prefix = '') => queryPartition(table, partition, prefix);
  return {
    sender,
    list,
    email,
    key,
    rows,
    sent: { ...key, seq: 1 },
    member: async () => (await rows(`IN#${list.id}`))[0],
    claim: async (seq = 1) => (await rows('J#')).find(item => item.seq === seq),
    journal: async () => (await rows('J#')).filter(({ type }) => type !== 'send'),
    triggers: async () =>
      (
        await Promise.all(
          ['', ...Object.keys(metadata)].map(column => queryPartition(table, `TRG#${list.id}#${column}`)),
        )
      ).flat(),
  };
}
