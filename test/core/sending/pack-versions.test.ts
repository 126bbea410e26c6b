import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { followUp, type Pack, packsOf, readPack } from '#core/sending/pack.ts';
import { deliveries, sweptPack } from '#test/support/deliveries.ts';
import { automationId, listId, personHash } from '#test/support/sweeping.ts';
import released from './pack-versions.json' with { type: 'json' };

// A queue holds packs for a day, and two versions of the product run while one is deployed, or goes back: docs/releases.md.
const { ready } = deliveries();

/** What a sender of each version reads of a pack. It ignores other fields, and takes a missing optional one as absent. */
const READERS = {
  1: z.object({
    id: z.string(),
    organization: z.int(),
    minute: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)),
    sources: z.array(z.object({ list: z.string(), column: z.string(), automation: z.string() })),
    people: z.array(z.tuple([z.string(), z.array(z.tuple([z.int(), z.string()], z.unknown()))], z.unknown())),
    attempt: z.optional(z.int()),
    after: z.optional(z.array(z.string())),
    isEarly: z.optional(z.literal(true)),
    resend: z.optional(z.object({ seq: z.int(), request: z.string(), user: z.string() })),
    isRecheck: z.optional(z.literal(true)),
  }),
};

it.each(Object.entries(released))('a new sender reads %s as it was written', (_, pack) => {
  expect(readPack(JSON.stringify(pack))).toEqual(pack);
});

it.each(Object.entries(READERS))(
  'a sender of version %s reads the packs that are written now',
  (_, reader) => {
    const found = [1, 2].map(person => ({
      hash: personHash(person),
      list: listId(7, 1),
      automation: automationId(7, 1),
      column: 'trial_ends',
      trigger: '2029-12-24T09:30',
    }));
    const [swept] = packsOf({ organization: 7, minute: '2030-01-01T09:30' }, found);
    if (!swept) throw new Error('There is no pack');
    const later = followUp(swept, swept.people, { releasing: '2030-01-01T09:30#p', attempt: 1 });
    for (const pack of [swept, later]) {
      expect(reader.safeParse(JSON.parse(JSON.stringify(pack))).error).toBeUndefined();
    }
    for (const pack of Object.values(released)) expect(reader.safeParse(pack).success).toBe(true);
  },
);

it('a pack of a later version is sent by this one, once, whatever else it says', async () => {
  const { sender } = await ready(['ann@example.com', 'ben@example.com']);
  const pack = await sweptPack(sender);
  const later = {
    ...pack,
    priority: { level: 'high' },
    sources: pack.sources.map(source => ({ ...source, zone: 'Europe/Berlin' })),
    people: pack.people.map(([hash, dues]) => [hash, dues.map(due => [...due, 'more']), { score: 1 }]),
  };
  for (const body of [later, later, pack]) await deliver(sender.needs, readPack(JSON.stringify(body)));
  expect(sender.mailedTo()).toEqual(['ann@example.com', 'ben@example.com']);
});

it('a sender keeps what it does not know of a pack that it postpones', () => {
  const [pack] = Object.values(released) as unknown as Pack[];
  if (!pack) throw new Error('There is no pack');
  const later = { ...pack, priority: 'high' };
  expect(followUp(later, later.people, { releasing: 'x', attempt: 1 })).toMatchObject({ priority: 'high' });
});
