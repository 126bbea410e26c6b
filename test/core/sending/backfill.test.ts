import { beforeEach, expect, it } from 'vitest';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { readTrigger } from '#core/recipient/trigger.ts';
import { backfill, type StoredMember } from '#core/sending/backfill.ts';
import type { Pack } from '#core/sending/pack.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const HOUR = 60 * 60_000;
const now = new Date('2030-01-01T12:00:30Z');
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR);
const minute = (instant: Date) => instant.toISOString().slice(0, 16);

type Sender = Awaited<ReturnType<typeof newSender>>;
let sender: Sender;
let readers: Awaited<ReturnType<Sender['newList']>>;
let automation: string;
beforeEach(async () => {
  ({ sender, readers, automation } = await withAutomation());
});

async function withAutomation() {
  const sender = await newSender(table, ago(48));
  const readers = await sender.newList();
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: null,
    every_x_days: 7,
  });
  await sender.newTemplate([id]);
  return { sender, readers, automation: id };
}

let sequence = 0;
const added = (at: Date, { written = at, of = { sender, readers } } = {}): StoredMember => ({
  organization: of.sender.organization,
  hash: `${'-'.repeat(18)}${String(++sequence).padStart(4, '0')}`,
  membership: { list_id: of.readers.id, metadata: {}, created_at: at.toISOString() },
  before: undefined,
  written,
  sequence: String(sequence),
});

async function queued(stored: StoredMember[], { on = table, at = now } = {}): Promise<Pack[]> {
  const packs: Pack[] = [];
  const queue = async (some: Pack[]) => void packs.push(...some);
  await backfill({ table: on, now: at, queue }, stored);
  return packs;
}

it('who is added by an import that starts nothing is not due', async () => {
  const [ann, ben] = [added(now), added(now)];
  const added_by = { starts_after: now.toISOString() };
  const [pack, ...others] = await queued([{ ...ann, membership: { ...ann.membership, added_by } }, ben]);
  expect([others, pack?.people.map(([hash]) => hash)]).toEqual([[], [ben.hash]]);
});

it('who is added just now is due at once', async () => {
  const ann = added(now);
  expect(await queued([ann])).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-z]{12}$/),
      organization: sender.organization,
      minute: minute(now),
      sources: [{ list: readers.id, column: '', automation }],
      people: [[ann.hash, [[0, minute(now)]]]],
      isEarly: true,
    },
  ]);
});

it('what fell due within the hour before the write is queued, however late the stream is', async () => {
  const written = ago(5);
  const [within, before] = [
    new Date(written.getTime() - 0.9 * HOUR),
    new Date(written.getTime() - 1.1 * HOUR),
  ];
  const packs = await queued([added(written), added(within, { written }), added(before, { written })]);
  expect(packs.map(({ minute }) => minute)).toEqual([minute(written), minute(within)]);
});

it('what is due later is left to the sweep, and nothing is queued that is older than a day', async () => {
  const later = added(ago(2), { written: ago(3) });
  const old = added(ago(24.2), { written: ago(24) });
  const lately = added(ago(23.95), { written: ago(23.9) });
  const packs = await queued([later, old, lately]);
  expect(packs.flatMap(({ people }) => people.map(([hash]) => hash))).toEqual([lately.hash]);
});

it('an event of the last hour starts all that is due, an older one only what is due from now on', async () => {
  const names = new Map<string, string>();
  for (const delay_minutes of [0, 30, 90]) {
    const starting = { metadata_trigger: 'ordered', starts_at: 'event', repeat: 'once' } as const;
    const step = { ...starting, email_list_ids: [readers.id], delay_minutes };
    names.set((await sender.newAutomation(step)).id, `after ${delay_minutes}`);
  }
  const one = added(ago(30), { written: now });
  const startedBy = async (ordered: string) => {
    const membership = { ...one.membership, metadata: { ordered } };
    const packs = await queued([{ ...one, before: one.membership, membership }]);
    const started = packs.flatMap(({ minute, sources }) =>
      sources.map(({ automation }) => `${names.get(automation)}: ${minute.slice(11)}`),
    );
    return started.sort();
  };
  expect(await startedBy('2030-01-01T11:30:10Z')).toEqual(['after 0: 11:30', 'after 30: 12:00']);
  expect(await startedBy('2030-01-01T11:00:30Z')).toEqual(['after 0: 11:00', 'after 30: 11:30']);
  expect(await startedBy('2030-01-01T11:00:29Z')).toEqual([]);
  expect(await startedBy('2030-01-01T10:30:10Z')).toEqual(['after 90: 12:00']);
});

it('what the sweep is going to find too says so, which leaves to it whoever is not sent to', async () => {
  const due = new Date('2030-01-01T11:30:00Z');
  const after = (seconds: number) => added(due, { written: new Date(due.getTime() + seconds * 1_000) });
  const [found, perhaps, missed] = [after(49), after(51), after(61)];
  const packs = await queued([found, perhaps, missed]);
  expect(packs.map(({ isEarly = false, people }) => [isEarly, people.map(([hash]) => hash).sort()])).toEqual([
    [true, [found.hash]],
    [false, [perhaps.hash, missed.hash].sort()],
  ]);
});

it('a member whose date stays as it was is not due again', async () => {
  const one = added(now);
  expect(await queued([{ ...one, before: one.membership }])).toEqual([]);
  const earlier = { ...one.membership, created_at: ago(30).toISOString() };
  expect(await queued([{ ...one, before: earlier }])).toHaveLength(1);
});

it('who moves to another time zone is due by that one, and is found by the row that they have there', async () => {
  await sender.add(readers, 'ann@example.com', { ends: '2031-01-01' });
  const { id } = await sender.newAutomation({
    email_list_ids: [readers.id],
    metadata_trigger: 'ends',
    every_x_days: 7,
    send_at: '12:00',
    time_zone_of: 'member',
  });
  const one = added(ago(30), { written: now });
  const inZone = (zone: string) => ({ ...one.membership, metadata: { ends: '2030-01-01', zone } });
  const [before, membership] = [inZone('Asia/Tokyo'), inZone('Europe/London')];
  const [pack, ...others] = await queued([{ ...one, before, membership }]);
  expect([pack?.minute, pack?.sources, others]).toEqual([
    minute(now),
    [{ list: readers.id, column: 'ends', automation: id }],
    [],
  ]);
  const [, dues = []] = pack?.people[0] ?? [];
  expect(dues.map(([, trigger]) => readTrigger(trigger))).toEqual([
    { instant: new Date('2030-01-01'), zone: 'Europe/London' },
  ]);
  expect(await queued([{ ...one, before: membership, membership }])).toEqual([]);
});

it('the same records queue the same packs, also later; others queue another one', async () => {
  const [ann, ben] = [added(now), added(ago(0.5))];
  const first = await queued([ann, ben]);
  const again = await queued([ann, ben], { at: new Date(now.getTime() + HOUR) });
  expect(again).toEqual(first);
  expect(new Set(first.map(({ id }) => id)).size).toBe(2);
  // Subscribed again in the same minute.
  const [other] = await queued([{ ...ann, sequence: 'a later one' }, ben]);
  expect(other).toEqual({ ...first[0], id: other?.id });
  expect(other?.id).not.toBe(first[0]?.id);
});

it('who left and came again before the stream is read is in a pack once', async () => {
  const ann = added(ago(0.5));
  const again = { ...ann, written: new Date(ann.written.getTime() + 10_000), sequence: 'a later one' };
  expect((await queued([ann, again])).map(({ people }) => people)).toEqual([
    [[ann.hash, [[0, minute(ago(0.5))]]]],
  ]);
});

it('what fails for one organization does not keep the others from being queued', async () => {
  const others = [await withAutomation(), await withAutomation()];
  const ofFailing = others[0]?.readers.id ?? '';
  const failing = intercepted(table, (send, { input }) =>
    JSON.stringify(input).includes(ofFailing) ? Promise.reject(new Error('The table throttles')) : send(),
  );
  const packs: Pack[] = [];
  const stored = [...others.map(of => added(now, { of })), added(now)];
  const queue = async (some: Pack[]) => void packs.push(...some);
  await expect(backfill({ table: failing, now, queue }, stored)).rejects.toThrow('The table throttles');
  const done = [others[1]?.sender.organization, sender.organization];
  expect(packs.map(({ organization }) => organization).sort()).toEqual(done.sort());
});

it('what is queued several times, and by the sweep too, is sent once', async () => {
  const email = 'ann@example.com';
  sender.at(now);
  await sender.add(readers, email);
  const ann = { ...added(now), hash: hashOf(email) };
  for (let times = 0; times < 2; times++) {
    for (const pack of await queued([ann])) await sender.needs.queue(pack, 0);
  }
  sender.at(new Date(now.getTime() + 2 * 60_000));
  await sender.sweep();
  expect(sender.queue).toHaveLength(3);
  await sender.deliverAll();
  expect(sender.mails().map(mail => mail.email)).toEqual([email]);
});
