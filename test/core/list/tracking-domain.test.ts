import { expect, it, vi } from 'vitest';
import type { CountedList } from '#core/list/list.store.ts';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as store from '#core/list/tracking-domain.store.ts';
import * as tracking from '#core/list/tracking-domain.ts';
import { requestWrite } from '#core/storage/purge-request.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { newList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { dnsOf, trackingAt } from '#test/support/domains.ts';
import { freshTable } from '#test/support/engine.ts';
import { purgesOf } from '#test/support/purge.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
// A stage may have its target elsewhere than below its own domain.
const place = { target: 'links.example.net', publicUrl: 'https://letters.example' };
let count = 0;

/** A domain of a test, lists of two organizations, and what they may do with it. */
async function start(looked?: () => Promise<void>) {
  const domain = `link${++count}.example.com`;
  const edge = trackingAt();
  const { dns, ...zone } = dnsOf(looked);
  const failed = vi.fn();
  const [ours, theirs] = [await newList(table, now), await newList(table, now)];
  const needs = { table, now, place, dns, trackingDomains: edge.trackingDomains, failed };
  const again = (of: CountedList) => listStore.readExisting(table, of);
  const add = async (of: CountedList, name = domain) => tracking.claim(needs, await again(of), name);
  const check = async (of: CountedList, on: Table = table) =>
    tracking.check({ ...needs, table: on }, await again(of));
  const release = async (of: CountedList) => tracking.release(needs, await again(of));
  const see = async (of: CountedList) => tracking.shown(place, await again(of));
  const used = async (of: CountedList) => tracking.activeDomain(await again(of));
  const lead = (of: CountedList) => zone.set(domain, `${of.id}.${place.target}`);
  async function active(of: CountedList) {
    await add(of);
    lead(of);
    await check(of);
    return check(of);
  }
  return { domain, edge, zone, failed, ours, theirs, needs, add, check, release, see, used, lead, active };
}

it('a domain is added, waits for its record and its certificate, and is used from then on', async () => {
  const { domain, ours, add, check, see, used, lead, edge } = await start();
  expect(await see(ours)).toEqual({
    domain: `link.${ours.domain}`,
    status: 'unclaimed',
    records: [],
    checked_at: null,
    message: expect.stringMatching(/^Links in emails have the address of this site/),
  });
  await expect(check(ours)).rejects.toMatchObject({ reason: 'conflict' });
  const record = { type: 'CNAME', name: domain, value: `${ours.id}.links.example.net`, found: false };
  expect(await add(ours)).toMatchObject({ domain, status: 'pending', records: [record] });
  expect(await add(ours)).toMatchObject({ domain, status: 'pending' });
  expect(await check(ours)).toMatchObject({
    status: 'pending',
    checked_at: now.toISOString(),
    message: expect.stringMatching(/^The record is not found yet/),
  });
  expect([edge.served.size, await store.ownerOf(table, domain)]).toEqual([0, undefined]);
  lead(ours);
  expect(await check(ours)).toMatchObject({ status: 'issuing', records: [{ ...record, found: true }] });
  expect(await used(ours)).toBeUndefined();
  expect(await check(ours)).toMatchObject({ status: 'active' });
  expect([await used(ours), (await see(ours)).status]).toEqual([domain, 'active']);
});

it('a check says where a record leads if that is a name, and takes a domain that leads elsewhere', async () => {
  const { domain, ours, theirs, active, check, used, zone, see } = await start();
  await active(ours);
  zone.set(domain, 'shops.example.org');
  expect(await check(ours)).toMatchObject({
    status: 'pending',
    records: [{ found: false }],
    message: `${domain} leads to shops.example.org. Replace that by the record below, then check again.`,
  });
  for (const words of ['your account is closed, write to me.example', `${'x'.repeat(200)}.example.org`]) {
    zone.set(domain, words);
    expect((await check(ours)).message).toMatch(/^The record is not found yet/);
  }
  expect(await used(ours)).toBeUndefined();
  // Neither the name that all records lead below, nor that of another list, nor one that contains it.
  for (const value of [
    place.target,
    `${theirs.id}.${place.target}`,
    `${ours.id}.${place.target}.evil.example`,
  ]) {
    zone.set(domain, value);
    expect((await check(ours)).status).toBe('pending');
  }
  expect((await see(ours)).checked_at).toBe(now.toISOString());
});

it('a domain is of the organization whose list its record names, and never of another one', async () => {
  const { domain, ours, theirs, add, check, release, active, lead, used, edge } = await start();
  // An unverified claim blocks nobody.
  await add(theirs);
  expect(await active(ours)).toMatchObject({ status: 'active' });
  expect(await check(theirs)).toMatchObject({ status: 'pending' });
  await release(ours);
  lead(theirs);
  expect(await check(theirs)).toMatchObject({
    status: 'taken',
    message: expect.stringMatching(/Choose another name/),
  });
  // Links already sent are still served.
  expect([await used(theirs), edge.served.get(domain)]).toEqual([undefined, 'active']);
  lead(ours);
  expect(await active(ours)).toMatchObject({ status: 'active' });
});

it('two organizations that are first at once: the record names one of them', async () => {
  const { domain, ours, theirs, add, check, zone } = await start();
  await Promise.all([add(ours), add(theirs)]);
  zone.set(domain, `${ours.id}.${place.target}`, `${theirs.id}.${place.target}`);
  const both = await Promise.all([check(ours), check(theirs)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['issuing', 'taken']);
  const owner = await store.ownerOf(table, domain);
  const kept = await Promise.all([ours, theirs].map(of => store.readAll(table, of.organization_id)));
  expect(kept.flat()).toEqual([domain]);
  expect([ours, theirs].map(of => of.organization_id)).toContain(owner);
});

it.each([
  ['the stage', 'letters.example', /domain of this site/],
  ['below the stage', 'a.b.letters.example', /domain of this site/],
  ['a target', 'abc.links.example.net', /domain of this site/],
  ['an apex', 'example.com', /name of their own/],
  ['too long', `${'a'.repeat(60)}.example.com`, /up to 64/],
])('a name that is %s is refused at its field', async (_, domain, message) => {
  const { ours, add, see } = await start();
  await expect(add(ours, domain)).rejects.toMatchObject({
    reason: 'invalid',
    errors: { domain: [expect.stringMatching(message)] },
  });
  expect((await see(ours)).status).toBe('unclaimed');
});

it('a list has one tracking domain, and a domain one list', async () => {
  const { domain, ours, add, release, used } = await start();
  const second = await newList(table, now, { organization: ours.organization_id, name: 'Second' });
  await add(ours);
  await expect(add(ours, 'link.example.org')).rejects.toMatchObject({ message: `Remove ${domain} first.` });
  await expect(add(second)).rejects.toMatchObject({ message: expect.stringContaining(`uses ${domain}`) });
  const both = await Promise.allSettled([add(second, 'a.example.org'), add(second, 'b.example.org')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await release(ours);
  await release(ours);
  expect(await used(ours)).toBeUndefined();
  expect(await add(ours, 'link.example.org')).toMatchObject({ domain: 'link.example.org' });
});

it('a stage without a name for records explains it, and adds nothing', async () => {
  const { ours, needs, see } = await start();
  const without = { ...place, target: '' };
  const { status, message } = tracking.shown(without, ours);
  expect([status, message]).toEqual(['unavailable', expect.stringMatching(/no domain of its own/)]);
  const added = tracking.claim({ ...needs, place: without }, ours, 'link.example.com');
  await expect(added).rejects.toMatchObject({ reason: 'conflict', message });
  expect((await see(ours)).status).toBe('unclaimed');
});

it('a DNS or a CloudFront that gives no answer takes nothing, and gives nothing', async () => {
  const { domain, ours, active, add, check, used, lead, zone, edge, failed } = await start();
  await add(ours);
  lead(ours);
  edge.setDown(true);
  const silent = { message: expect.stringMatching(/^Amazon CloudFront gave no answer/) };
  expect(await check(ours)).toMatchObject({ status: 'issuing', ...silent });
  expect([await used(ours), failed.mock.calls.length]).toEqual([undefined, 1]);
  edge.setDown(false);
  await active(ours);
  edge.setDown(true);
  expect(await check(ours)).toMatchObject({ status: 'active', ...silent });
  zone.setSilent(true);
  expect(await check(ours)).toMatchObject({
    status: 'active',
    message: `The DNS of ${domain} gave no answer. Please check again in a minute.`,
  });
  expect(await used(ours)).toBe(domain);
});

it('a certificate that fails, or a domain that is served elsewhere, is no longer used', async () => {
  const { domain, ours, active, check, used, edge } = await start();
  await active(ours);
  for (const status of ['failed', 'taken'] as const) {
    edge.served.set(domain, status);
    expect(await check(ours)).toMatchObject({ status });
    expect(await used(ours)).toBeUndefined();
  }
});

it('of two checks at once, the one that looked later counts', async () => {
  let looked = async () => {};
  const { domain, ours, active, check, see, zone } = await start(() => looked());
  await active(ours);
  looked = async () => {
    looked = async () => {};
    zone.set(domain);
    await check(ours);
  };
  expect(await check(ours)).toMatchObject({ status: 'pending' });
  expect(await see(ours)).toMatchObject({ status: 'pending' });
});

it('a check that meets the removal of its domain brings nothing back', async () => {
  let looked = async () => {};
  const { ours, active, check, release, see, used } = await start(() => looked());
  await active(ours);
  looked = async () => {
    looked = async () => {};
    await release(ours);
  };
  await expect(check(ours)).rejects.toMatchObject({ reason: 'conflict' });
  expect([await used(ours), (await see(ours)).status]).toEqual([undefined, 'unclaimed']);
});

it('a check that dies at a write is completed by the next one, and what is served has an owner', async () => {
  const { domain, ours, add, check, lead, edge } = await start();
  await add(ours);
  lead(ours);
  await crashingAtEachWrite(
    table,
    async () => {
      if (edge.served.has(domain)) expect(await store.ownerOf(table, domain)).toBe(ours.organization_id);
      return ours;
    },
    (on, of) => check(of, on),
  );
  expect(await check(ours)).toMatchObject({ status: 'active' });
});

it('the domain of a deleted list is served on; those of a deleted organization are not, and nobody gets them', async () => {
  const { domain, ours, theirs, active, check, add, lead, edge } = await start();
  const purges = purgesOf(table, undefined, undefined, edge);
  await active(ours);
  for (let one = 0; one < 6; one++) await store.own(table, ours.organization_id, `kept${one}.${domain}`);
  await list.remove({ table, now }, ours);
  await purges.purged({ organization_id: ours.organization_id, list_id: ours.id }, now);
  expect(edge.served.get(domain)).toBe('active');
  await commit(table, [requestWrite(table, { organization_id: ours.organization_id }, now)]);
  edge.setDown(true);
  await expect(purges.purged({ organization_id: ours.organization_id }, now)).rejects.toThrow('CloudFront');
  // One that cannot be removed holds up no other one.
  expect(edge.removals).toBe(7);
  edge.setDown(false);
  await purges.purged({ organization_id: ours.organization_id }, now);
  expect(edge.served.has(domain)).toBe(false);
  expect((await purges.left(domain)).every(key => /^TRACKING#\S+ OWNER$/.test(key))).toBe(true);
  await add(theirs);
  lead(theirs);
  expect(await check(theirs)).toMatchObject({ status: 'taken' });
});

it('an organization has a bounded number of domains', async () => {
  const { ours, add, check, lead, domain, edge } = await start();
  for (let one = 0; one < 20; one++) await store.own(table, ours.organization_id, `kept${one}.${domain}`);
  await add(ours);
  lead(ours);
  await expect(check(ours)).rejects.toMatchObject({ message: expect.stringMatching(/up to 20/) });
  expect([edge.served.size, await store.ownerOf(table, domain)]).toEqual([0, undefined]);
});

it('another certificate is asked for once a day, also after the domain was removed and added again', async () => {
  const { domain, ours, active, edge, needs } = await start();
  await active(ours);
  edge.served.set(domain, 'failed');
  const askedAt = async (hours: number) => {
    const at = new Date(now.getTime() + hours * 3_600_000);
    const before = edge.asked;
    await tracking.release(needs, await listStore.readExisting(table, ours));
    await tracking.claim(needs, await listStore.readExisting(table, ours), domain);
    await tracking.check({ ...needs, now: at }, await listStore.readExisting(table, ours));
    return edge.asked - before;
  };
  expect([await askedAt(0), await askedAt(1), await askedAt(24), await askedAt(25)]).toEqual([1, 0, 0, 1]);
});
