import { describe, expect, it } from 'vitest';
import * as login from '#core/account/login.ts';
import { sha256 } from '#core/id.ts';
import * as store from '#core/organization/invitation.store.ts';
import * as invitations from '#core/organization/invitation.ts';
import * as organization from '#core/organization/organization.ts';
import { getAll, queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { DAY, inviting, later, START } from '#test/support/invitations.ts';
import { actingIn, newUser } from '#test/support/people.ts';

const table = freshTable();
const { people, at, send, cancel, pending, mailedSecret } = inviting(table);

describe('an invitation', () => {
  it('is mailed with a link, and is pending for the organization and for the invited address', async () => {
    const sent = await send();
    expect(people.post.mails).toHaveLength(1);
    expect(people.post.mails[0]?.to).toBe(people.guest.email);
    expect(mailedSecret()).not.toBe('');
    expect(await pending()).toEqual([sent]);
    expect(await invitations.pendingFor(at(START), people.guest.email)).toEqual([sent]);
    expect(JSON.stringify(sent)).not.toContain(mailedSecret());
  });

  it('makes a user a member when they accept it', async () => {
    await send();
    await invitations.accept(at(START), mailedSecret(), people.guest);
    expect((await actingIn(table, people.guest.id, people.owner.organizationId)).membership).toMatchObject({
      role: 'USER',
      is_default: false,
    });
    expect(await pending()).toEqual([]);
    expect(await invitations.pendingFor(at(START), people.guest.email)).toEqual([]);
  });

  it('is accepted by one of two requests at once', async () => {
    await send();
    const answers = await Promise.allSettled(
      [1, 2].map(() => invitations.accept(at(START), mailedSecret(), people.guest)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is either accepted or rejected when both are requested at once', async () => {
    await send();
    const answers = await Promise.allSettled([
      invitations.accept(at(START), mailedSecret(), people.guest),
      invitations.reject(at(START), mailedSecret(), people.guest),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const joined = await organization.activeFor(at(START), people.guest.id, people.owner.organizationId);
    expect(joined !== undefined).toBe(answers[0]?.status === 'fulfilled');
  });

  it('can be accepted by its id too, but only by a user with the invited address', async () => {
    const { id } = await send();
    const stranger = await newUser(table, START);
    await expect(invitations.accept(at(START), id, stranger)).rejects.toThrow('does not exist');
    await invitations.accept(at(START), id, people.guest);
    expect(
      await organization.activeFor(at(START), people.guest.id, people.owner.organizationId),
    ).toBeDefined();
  });

  it('cannot be answered by a user with another address, and the refusal names both addresses', async () => {
    await send();
    const stranger = await newUser(table, START);
    const why = `This invitation was sent to ${people.guest.email}, but you're logged in as ${stranger.email}.`;
    await expect(invitations.accept(at(START), mailedSecret(), stranger)).rejects.toThrow(why);
    await expect(invitations.reject(at(START), mailedSecret(), stranger)).rejects.toThrow(why);
    expect(await invitations.validate(at(START), mailedSecret(), stranger)).toEqual({
      valid: false,
      message: why,
      email_mismatch: true,
      invitation_email: people.guest.email,
      user_email: stranger.email,
    });
  });

  it('does not show the invited address to a reader who is not signed in', async () => {
    await send();
    const check = await invitations.validate(at(START), mailedSecret(), undefined);
    expect(check).toMatchObject({ valid: true, invitation: { role: 'USER' } });
    expect(JSON.stringify(check)).not.toContain(people.guest.email);
  });

  it('expires after seven days', async () => {
    await send();
    const secret = mailedSecret();
    expect(await invitations.validate(at(later(7 * DAY - 1)), secret, people.guest)).toMatchObject({
      valid: true,
    });
    expect(await invitations.validate(at(later(7 * DAY)), secret, people.guest)).toMatchObject({
      valid: false,
      message: 'This invitation has expired. Ask for a new one.',
    });
    await expect(invitations.accept(at(later(7 * DAY)), secret, people.guest)).rejects.toThrow('expired');
    expect(await pending(later(7 * DAY))).toEqual([]);
    expect(await invitations.pendingFor(at(later(7 * DAY)), people.guest.email)).toEqual([]);
  });

  it.each(['accepted', 'rejected', 'cancelled'] as const)(
    'that is %s says so and cannot be used',
    async ending => {
      const { id } = await send();
      const secret = mailedSecret();
      if (ending === 'accepted') await invitations.accept(at(START), secret, people.guest);
      if (ending === 'rejected') await invitations.reject(at(START), secret, people.guest);
      if (ending === 'cancelled') await cancel(id);
      expect(await invitations.validate(at(START), secret, people.guest)).toMatchObject({
        valid: false,
        message: expect.stringContaining(ending),
      });
      await expect(invitations.accept(at(START), secret, people.guest)).rejects.toThrow(ending);
    },
  );

  it('replaces an earlier one of the same address, whose link is no longer valid', async () => {
    await send();
    await send({ now: later(60) });
    expect(await pending(later(60))).toHaveLength(1);
    expect(await invitations.validate(at(later(60)), mailedSecret(0), people.guest)).toMatchObject({
      valid: false,
      message: 'This invitation does not exist any more.',
    });
    await invitations.accept(at(later(60)), mailedSecret(1), people.guest);
  });

  it('can be sent again after it was cancelled', async () => {
    const { id } = await send();
    await cancel(id);
    await expect(cancel(id)).rejects.toThrow('meanwhile');
    await send();
    await invitations.accept(at(START), mailedSecret(), people.guest);
  });

  it('of another organization cannot be cancelled', async () => {
    const { id } = await send();
    const stranger = await newUser(table, START);
    await expect(cancel(id, stranger.organizationId)).rejects.toThrow('does not exist');
    expect(await pending()).toHaveLength(1);
  });

  it('is not sent to a member', async () => {
    await send();
    await invitations.accept(at(START), mailedSecret(), people.guest);
    await expect(send()).rejects.toThrow('This person is a member of the organization already.');
    await expect(send({ email: people.owner.email })).rejects.toThrow('a member');
    expect(people.post.mails).toHaveLength(1);
  });

  it('is read without the table keys of its items', async () => {
    const { id } = await send();
    const stored = {
      id,
      organization_id: people.owner.organizationId,
      email: people.guest.email,
      role: 'USER',
      invited_by: people.owner.id,
      status: 'pending',
      secret_hash: sha256(mailedSecret()),
      created_at: START.toISOString(),
      expires_at: later(7 * DAY).toISOString(),
    };
    expect(await store.read(table, people.owner.organizationId, id)).toEqual(stored);
    expect(await store.bySecret(table, mailedSecret())).toEqual(stored);
    expect(await store.byAddress(table, people.guest.email, id)).toEqual(stored);
    expect(await store.ofAddress(table, people.guest.email, START)).toEqual([stored]);
  });

  it('is deleted by DynamoDB with all that leads to it, a month after it expired', async () => {
    const { id } = await send();
    const pointers = [
      { PK: `EMAIL#${people.guest.email}`, SK: `INVITE#${id}` },
      { PK: `INVITE#${sha256(mailedSecret())}`, SK: '-' },
    ];
    const items = await getAll(table, [store.key(people.owner.organizationId, id), ...pointers]);
    const ttl = later(37 * DAY).getTime() / 1000;
    expect(items.map(item => item.ttl)).toEqual([ttl, ttl, ttl]);
  });

  it.each([0, 1])(
    'is mailed once when two requests invite the same address at once (with %i before)',
    async before => {
      if (before) await send();
      const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => send());
      await expect(send({ on: meanwhile })).rejects.toThrow('has just been invited');
      expect(people.post.mails).toHaveLength(before + 1);
      expect(await pending()).toHaveLength(1);
      await invitations.accept(at(START), mailedSecret(), people.guest);
    },
  );

  it('is not ended by who has read the one before it was sent again', async () => {
    const { id } = await send();
    const items = await getAll(table, invitations.keysOf(people.owner.organizationId, id));
    const sent = await send({ now: later(60) });
    await expect(invitations.cancel(at(later(60)), invitations.found(id, items))).rejects.toThrow(
      'meanwhile',
    );
    expect(await pending(later(60))).toEqual([sent]);
    expect(await invitations.pendingFor(at(later(60)), people.guest.email)).toEqual([sent]);
  });

  it('that is sent again while it is accepted is accepted by the member it made', async () => {
    await send();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      invitations.accept(at(START), mailedSecret(), people.guest),
    );
    await send({ on: meanwhile });
    await expect(invitations.accept(at(START), mailedSecret(), people.guest)).resolves.toBeUndefined();
    expect(await queryPartition(table, `ORG#${people.owner.organizationId}`, 'MEMBER#')).toHaveLength(2);
  });

  it('that is answered while it is read is not shown as pending', async () => {
    const { id } = await send();
    const meanwhile = beforeFirst(table, 'BatchGetCommand', () =>
      invitations.reject(at(START), id, people.guest),
    );
    expect(await invitations.pendingFor({ table: meanwhile, now: START }, people.guest.email)).toEqual([]);
  });

  it('lets its address sign in until it ends, though the domain is not allowed', async () => {
    const email = `guest${people.owner.organizationId}@elsewhere.test`;
    const request = (now: Date) =>
      login.requestCode(
        { table, mailer: people.post.mailer, isInvited: store.isInvited, now },
        email,
        '192.0.2',
      );
    await expect(request(START)).rejects.toThrow('not allowed');
    const { id } = await send({ email });
    await expect(request(START)).resolves.toEqual({ mailed: true });
    await expect(request(later(7 * DAY))).rejects.toThrow('not allowed');
    await cancel(id);
    await expect(request(START)).rejects.toThrow('not allowed');
  });
});
