import { describe, expect, it } from 'vitest';
import * as invitations from '#core/organization/invitation.ts';
import * as member from '#core/organization/member.ts';
import * as organization from '#core/organization/organization.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { inviting, START } from '#test/support/invitations.ts';
import { actingIn } from '#test/support/people.ts';

const table = freshTable();
const { people, at, send, pending, mailedSecret, newAdmin } = inviting(table);

const NOT_ANY_MORE = 'Whoever sent this invitation may not invite any more. Ask for a new one.';

type Ending = (user: string, on?: Table) => Promise<unknown>;

const found = async (user: string) => {
  const { id, organizationId } = people.owner;
  const acting = await actingIn(table, id, organizationId);
  const items = await getAll(table, member.keysOf(organizationId, user));
  return { acting, named: member.found(acting, user, items) };
};
const remove: Ending = async (user, on = table) => {
  const { acting, named } = await found(user);
  await member.remove({ table: on, now: START }, acting, named);
};
const changeRole = async (user: string, role: 'ADMIN' | 'USER' | 'VIEWER', on: Table = table) => {
  const { acting, named } = await found(user);
  return member.changeRole({ table: on, now: START }, acting, named, role);
};
const demote: Ending = (user, on) => changeRole(user, 'USER', on);
const accept = (on: Table = table) =>
  invitations.accept({ table: on, now: START }, mailedSecret(), people.guest);
const hasJoined = async () =>
  (await organization.activeFor({ table }, people.guest.id, people.owner.organizationId)) !== undefined;

describe.each<[string, Ending]>([
  ['removed', remove],
  ['demoted', demote],
  ['made a viewer', (user, on) => changeRole(user, 'VIEWER', on)],
])('when a member is %s', (_, end) => {
  it('what they invited is cancelled, and nothing else', async () => {
    const admin = await newAdmin();
    const kept = await send({ email: 'kept@example.com' });
    await send({ by: admin });
    await end(admin.id);
    expect(await pending()).toEqual([kept]);
    expect(await invitations.pendingFor(at(START), people.guest.email)).toEqual([]);
    expect(await invitations.validate(at(START), mailedSecret(), people.guest)).toEqual({
      valid: false,
      message: 'This invitation has been cancelled.',
    });
    await expect(accept()).rejects.toMatchObject({ reason: 'conflict' });
    expect(await hasJoined()).toBe(false);
  });

  it('nothing can be accepted where the process dies before it is cancelled', async () => {
    const admin = await newAdmin();
    const { id } = await send({ by: admin });
    await expect(end(admin.id, crashing(table, { at: 1, how: 'after' }))).rejects.toThrow(Crashed);
    expect(await invitations.pendingFor(at(START), people.guest.email)).toEqual([]);
    for (const reader of [people.guest, undefined]) {
      expect(await invitations.validate(at(START), mailedSecret(), reader)).toEqual({
        valid: false,
        message: NOT_ANY_MORE,
      });
    }
    for (const token of [mailedSecret(), id]) {
      await expect(invitations.accept(at(START), token, people.guest)).rejects.toMatchObject({
        reason: 'conflict',
        message: NOT_ANY_MORE,
      });
    }
    expect(await hasJoined()).toBe(false);
    expect(await pending()).toMatchObject([{ id }]);
    await send();
    await accept();
    expect(await hasJoined()).toBe(true);
  });

  it('an invitation that was read before cannot be accepted', async () => {
    const admin = await newAdmin();
    await send({ by: admin });
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      end(admin.id, crashing(table, { at: 1, how: 'after' })).catch(() => {}),
    );
    await expect(accept(meanwhile)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await hasJoined()).toBe(false);
  });
});

it('what a member has invited is kept where they stay an admin, as is who has joined by it', async () => {
  const admin = await newAdmin();
  const sent = await send({ by: admin });
  await changeRole(admin.id, 'ADMIN');
  expect(await pending()).toEqual([sent]);
  await accept();
  await remove(admin.id);
  expect(await hasJoined()).toBe(true);
});
