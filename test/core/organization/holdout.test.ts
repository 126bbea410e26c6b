import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as holdout from '#core/organization/holdout.ts';
import * as organization from '#core/organization/organization.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { newUser } from '#test/support/people.ts';

const table = freshTable();
const start = new Date('2026-03-01T21:00:00Z');
const PEOPLE = Array.from({ length: 10_000 }, (_, nth) => hashOf(`reader${nth}@example.com`));
const heldOut = (of: string, percent: number) =>
  new Set(PEOPLE.filter(hash => holdout.isHeldOut(hash, of, percent)));

const read = (id: number) => organization.findLiving({ table }, id);
const newOrganization = async () => (await newUser(table, start)).organizationId;
const recordOf = (id: number) => queryPartition(table, `ORG#${id}#RECORD`);

it('a person stays held out while the percent grows, and is never held out without one', () => {
  const person = fc.string().map(hashOf);
  const percent = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(person, fc.string(), percent, percent, (hash, of, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const isIn = (share: number) => holdout.isHeldOut(hash, of, share);
      return !isIn(0) && (!isIn(low) || isIn(high));
    }),
  );
});

it.each([1, 10, 50])('%i percent of people are held out, within five standard deviations', percent => {
  const expected = PEOPLE.length * (percent / 100);
  const deviation = Math.sqrt(expected * (1 - percent / 100));
  expect(Math.abs(heldOut('4k7m2p9q1r5t', percent).size - expected)).toBeLessThan(5 * deviation);
});

it('who is held out of one automation is as likely as anybody to be held out of another one', () => {
  const [one, other] = [heldOut('4k7m2p9q1r5t', 20), heldOut('8h3n5v7w2x4y', 20)];
  const both = [...one].filter(hash => other.has(hash)).length;
  expect(Math.abs(both - PEOPLE.length * 0.04)).toBeLessThan(5 * Math.sqrt(PEOPLE.length * 0.04));
});

it('the same people are held out by each version of the code', () => {
  expect(
    [...heldOut('4k7m2p9q1r5t', 1)].slice(0, 3).map(hash => PEOPLE.indexOf(hash)),
  ).toMatchInlineSnapshot(`
    [
      389,
      539,
      606,
    ]
  `);
});

it('of two owners who change it at once, both are recorded, one after the other; the same again changes nothing', async () => {
  const id = await newOrganization();
  const known = await read(id);
  const change = (percent: number) => holdout.change({ table, now: start }, known, { percent });
  expect(await change(10)).toEqual({ percent: 10 });
  expect(await change(5)).toEqual({ percent: 5 });
  expect(await change(5)).toEqual({ percent: 5 });
  expect((await read(id)).holdout_percent).toBe(5);
  const changes = (await recordOf(id)).map(entry => entry.changes);
  expect(changes).toHaveLength(2);
  expect(changes).toContainEqual({ holdout_percent: { from: 0, to: 10 } });
  expect(changes).toContainEqual({ holdout_percent: { from: 10, to: 5 } });
});

it('that of a deleted organization is not changed', async () => {
  const id = await newOrganization();
  const known = await read(id);
  const deleted = { PK: `ORG#${id}`, SK: 'META', ...known, deleted_at: start.toISOString() };
  await batchWrite(table, { puts: [deleted] });
  const refused = holdout.change({ table, now: start }, known, { percent: 10 });
  await expect(refused).rejects.toMatchObject({ reason: 'not-found' });
  expect(await recordOf(id)).toEqual([]);
});
