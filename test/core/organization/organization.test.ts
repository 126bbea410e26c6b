import { beforeEach, describe, expect, it } from 'vitest';
import * as invitations from '#core/organization/invitation.ts';
import * as members from '#core/organization/member.ts';
import * as organization from '#core/organization/organization.ts';
import * as record from '#core/organization/record.ts';
import { batchWrite, getAll, queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { actingIn, addMembers, newMember, newUser, postbox } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2026-03-01T09:00:00Z');
const needs = { table, now };

let owner: Awaited<ReturnType<typeof newUser>>;
let id: number;

beforeEach(async () => {
  owner = await newUser(table, now);
  id = (await organization.create(needs, owner.id, 'Post office')).id;
});

/** That many more organizations of the owner; every other one is deleted, but not purged yet. */
async function addOrganizations(count: number): Promise<void> {
  const puts = Array.from({ length: count }, (_, at) => {
    const number = 900_000 + at;
    const deleted = at % 2 === 1 && { deleted_at: now.toISOString() };
    const key = { PK: `USER#${owner.id}`, SK: `ORG#${String(number).padStart(15, '0')}` };
    return [
      { PK: `ORG#${number}`, SK: 'META', id: number, name: `${number}`, active: true, ...deleted },
      { ...key, organization_id: number, user_id: owner.id, role: 'USER', is_default: false },
    ];
  }).flat();
  await batchWrite(table, { puts });
}

describe('an organization', () => {
  it('is listed for its members, the default one first', async () => {
    const member = await newMember(table, now, id);
    expect(await organization.listOf(needs, member.id)).toMatchObject([
      { id: member.organizationId, is_default: true, role: 'OWNER' },
      { id, name: 'Post office', is_default: false, role: 'USER', active: true, logo: null },
    ]);
  });

  it('comes in pages of a hundred, in the order of creation behind the default one', async () => {
    await addOrganizations(400);
    const pages: number[][] = [];
    do {
      const page = await organization.listOf(needs, owner.id, Math.max(0, ...pages.flat()));
      pages.push(page.map(one => one.id));
    } while (pages.at(-1)?.length === 100);
    const all = pages.flat();
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 2]);
    expect(all.slice(0, 3)).toEqual([owner.organizationId, id, 900_000]);
    expect([...new Set(all)].sort((a, b) => a - b)).toEqual(all);
  });

  it('that is the default is read with one request, however many the user has', async () => {
    const member = await newMember(table, now, id);
    const asked: string[] = [];
    const noting = intercepted(table, (send, { constructor: { name } }) => {
      asked.push(name);
      return send();
    });
    expect(await organization.defaultOf({ table: noting }, member.id)).toBe(member.organizationId);
    expect(asked).toEqual(['GetCommand']);
  });

  it('is read without the table keys of its items', async () => {
    expect(await actingIn(table, owner.id, id)).toEqual({
      organization: { id, name: 'Post office', active: true, members: 1, created_at: now.toISOString() },
      membership: { organization_id: id, user_id: owner.id, role: 'OWNER', is_default: false },
    });
  });

  it('changes the fields that are sent, and no others', async () => {
    const acting = await actingIn(table, owner.id, id);
    expect(await organization.change(needs, acting, { name: 'Sorting office' })).toMatchObject({
      name: 'Sorting office',
      active: true,
    });
    expect(await organization.change(needs, acting, { active: false })).toMatchObject({
      name: 'Sorting office',
      active: false,
    });
    expect(await organization.change(needs, acting, {})).toMatchObject({ id });
  });

  it('gets its currency from its owner alone, and the record of changes says so', async () => {
    const acting = await actingIn(table, owner.id, id);
    const as = { ...needs, user: owner.id };
    const ofAdmin = { ...acting, membership: { ...acting.membership, role: 'ADMIN' as const } };
    await expect(organization.change(as, ofAdmin, { currency: 'EUR' })).rejects.toThrow('Only the owner');
    expect((await actingIn(table, owner.id, id)).organization.currency).toBeUndefined();
    expect(await organization.change(as, acting, { currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
    // Known with the currency, an admin may save a form with it.
    const known = { ...ofAdmin, organization: (await actingIn(table, owner.id, id)).organization };
    expect(await organization.change(as, known, { currency: 'EUR', name: 'Mail' })).toMatchObject({
      currency: 'EUR',
      name: 'Mail',
    });
    const { data } = await record.page({ table }, id, { per_page: 10 });
    expect(data.map(({ changes }) => changes)).toContainEqual({ currency: { from: null, to: 'EUR' } });
  });

  it('that two calls change at once has both changes', async () => {
    const acting = await actingIn(table, owner.id, id);
    await Promise.all([
      organization.change(needs, acting, { currency: 'EUR' }),
      organization.change(needs, acting, { name: 'Both' }),
    ]);
    expect((await actingIn(table, owner.id, id)).organization).toMatchObject({
      currency: 'EUR',
      name: 'Both',
    });
  });

  it('that is on and is switched on again stays on since it was, so what falls due meanwhile is sent', async () => {
    const switchAt = async (time: string, active: boolean) => {
      const acting = await actingIn(table, owner.id, id);
      await organization.change({ table, now: new Date(time) }, acting, { active });
      return (await actingIn(table, owner.id, id)).organization.active_since;
    };
    const never = await switchAt('2026-03-01T10:00:00Z', true);
    expect(never).toBeUndefined();
    await switchAt('2026-03-01T11:00:00Z', false);
    const on = await switchAt('2026-03-01T12:00:00Z', true);
    expect(on).toBe('2026-03-01T12:00:00.000Z');
    expect(await switchAt('2026-03-01T13:00:00Z', true)).toBe(on);
  });

  it('has an id of its own when many are created at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 18 }, () => organization.create(needs, owner.id, 'Again')),
    );
    expect(new Set(made.map(one => one.id)).size).toBe(18);
  });
});

describe('the organizations that a user owns', () => {
  const create = () => organization.create(needs, owner.id, 'One more');
  const remove = async (which: number) => organization.remove(needs, await actingIn(table, owner.id, which));
  const FULL = {
    reason: 'conflict',
    message: 'You can own at most 20 organizations. Delete one that is no longer needed.',
  };

  it('are twenty at most with their default one, also when more are created at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 25 }, create));
    const refused = made.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toMatchObject(FULL);
    expect(await organization.listOf(needs, owner.id)).toHaveLength(20);
  });

  it('are one fewer after each that is deleted, however often that is requested', async () => {
    for (let count = 2; count < 20; count++) await create();
    const acting = await actingIn(table, owner.id, id);
    const removals = await Promise.allSettled([1, 2, 3].map(() => organization.remove(needs, acting)));
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { id: latest } = await create();
    await expect(create()).rejects.toMatchObject(FULL);
    await remove(latest);
    await create();
    await expect(create()).rejects.toMatchObject(FULL);
  });

  it('do not include those that they have joined', async () => {
    const member = await newMember(table, now, id);
    for (let count = 1; count < 20; count++) await organization.create(needs, member.id, 'Theirs');
    expect(await organization.listOf(needs, member.id)).toHaveLength(21);
    await expect(organization.create(needs, member.id, 'Theirs')).rejects.toMatchObject(FULL);
  });
});

describe('deleting an organization', () => {
  const remove = async () => organization.remove(needs, await actingIn(table, owner.id, id));

  it('is refused for the default one', async () => {
    const acting = await actingIn(table, owner.id, owner.organizationId);
    await expect(organization.remove(needs, acting)).rejects.toThrow(
      'The default organization cannot be deleted.',
    );
  });

  it('ends every membership at once', async () => {
    const member = await newMember(table, now, id);
    await remove();
    for (const who of [owner, member]) {
      expect(await organization.activeFor(needs, who.id, id)).toBeUndefined();
      expect(await organization.listOf(needs, who.id)).toHaveLength(1);
    }
  });

  it('keeps it from being joined or changed after that', async () => {
    const person = await newUser(table, now);
    const acting = await actingIn(table, owner.id, id);
    const { mailer, mails } = postbox();
    const send = () =>
      invitations.send({ ...needs, mailer, linkTo: String }, acting, { email: person.email, role: 'USER' });
    const sent = await send();
    await remove();
    await expect(invitations.accept(needs, sent.token, person)).rejects.toThrow();
    await expect(send()).rejects.toThrow('does not exist any more');
    await expect(organization.change(needs, acting, { name: 'Back' })).rejects.toThrow(
      'does not exist any more',
    );
    await expect(organization.remove(needs, acting)).rejects.toThrow('does not exist any more');
    expect(mails).toHaveLength(1);
    const late = { email: 'late@example.com', role: 'USER' as const };
    await expect(invitations.send({ ...needs, mailer, linkTo: String }, acting, late)).rejects.toThrow();
    expect(await queryPartition(table, 'EMAIL#late@example.com')).toEqual([]);
    expect(await organization.listOf(needs, person.id)).toHaveLength(1);
  });
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

  it('include an owner that the writes themselves protect', async () => {
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
