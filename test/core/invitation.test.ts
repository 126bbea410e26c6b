import { beforeEach, describe, expect, it } from 'vitest';
import * as store from '../../functions/core/invitation/invitation.store.ts';
import * as invitation from '../../functions/core/invitation/invitation.ts';
import * as login from '../../functions/core/login/login.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { sha256 } from '../../functions/core/secret.ts';
import { getAll, queryPartition, type Table } from '../../functions/core/table.store.ts';
import { between } from '../support/between.ts';
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

const send = async (email = guest.email, now = START, on: Table = table) =>
  invitation.send(
    { table: on, now, mailer: post.mailer, linkTo: secret => `https://letterflow.example/i/${secret}` },
    await actingIn(table, owner.id, owner.organizationId),
    { email, role: 'USER' },
  );
const cancel = async (id: string, by = owner) => {
  const items = await getAll(table, invitation.keysOf(by.organizationId, id));
  return invitation.cancel(at(START), invitation.found(id, items));
};
/** The secret in the link of the latest mail. */
const mailedSecret = (index = post.mails.length - 1) =>
  /\/i\/([\w-]{43})/.exec(post.mails[index]?.letter.text ?? '')?.[1] ?? '';
const pending = async (now = START) =>
  invitation.pendingOf(at(now), await actingIn(table, owner.id, owner.organizationId));

describe('an invitation', () => {
  it('is mailed with a link, and is pending for the organization and for the invited address', async () => {
    const sent = await send();
    expect(post.mails).toHaveLength(1);
    expect(post.mails[0]?.to).toBe(guest.email);
    expect(mailedSecret()).not.toBe('');
    expect(await pending()).toEqual([sent]);
    expect(await invitation.pendingFor(at(START), guest.email)).toEqual([sent]);
    expect(JSON.stringify(sent)).not.toContain(mailedSecret());
  });

  it('makes a user a member when they accept it', async () => {
    await send();
    await invitation.accept(at(START), mailedSecret(), guest);
    expect((await actingIn(table, guest.id, owner.organizationId)).membership).toMatchObject({
      role: 'USER',
      is_default: false,
    });
    expect(await pending()).toEqual([]);
    expect(await invitation.pendingFor(at(START), guest.email)).toEqual([]);
  });

  it('is accepted by one of two requests at once', async () => {
    await send();
    const answers = await Promise.allSettled(
      [1, 2].map(() => invitation.accept(at(START), mailedSecret(), guest)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is either accepted or rejected when both are requested at once', async () => {
    await send();
    const answers = await Promise.allSettled([
      invitation.accept(at(START), mailedSecret(), guest),
      invitation.reject(at(START), mailedSecret(), guest),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const joined = await organization.activeFor(at(START), guest.id, owner.organizationId);
    expect(joined !== undefined).toBe(answers[0]?.status === 'fulfilled');
  });

  it('can be accepted by its id too, but only by a user with the invited address', async () => {
    const { id } = await send();
    const stranger = await newUser(table, START);
    await expect(invitation.accept(at(START), id, stranger)).rejects.toThrow('does not exist');
    await invitation.accept(at(START), id, guest);
    expect(await organization.activeFor(at(START), guest.id, owner.organizationId)).toBeDefined();
  });

  it('cannot be answered by a user with another address, and the refusal names both addresses', async () => {
    await send();
    const stranger = await newUser(table, START);
    const why = `This invitation was sent to ${guest.email}, but you're logged in as ${stranger.email}.`;
    await expect(invitation.accept(at(START), mailedSecret(), stranger)).rejects.toThrow(why);
    await expect(invitation.reject(at(START), mailedSecret(), stranger)).rejects.toThrow(why);
    expect(await invitation.validate(at(START), mailedSecret(), stranger)).toEqual({
      valid: false,
      message: why,
      email_mismatch: true,
      invitation_email: guest.email,
      user_email: stranger.email,
    });
  });

  it('does not show the invited address to a reader who is not signed in', async () => {
    await send();
    const check = await invitation.validate(at(START), mailedSecret(), undefined);
    expect(check).toMatchObject({ valid: true, invitation: { role: 'USER' } });
    expect(JSON.stringify(check)).not.toContain(guest.email);
  });

  it('expires after seven days', async () => {
    await send();
    const secret = mailedSecret();
    expect(await invitation.validate(at(later(7 * DAY - 1)), secret, guest)).toMatchObject({ valid: true });
    expect(await invitation.validate(at(later(7 * DAY)), secret, guest)).toMatchObject({
      valid: false,
      message: 'This invitation has expired. Ask for a new one.',
    });
    await expect(invitation.accept(at(later(7 * DAY)), secret, guest)).rejects.toThrow('expired');
    expect(await pending(later(7 * DAY))).toEqual([]);
    expect(await invitation.pendingFor(at(later(7 * DAY)), guest.email)).toEqual([]);
  });

  it.each(['accepted', 'rejected', 'cancelled'] as const)(
    'that is %s says so and cannot be used',
    async ending => {
      const { id } = await send();
      const secret = mailedSecret();
      if (ending === 'accepted') await invitation.accept(at(START), secret, guest);
      if (ending === 'rejected') await invitation.reject(at(START), secret, guest);
      if (ending === 'cancelled') await cancel(id);
      expect(await invitation.validate(at(START), secret, guest)).toMatchObject({
        valid: false,
        message: expect.stringContaining(ending),
      });
      await expect(invitation.accept(at(START), secret, guest)).rejects.toThrow(ending);
    },
  );

  it('replaces an earlier one of the same address, whose link is no longer valid', async () => {
    await send();
    await send(guest.email, later(60));
    expect(await pending(later(60))).toHaveLength(1);
    expect(await invitation.validate(at(later(60)), mailedSecret(0), guest)).toMatchObject({ valid: false });
    await invitation.accept(at(later(60)), mailedSecret(1), guest);
  });

  it('can be sent again after it was cancelled', async () => {
    const { id } = await send();
    await cancel(id);
    await expect(cancel(id)).rejects.toThrow('meanwhile');
    await send();
    await invitation.accept(at(START), mailedSecret(), guest);
  });

  it('of another organization cannot be cancelled', async () => {
    const { id } = await send();
    const stranger = await newUser(table, START);
    await expect(cancel(id, stranger)).rejects.toThrow('does not exist');
    expect(await pending()).toHaveLength(1);
  });

  it('is not sent to a member', async () => {
    await send();
    await invitation.accept(at(START), mailedSecret(), guest);
    await expect(send()).rejects.toThrow('This person is a member of the organization already.');
    await expect(send(owner.email)).rejects.toThrow('a member');
    expect(post.mails).toHaveLength(1);
  });

  it('is mailed to one address five times an hour at most', async () => {
    for (let i = 0; i < 5; i++) await send(guest.email, later(i));
    await expect(send(guest.email, later(60))).rejects.toMatchObject({
      reason: 'too-many',
      retryAfter: 3540,
    });
    expect(post.mails).toHaveLength(5);
    await send(guest.email, later(3600));
    expect(post.mails).toHaveLength(6);
  });

  it('counts as a mail to its address also when it was cancelled', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await send(guest.email, later(i));
      await cancel(id);
    }
    await expect(send(guest.email, later(60))).rejects.toMatchObject({ reason: 'too-many' });
    expect(post.mails).toHaveLength(5);
  });

  it('is read without the table keys of its items', async () => {
    const { id } = await send();
    const stored = {
      id,
      organization_id: owner.organizationId,
      email: guest.email,
      role: 'USER',
      invited_by: owner.id,
      status: 'pending',
      secret_hash: sha256(mailedSecret()),
      mailed: [START.toISOString()],
      created_at: START.toISOString(),
      expires_at: later(7 * DAY).toISOString(),
    };
    expect(await store.read(table, owner.organizationId, id)).toEqual(stored);
    expect(await store.bySecret(table, mailedSecret())).toEqual(stored);
    expect(await store.byAddress(table, guest.email, id)).toEqual(stored);
    expect(await store.ofAddress(table, guest.email, START)).toEqual([stored]);
  });

  it('is deleted by DynamoDB with all that leads to it, a month after it expired', async () => {
    const { id } = await send();
    const pointers = [
      { PK: `EMAIL#${guest.email}`, SK: `INVITE#${id}` },
      { PK: `INVITE#${sha256(mailedSecret())}`, SK: '-' },
    ];
    const items = await getAll(table, [store.key(owner.organizationId, id), ...pointers]);
    const ttl = later(37 * DAY).getTime() / 1000;
    expect(items.map(item => item.ttl)).toEqual([ttl, ttl, ttl]);
  });

  it.each([0, 1])(
    'is mailed once when two requests invite the same address at once (with %i before)',
    async before => {
      if (before) await send();
      const meanwhile = between(table, 'TransactWriteCommand', () => send());
      await expect(send(guest.email, START, meanwhile)).rejects.toThrow('has just been invited');
      expect(post.mails).toHaveLength(before + 1);
      expect(await pending()).toHaveLength(1);
      await invitation.accept(at(START), mailedSecret(), guest);
    },
  );

  it('is not ended by who has read the one before it was sent again', async () => {
    const { id } = await send();
    const items = await getAll(table, invitation.keysOf(owner.organizationId, id));
    const sent = await send(guest.email, later(60));
    await expect(invitation.cancel(at(later(60)), invitation.found(id, items))).rejects.toThrow('meanwhile');
    expect(await pending(later(60))).toEqual([sent]);
    expect(await invitation.pendingFor(at(later(60)), guest.email)).toEqual([sent]);
  });

  it('that is sent again while it is accepted is accepted by the member it made', async () => {
    await send();
    const meanwhile = between(table, 'TransactWriteCommand', () =>
      invitation.accept(at(START), mailedSecret(), guest),
    );
    await send(guest.email, START, meanwhile);
    await expect(invitation.accept(at(START), mailedSecret(), guest)).resolves.toBeUndefined();
    expect(await queryPartition(table, `ORG#${owner.organizationId}`, 'MEMBER#')).toHaveLength(2);
  });

  it('that is answered while it is read is not shown as pending', async () => {
    const { id } = await send();
    const meanwhile = between(table, 'BatchGetCommand', () => invitation.reject(at(START), id, guest));
    expect(await invitation.pendingFor({ table: meanwhile, now: START }, guest.email)).toEqual([]);
  });

  it('lets its address sign in until it ends, though the domain is not allowed', async () => {
    const email = `guest${owner.organizationId}@elsewhere.test`;
    const request = (now: Date) => login.requestCode({ table, mailer: post.mailer, now }, email);
    await expect(request(START)).rejects.toThrow('not allowed');
    const { id } = await send(email);
    await expect(request(START)).resolves.toBeUndefined();
    await expect(request(later(7 * DAY))).rejects.toThrow('not allowed');
    await cancel(id);
    await expect(request(START)).rejects.toThrow('not allowed');
  });
});
