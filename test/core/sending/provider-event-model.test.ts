import fc from 'fast-check';
import { expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import type { Meaning } from '#core/provider.ts';
import * as claims from '#core/recipient/claim.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as events from '#core/sending/provider-event.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import { isOfKind } from '#functions/stream/contributions.ts';
import { stillTableOf } from '#test/simulation/client.ts';
import { recordOf } from '#test/simulation/table/record.ts';
import { Store } from '#test/simulation/table/store.ts';
import { newList } from '#test/support/core-list.ts';
import { newBatch } from '#test/support/emails.ts';
import { type Follow, following } from '#test/support/follow.ts';
import { extent } from '#test/support/prove.ts';

const now = new Date('2030-01-01T12:00:00Z');
const ANN = 'ann@example.com';

/** Ann is on two lists. These emails were sent to her, in this order. */
const EMAILS = [
  { list: 0, ends: 'unknown' },
  { list: 1, ends: 'being posted' },
  { list: 0, ends: 'sent' },
  { list: 0, ends: 'sent' },
  { list: 1, ends: 'sent' },
  { list: 0, ends: 'sent' },
  { list: 1, ends: 'sent' },
] as const;
const POSTED = 1;
const MEANINGS = ['hard', 'soft', 'complaint', 'unsubscribed', 'accepted', 'delivered', 'rejected'] as const;

type Heard = { email: number; meaning: Meaning };
/** Events in the order in which they arrive, and how many have before the batch ends that is being posted, and how. */
type Story = { heard: Heard[]; before: number; ending: 'unknown' | 'sent' };

const email = fc.integer({ min: 0, max: EMAILS.length - 1 });
const some = fc.array(fc.record({ email, meaning: fc.constantFrom(...MEANINGS) }), { maxLength: 4 });
// Few stories would have five of them.
const softOnes = fc.array(fc.record({ email, meaning: fc.constant('soft' as const) }), { maxLength: 12 });
const stories = fc
  .record({ some, softOnes, ending: fc.constantFrom('unknown' as const, 'sent' as const) })
  .chain(({ some, softOnes, ending }) => {
    const all = [...some, ...softOnes];
    const shuffled = fc.shuffledSubarray([...all, ...all], { minLength: all.length });
    return fc.record({ heard: shuffled, before: fc.nat(all.length), ending: fc.constant(ending) });
  });

async function scene(table: Table, follow: Follow) {
  const first = await newList(table, now);
  const lists = [first, await newList(table, now, { organization: first.organization_id })] as const;
  const key = recipientKey.keyOf(first.organization_id, ANN);
  for (const { id } of lists) {
    const wanted = { email: ANN, metadata: { born: '2000-01-01' } };
    const membership = memberships.newMembership(now, id, wanted, { head: undefined, left: undefined });
    await recipient.insertMemberships({ table, now }, [{ key, membership }], {
      onInserted: () => {},
      onConflict: async () => {},
    });
  }
  const sent = [];
  for (const { list, ends } of EMAILS) {
    const batch = await newBatch(table, lists[list], [ANN], now, follow);
    if (ends !== 'being posted') await batch.end(ends === 'sent' ? 'accepted' : 'unknown');
    sent.push(batch);
  }
  return { key, lists, sent };
}

async function play(store: Store, { heard, before, ending }: Story) {
  const table = stillTableOf(store);
  const follow = following(table, changesOf(store));
  const { key, lists, sent } = await scene(table, follow);
  const hear = async ({ email, meaning }: Heard) => {
    const { organization_id: organization, id } = lists[EMAILS[email]?.list ?? 0] as list.CountedList;
    const send = sent[email]?.claims[0]?.send ?? '';
    await events.applyEvent({ table, now }, { organization, id }, { meaning, send, reason: '' });
  };
  for (const one of heard.slice(0, before)) await hear(one);
  const posted = sent[POSTED];
  await posted?.end(ending === 'sent' ? 'accepted' : 'unknown');
  await follow(now);
  for (const one of heard.slice(before)) await hear(one);
  return outcome(table, key, lists, sent);
}

function changesOf(store: Store) {
  const read: number[] = [];
  return async () =>
    store.shards.map((changes, shard) => {
      const records = changes.slice(read[shard] ?? 0).map(recordOf);
      read[shard] = changes.length;
      return { shard: String(shard), records: records.filter(isOfKind) };
    });
}

type Scene = Awaited<ReturnType<typeof scene>>;

async function outcome(table: Table, key: Scene['key'], lists: Scene['lists'], sent: Scene['sent']) {
  const person = await queryPartition(table, `R#${key.organization}#${key.hash}`);
  return {
    suppression: person.find(({ SK }) => SK === 'HEAD')?.suppression,
    lists: await Promise.all(
      lists.map(async ({ id }) => ({
        status: person.find(({ SK }) => SK === `IN#${id}`)?.status,
        rows: (await queryPartition(table, `TRG#${id}#born`)).length,
      })),
    ),
    emails: await Promise.all(
      sent.map(async ({ sends: [send], counted, outcomes }) => {
        const claim = send && (await claims.readClaim(table, key, send.seq));
        return {
          outcome: (await outcomes())[0],
          counted: await counted(),
          bounce: claim?.bounce,
          complained: claim?.complained_at !== undefined,
          unsubscribed: claim?.unsubscribed_at !== undefined,
        };
      }),
    ),
  };
}

/** What follows from a set of events, without any order. */
function expected({ heard, ending }: Story): Awaited<ReturnType<typeof outcome>> {
  const of = (at: number) => new Set(heard.filter(({ email }) => email === at).map(({ meaning }) => meaning));
  const emails = EMAILS.map(({ ends }, at) => {
    const about = of(at);
    const isOpen = ends === 'unknown' || (ends === 'being posted' && ending === 'unknown');
    const isProven = [...about].some(meaning => meaning !== 'rejected');
    const isSent = !isOpen || isProven;
    return {
      outcome: isSent
        ? ('sent' as const)
        : about.has('rejected')
          ? ('failed' as const)
          : ('unknown' as const),
      counted: isSent ? 1 : 0,
      bounce: about.has('hard') ? ('hard' as const) : about.has('soft') ? ('soft' as const) : undefined,
      complained: about.has('complaint'),
      unsubscribed: about.has('unsubscribed'),
    };
  });
  const isRow = emails.some((_, at) => {
    const five = emails.slice(at, at + 5);
    return five.length === 5 && five.every(({ bounce }) => bounce === 'soft');
  });
  const isBounced = isRow || emails.some(({ bounce }) => bounce === 'hard');
  const suppression = emails.some(({ complained }) => complained)
    ? ('complaint' as const)
    : isBounced
      ? ('bounce' as const)
      : undefined;
  return {
    suppression,
    lists: [0, 1].map(nth => {
      const isLeft = emails.some(({ unsubscribed }, at) => unsubscribed && EMAILS[at]?.list === nth);
      const isEnded = isLeft || suppression !== undefined;
      return { status: isEnded ? 'unsubscribed' : 'subscribed', rows: isEnded ? 0 : 1 };
    }),
    emails,
  };
}

it('events lead to the same, in whichever order and however often they arrive', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async story => {
      expect(await play(new Store(() => 0), story)).toEqual(expected(story));
    }),
    { numRuns: extent(12, 150) },
  );
});
