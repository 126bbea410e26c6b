import { beforeEach, describe, expect, it } from 'vitest';
import * as members from '#core/organization/member.ts';
import * as organization from '#core/organization/organization.ts';
import { getAll, queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { actingIn, addMembers, newMember, newUser } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2026-03-01T09:00:00Z');
const needs = { table, now };

let owner: Awaited<ReturnType<typeof newUser>>;
let id: number;

beforeEach(async () => {
  owner = await newUser(table, now);
  id = (await organization.create(needs, owner.id, 'Post office')).id;
});

describe('members', () => {
  const found = async (acting: organization.Active, user: string) =>
    members.found(acting, user, await getAll(table, members.keysOf(id, user)));
  const changeRole = async (actor: string, who: string, role: 'ADMIN' | 'USER') => {
    const acting = await actingIn(table, actor, id);
    return members.changeRole(needs, acting, await found(acting, who), role);
  };
  const remove = async (actor: string, who: string) => {
    const acting = await actingIn(table, actor, id);
    return members.remove(needs, acting, await found(acting, who));
  };

  it('are listed by role', async () => {
    const member = await newMember(table, now, id);
    const admin = await newMember(table, now, id, 'ADMIN');
    const { members: listed } = await members.page(needs, await actingIn(table, owner.id, id));
    expect(listed.map(({ id: who, role, is_owner }) => [who, role, is_owner])).toEqual([
      [owner.id, 'OWNER', true],
      [admin.id, 'ADMIN', false],
      [member.id, 'USER', false],
    ]);
  });

  it('come in pages of a hundred, each of them once', async () => {
    await addMembers(table, id, 250);
    const active = await actingIn(table, owner.id, id);
    const sizes: number[] = [];
    const seen = new Set<string>();
    let cursor: string | null | undefined;
    do {
      const page = await members.page(needs, active, cursor ?? undefined);
      sizes.push(page.members.length);
      for (const one of page.members) seen.add(one.id);
      cursor = page.next_cursor;
    } while (cursor);
    expect([sizes, seen.size]).toEqual([[100, 100, 51], 251]);
  });

  it('that fill one page exactly have no next page', async () => {
    await addMembers(table, id, 99);
    const page = await members.page(needs, await actingIn(table, owner.id, id));
    expect([page.members.length, page.next_cursor]).toEqual([100, null]);
  });

  it('are found by id with two keys, however many there are', async () => {
    const [member = ''] = await addMembers(table, id, 120);
    const acting = await actingIn(table, owner.id, id);
    expect(members.keysOf(id, member)).toHaveLength(2);
    expect(await found(acting, member)).toMatchObject({ id: member, role: 'USER' });
    const stranger = await newUser(table, now);
    for (const none of ['unknown', stranger.id]) {
      await expect(found(acting, none)).rejects.toMatchObject({ reason: 'not-found' });
    }
  });

  it('get a new role in both copies of their membership', async () => {
    const member = await newMember(table, now, id);
    await changeRole(owner.id, member.id, 'ADMIN');
    expect((await actingIn(table, member.id, id)).membership.role).toBe('ADMIN');
    const { members: listed } = await members.page(needs, await actingIn(table, owner.id, id));
    expect(listed.find(one => one.id === member.id)?.role).toBe('ADMIN');
  });

  it('that are removed have no access from the next call on', async () => {
    const member = await newMember(table, now, id);
    await remove(owner.id, member.id);
    expect(await organization.activeFor(needs, member.id, id)).toBeUndefined();
    expect(await organization.listOf(needs, member.id)).toHaveLength(1);
  });

  it('that are removed meanwhile do not come back by a change of their role', async () => {
    const member = await newMember(table, now, id);
    const acting = await actingIn(table, owner.id, id);
    const read = await found(acting, member.id);
    await remove(owner.id, member.id);
    const late = members.changeRole(needs, acting, read, 'ADMIN');
    await expect(late).rejects.toMatchObject({ reason: 'not-found' });
    expect(await queryPartition(table, `ORG#${id}`, `MEMBER#${member.id}`)).toEqual([]);
    expect(await organization.activeFor(needs, member.id, id)).toBeUndefined();
  });

  it('cannot change or remove the owner, nor themselves', async () => {
    const admin = await newMember(table, now, id, 'ADMIN');
    const acting = await actingIn(table, admin.id, id);
    for (const [who, why] of [
      [owner.id, 'The owner cannot be changed or removed.'],
      [admin.id, 'You cannot change or remove your own entry.'],
    ] as const) {
      await expect(changeRole(admin.id, who, 'USER')).rejects.toThrow(why);
      await expect(remove(admin.id, who)).rejects.toThrow(why);
    }
    expect((await members.page(needs, acting)).members).toHaveLength(2);
  });

  it('include an owner whom the writes themselves protect', async () => {
    const acting = await actingIn(table, owner.id, id);
    const [member] = (await members.page(needs, acting)).members;
    if (!member) throw new Error('There is no owner');
    await expect(members.changeRole(needs, acting, member, 'USER')).rejects.toThrow();
    await expect(members.remove(needs, acting, member)).rejects.toThrow();
    expect((await members.page(needs, acting)).members).toEqual([member]);
    expect(await actingIn(table, owner.id, id)).toEqual(acting);
  });

  it('are removed by one of two requests at once', async () => {
    const member = await newMember(table, now, id);
    const removals = await Promise.allSettled([1, 2].map(() => remove(owner.id, member.id)));
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
