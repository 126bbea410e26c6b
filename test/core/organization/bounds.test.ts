import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as invitations from '#core/organization/invitation.ts';
import * as members from '#core/organization/member.ts';
import * as organization from '#core/organization/organization.ts';
import { getAll, queryPartition } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { LIST_FORM } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { actingIn, newUser, postbox } from '#test/support/people.ts';
import { purgesOf } from '#test/support/purge.ts';

const table = freshTable();
const now = new Date('2026-03-01T09:00:00Z');
const needs = { table, now };

type Person = Awaited<ReturnType<typeof newUser>>;
let owner: Person;
let id: number;
beforeEach(async () => {
  owner = await newUser(table, now);
  ({ id } = await organization.create(needs, owner.id, 'Post office'));
});

const acting = () => actingIn(table, owner.id, id);
const count = (of: 'lists' | 'members', number: number) =>
  updateItem(table, { PK: `ORG#${id}`, SK: 'META' }, { set: { [of]: number } });
const counted = async (of: 'lists' | 'members') => (await acting()).organization[of];

async function outcomes(calls: Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls);
  const reasons = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
  return { done: calls.length - reasons.length, refused: new Set(reasons.map(({ message }) => message)) };
}

describe('the lists of an organization', () => {
  const create = async () => list.create(needs, await acting(), LIST_FORM);
  const find = async (one: { id: string }) => list.found(await getAll(table, list.keysOf(id, one.id)));
  const remove = async (one: { id: string }) => list.remove(needs, await find(one));
  const FULL = 'An organization can have at most 1,000 email lists. Delete one that is no longer needed.';

  it('are 1,000 at most, also when several are created at once', async () => {
    await count('lists', 997);
    const { done, refused } = await outcomes(Array.from({ length: 8 }, create));
    expect([done, refused]).toEqual([3, new Set([FULL])]);
    await expect(create()).rejects.toMatchObject({ reason: 'conflict' });
    expect(await list.listOf({ table, now }, id)).toHaveLength(3);
  });

  it('give their place back once when they are deleted, however often that is asked for', async () => {
    const made = await create();
    const found = await find(made);
    await count('lists', 1_000);
    const { done } = await outcomes([1, 2, 3].map(() => list.remove(needs, found)));
    expect([done, await counted('lists')]).toEqual([1, 999]);
    expect((await outcomes([create(), create()])).done).toBe(1);
  });

  it('have their place where a list was refused for another reason', async () => {
    const made = await create();
    await expect(list.remove(needs, { ...(await find(made)), id: 'another' })).rejects.toThrow('not found');
    expect(await counted('lists')).toBe(1);
    await remove(made);
    expect(await counted('lists')).toBe(0);
  });
});

describe('a member', () => {
  async function invite(guest: Person, to = { owner, id }): Promise<string> {
    const active = await actingIn(table, to.owner.id, to.id);
    const invited = { email: guest.email, role: 'USER' as const };
    return (await invitations.send({ ...needs, mailer: postbox().mailer, linkTo: String }, active, invited))
      .id;
  }
  const guests = (number: number) => Promise.all(Array.from({ length: number }, () => newUser(table, now)));
  const isMember = (guest: Person, of = id) =>
    members.among({ table }, of, [guest.id], 'lists:read').then(ids => ids.has(guest.id));
  async function remove(guest: Person) {
    const active = await acting();
    const items = await getAll(table, members.keysOf(id, guest.id));
    await members.remove({ table, now }, active, members.found(active, guest.id, items));
  }
  async function join(guest: Person, to = { owner, id }) {
    await invitations.accept(needs, await invite(guest, to), guest);
  }

  it('is one of 1,000 at most, also when several accept at once', async () => {
    expect(await counted('members')).toBe(1);
    const people = await guests(5);
    const invited = await Promise.all(people.map(async guest => ({ guest, token: await invite(guest) })));
    await count('members', 998);
    const { done, refused } = await outcomes(
      invited.map(({ guest, token }) => invitations.accept(needs, token, guest)),
    );
    const FULL = 'This organization has 1,000 members, which is as many as it can have.';
    expect([done, refused]).toEqual([2, new Set([FULL])]);

    const inside = await Promise.all(people.map(guest => isMember(guest)));
    const [joined, left] = [inside.indexOf(true), inside.indexOf(false)];
    await remove(people[joined] as Person);
    await invitations.accept(needs, invited[left]?.token ?? '', people[left] as Person);
    expect(await counted('members')).toBe(1_000);
  });

  it('who accepts twice at once takes one place', async () => {
    const [guest] = (await guests(1)) as [Person];
    const token = await invite(guest);
    const accepted = await outcomes([1, 2, 3].map(() => invitations.accept(needs, token, guest)));
    expect(accepted.done).toBe(1);
    expect(await counted('members')).toBe(2);
    await remove(guest);
    await expect(remove(guest)).rejects.toThrow('no member of the organization');
    expect(await counted('members')).toBe(1);
  });

  describe('of many organizations', () => {
    const FULL =
      'You have joined 100 organizations, which is as many as you can. Ask one of them to remove you first.';
    let guest: Person;
    beforeEach(async () => {
      guest = await newUser(table, now);
    });
    const joinedKey = () => ({ PK: `USER#${guest.id}`, SK: 'JOINED' });
    const setJoined = (organizations: number) => updateItem(table, joinedKey(), { set: { organizations } });
    const joined = async () => (await queryPartition(table, joinedKey().PK, 'JOINED'))[0]?.organizations;

    it('has joined a hundred at most, also when they accept several at once', async () => {
      const hosts = await guests(3);
      const tokens = await Promise.all(
        hosts.map(host => invite(guest, { owner: host, id: host.organizationId })),
      );
      await setJoined(98);
      const { done, refused } = await outcomes(tokens.map(token => invitations.accept(needs, token, guest)));
      expect([done, refused]).toEqual([2, new Set([FULL])]);
      await expect(organization.create(needs, guest.id, 'Depot')).resolves.toBeDefined();
    });

    it('may join another one after they were removed from one', async () => {
      await join(guest);
      await setJoined(100);
      const [host] = (await guests(1)) as [Person];
      const token = await invite(guest, { owner: host, id: host.organizationId });
      await expect(invitations.accept(needs, token, guest)).rejects.toThrow(FULL);
      await remove(guest);
      await invitations.accept(needs, token, guest);
      expect(await joined()).toBe(100);
    });

    it('has one more place after one of them is deleted, once', async () => {
      await join(guest);
      await setJoined(100);
      await organization.remove(needs, await acting());
      await Promise.all([members.purgeSome(table, id), members.purgeSome(table, id)]);
      await purgesOf(table).purged({ organization_id: id }, now);
      expect(await joined()).toBe(99);
      expect(await queryPartition(table, `USER#${owner.id}`, 'JOINED')).toEqual([]);
    });
  });
});
