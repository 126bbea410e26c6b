import { describe, expect, it } from 'vitest';
import * as store from '#core/organization/invitation.store.ts';
import * as invitation from '#core/organization/invitation.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { DAY, inviting, later, START } from '#test/support/invitations.ts';

const table = freshTable();
const { people, at, send, cancel, pending, newAdmin } = inviting(table);

describe('the pending invitations of an organization', () => {
  const addresses = (count: number, of = 'many') =>
    Array.from({ length: count }, (_, at) => `${of}${at}.${people.owner.organizationId}@example.com`);
  // A user can send fifty a day.
  const sendAll = async (emails: string[], now = START) => {
    const senders = await Promise.all(Array.from({ length: Math.ceil(emails.length / 50) }, newAdmin));
    return Promise.allSettled(
      emails.map((email, index) => send({ email, now, by: senders[Math.floor(index / 50)] })),
    );
  };
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
    expect(new Set(people.post.mails.map(({ to }) => to))).toEqual(new Set(listed.map(({ email }) => email)));
  });

  it('make room when one is answered or cancelled, and can each be sent again', async () => {
    const emails = addresses(99);
    await sendAll(emails);
    await send();
    await expect(send({ email: 'late@example.com' })).rejects.toMatchObject(FULL);
    await expect(send({ email: emails[0] ?? '', now: later(60) })).resolves.toBeDefined();
    await invitation.reject(at(START), (await send({ now: later(60) })).id, people.guest);
    await expect(send({ email: 'late@example.com' })).resolves.toBeDefined();
    await expect(send({ email: 'later@example.com' })).rejects.toMatchObject(FULL);
    const [first] = await pending();
    await cancel(first?.id ?? '');
    await expect(send({ email: 'later@example.com' })).resolves.toBeDefined();
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
      const kept = [...(await store.readPending(table, people.owner.organizationId)).values()];
      const expired = kept[which]?.email ?? '';
      let transactions = 0;
      // The first transaction finds no room, the second one deletes those that have expired.
      const sentAgain = intercepted(table, async (command, { constructor: { name } }) => {
        if (name === 'TransactWriteCommand' && ++transactions === 2) await send({ email: expired, now });
        return command();
      });
      await send({ now, on: sentAgain });
      expect((await pending(now)).map(({ email }) => email).sort()).toEqual(
        [people.guest.email, expired].sort(),
      );
    },
  );

  it('have room where one is answered after they were found to be too many', async () => {
    await sendAll(addresses(99));
    const { id } = await send();
    let transactions = 0;
    const rejected = intercepted(table, async (command, { constructor: { name } }) => {
      const isFirst = name === 'TransactWriteCommand' && ++transactions === 1;
      try {
        return await command();
      } finally {
        if (isFirst) await invitation.reject(at(START), id, people.guest);
      }
    });
    await expect(send({ email: 'late@example.com', on: rejected })).resolves.toBeDefined();
  });

  it('have room again where DynamoDB has deleted those that expired long ago', async () => {
    const emails = addresses(100);
    await sendAll(emails);
    const { organizationId } = people.owner;
    const deletes = emails.map(email => store.key(organizationId, store.idOf(organizationId, email)));
    await batchWrite(table, { deletes });
    await expect(send({ now: later(40 * DAY) })).resolves.toBeDefined();
  });

  it('are counted and listed by their keys, without reading those that ended', async () => {
    const asked = new Set<string>();
    const noting = intercepted(table, (command, { constructor: { name } }) => {
      asked.add(name);
      return command();
    });
    await send({ on: noting });
    expect(await pending(START, noting)).toHaveLength(1);
    expect(asked).toEqual(new Set(['GetCommand', 'BatchGetCommand', 'TransactWriteCommand']));
    await invitation.reject(
      at(START),
      store.idOf(people.owner.organizationId, people.guest.email),
      people.guest,
    );
    expect([...(await store.readPending(table, people.owner.organizationId))]).toEqual([]);
  });
});

it('the invitations of an address are read a hundred at a time, without those that expired', async () => {
  const email = `popular${people.owner.organizationId}@example.com`;
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
