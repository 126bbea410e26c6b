import { beforeEach, describe, expect, it } from 'vitest';
import * as store from '../../functions/core/invitation/invitation.store.ts';
import * as invitation from '../../functions/core/invitation/invitation.ts';
import { batchWrite, getAll, type Table } from '../../functions/core/table.store.ts';
import { through } from '../support/between.ts';
import { freshTable } from '../support/engine.ts';
import { actingIn, newUser, postbox } from '../support/people.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const DAY = 24 * 60 * 60;
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const at = (now: Date) => ({ table, now });

let owner: Awaited<ReturnType<typeof newUser>>;
let guest: Awaited<ReturnType<typeof newUser>>;
let post: ReturnType<typeof postbox>;

beforeEach(async () => {
  post = postbox();
  owner = await newUser(table, START);
  guest = await newUser(table, START);
});

const acting = () => actingIn(table, owner.id, owner.organizationId);
const send = async (email = guest.email, now = START, on: Table = table) =>
  invitation.send({ table: on, now, mailer: post.mailer, linkTo: String }, await acting(), {
    email,
    role: 'USER',
  });
const pending = async (now = START, on: Table = table) =>
  invitation.pendingOf({ table: on, now }, await acting());

describe('the pending invitations of an organization', () => {
  const addresses = (count: number, of = 'many') =>
    Array.from({ length: count }, (_, at) => `${of}${at}.${owner.organizationId}@example.com`);
  const sendAll = (emails: string[], now = START) =>
    Promise.allSettled(emails.map(email => send(email, now)));
  const FULL = {
    reason: 'conflict',
    message: 'At most 100 invitations can be pending. Cancel one that is no longer needed.',
  };

  it('are a hundred at most, also when more are sent at once', async () => {
    const sent = await sendAll(addresses(120));
    const refused = sent.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(20);
    for (const reason of refused) expect(reason).toMatchObject(FULL);
    const listed = await pending();
    expect(listed).toHaveLength(100);
    expect(new Set(post.mails.map(({ to }) => to))).toEqual(new Set(listed.map(({ email }) => email)));
  });

  it('make room when one is answered or cancelled, and can each be sent again', async () => {
    const emails = addresses(99);
    await sendAll(emails);
    await send();
    await expect(send('late@example.com')).rejects.toMatchObject(FULL);
    await expect(send(emails[0], later(60))).resolves.toBeDefined();
    await invitation.reject(at(START), (await send(guest.email, later(60))).id, guest);
    await expect(send('late@example.com')).resolves.toBeDefined();
    await expect(send('later@example.com')).rejects.toMatchObject(FULL);
    const [first] = await pending();
    const { organizationId } = owner;
    const items = await getAll(table, invitation.keysOf(organizationId, first?.id ?? ''));
    await invitation.cancel(at(START), invitation.found(first?.id ?? '', items));
    await expect(send('later@example.com')).resolves.toBeDefined();
    expect(await pending()).toHaveLength(100);
  });

  it('make room when they expire, for a hundred at most in all', async () => {
    await sendAll(addresses(20, 'expired'));
    await sendAll(addresses(80), later(DAY));
    const sent = await sendAll(addresses(40, 'new'), later(7 * DAY));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const listed = await pending(later(7 * DAY));
    expect(listed).toHaveLength(100);
    expect(listed.filter(({ email }) => email.startsWith('expired'))).toEqual([]);
  });

  // They are removed some at a time.
  it.each([0, 99])(
    'keep an expired one that is sent again while it gives way to another: %i',
    async which => {
      await sendAll(addresses(100));
      const now = later(7 * DAY);
      const kept = [...(await store.readPending(table, owner.organizationId)).values()];
      const expired = kept[which]?.email ?? '';
      let transactions = 0;
      // The first transaction finds no room, the second one deletes those that have expired.
      const sentAgain = through(table, async (command, { constructor: { name } }) => {
        if (name === 'TransactWriteCommand' && ++transactions === 2) await send(expired, now);
        return command();
      });
      await send(guest.email, now, sentAgain);
      expect((await pending(now)).map(({ email }) => email).sort()).toEqual([guest.email, expired].sort());
    },
  );

  it('have room where one is answered after they were found to be too many', async () => {
    await sendAll(addresses(99));
    const { id } = await send();
    let transactions = 0;
    const rejected = through(table, async (command, { constructor: { name } }) => {
      const isFirst = name === 'TransactWriteCommand' && ++transactions === 1;
      try {
        return await command();
      } finally {
        if (isFirst) await invitation.reject(at(START), id, guest);
      }
    });
    await expect(send('late@example.com', START, rejected)).resolves.toBeDefined();
  });

  it('have room again where DynamoDB has deleted those that expired long ago', async () => {
    const emails = addresses(100);
    await sendAll(emails);
    const { organizationId } = owner;
    const deletes = emails.map(email => store.key(organizationId, store.idOf(organizationId, email)));
    await batchWrite(table, { deletes });
    await expect(send(guest.email, later(40 * DAY))).resolves.toBeDefined();
  });

  it('are counted and listed by their keys, without reading those that ended', async () => {
    const asked = new Set<string>();
    const noting = through(table, (command, { constructor: { name } }) => {
      asked.add(name);
      return command();
    });
    await send(guest.email, START, noting);
    expect(await pending(START, noting)).toHaveLength(1);
    expect(asked).toEqual(new Set(['GetCommand', 'BatchGetCommand', 'TransactWriteCommand']));
    await invitation.reject(at(START), store.idOf(owner.organizationId, guest.email), guest);
    expect([...(await store.readPending(table, owner.organizationId))]).toEqual([]);
  });
});

it('the invitations of an address are read a hundred at a time, without those that expired', async () => {
  const email = `popular${owner.organizationId}@example.com`;
  const stored = (at: number, expires_at: string) => {
    const organization_id = 800_000 + at;
    const id = store.idOf(organization_id, email);
    const shared = { organization_id, expires_at, SK: `INVITE#${id}` };
    return [
      { ...shared, PK: `EMAIL#${email}` },
      { ...shared, PK: `ORG#${organization_id}`, id, email, status: 'pending' },
    ];
  };
  const puts = Array.from({ length: 400 }, (_, at) => stored(at, later(at % 2 ? DAY : 0).toISOString()));
  await batchWrite(table, { puts: puts.flat() });
  const read = await store.ofAddress(table, email, START);
  expect(read).toHaveLength(100);
  expect(read.every(({ expires_at }) => expires_at === later(DAY).toISOString())).toBe(true);
});
