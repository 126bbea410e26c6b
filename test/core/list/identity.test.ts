import { expect, it, vi } from 'vitest';
import { withVerified } from '#core/list/identity.store.ts';
import * as identity from '#core/list/identity.ts';
import type { CountedList } from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import { requestWrite } from '#core/storage/purge-request.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import type { Identity } from '#shared/identity.ts';
import { newList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { dnsOf, domainsAt } from '#test/support/domains.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { purgesOf } from '#test/support/purge.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
let count = 0;

const requestPurge = (organization_id: number) =>
  commit(table, [requestWrite(table, { organization_id }, now)]);

/** A domain of a test, lists of two organizations with it, and what they may do. */
async function place(looked?: () => Promise<void>) {
  const domain = `letters${++count}.example.com`;
  const provider = domainsAt();
  const { dns, ...zone } = dnsOf(looked);
  const failed = vi.fn();
  const fields = { provider: 'ses', domain, sender_address: `post@${domain}` } as const;
  const [ours, theirs] = [await newList(table, now, fields), await newList(table, now, fields)];
  const needs = { table, now, dns, domains: provider.domains, failed };
  const add = (of: CountedList, on: Table = table) => identity.claim({ ...needs, table: on }, of);
  const check = (of: CountedList, on: Table = table) => identity.check({ ...needs, table: on }, of);
  const release = (of: CountedList, on: Table = table) =>
    identity.release({ ...needs, table: on }, of.organization_id, of.domain);
  const see = (of: CountedList) => identity.shown({ table }, of);
  const maySend = async (of: CountedList) => (await withVerified(table, [of]))[0]?.is_verified;
  const proof = ({ records }: Identity) => records.find(({ type }) => type === 'TXT')?.value ?? '';
  const setTexts = (...texts: string[]) => zone.set(`_letterflow.${domain}`, ...texts);
  /** Adds the domain, enters all records, and checks it when the provider has seen them. */
  async function verified(of: CountedList) {
    const added = await add(of);
    for (const { name, value } of added.records) zone.set(name, value);
    provider.verify(domain);
    return check(of);
  }
  return {
    domain,
    provider,
    zone,
    failed,
    ours,
    theirs,
    add,
    check,
    release,
    see,
    maySend,
    proof,
    setTexts,
    verified,
  };
}

it('a domain is added, shows its records, and is verified when they stand and the provider says so', async () => {
  const { ours, add, check, see, maySend, provider, zone, domain, proof } = await place();
  expect(await see(ours)).toMatchObject({ domain, status: 'unclaimed', records: [], checked_at: null });
  const added = await add(ours);
  expect(added.status).toBe('pending');
  expect(added.records).toEqual([
    {
      type: 'TXT',
      name: `_letterflow.${domain}`,
      value: expect.stringMatching(/^letterflow=[a-z0-9]{24}$/),
      found: false,
    },
    ...(provider.known.get(domain)?.records.map(record => ({ type: 'CNAME', ...record, found: false })) ??
      []),
  ]);
  const [text, first] = added.records;
  zone.set(text?.name ?? '', 'v=other', proof(added));
  zone.set(first?.name ?? '', first?.value ?? '');
  const checked = await check(ours);
  expect(checked).toMatchObject({ status: 'pending', checked_at: now.toISOString() });
  expect(checked.message).toBe(
    '2 of 4 records are missing. A new record may take an hour to be seen: check again then.',
  );
  expect(checked.records.map(({ found }) => found)).toEqual([true, true, false, false]);
  expect(await maySend(ours)).toBe(false);
  for (const { name, value } of added.records) zone.set(name, value);
  expect((await check(ours)).message).toMatch(/^All records are found\./);
  expect([...provider.admitted]).toEqual([]);
  provider.verify(domain);
  expect(await check(ours)).toMatchObject({ status: 'verified', message: `Lists may send from ${domain}.` });
  expect(await see(ours)).toMatchObject({ status: 'verified', checked_at: now.toISOString() });
  expect([...provider.admitted]).toEqual([`${ours.organization_id} ${domain}`]);
  expect(await maySend(ours)).toBe(true);
});

it('a domain that is verified at the provider is nobody’s without the token in the DNS', async () => {
  const { ours, theirs, add, check, maySend, provider, zone, domain, verified } = await place();
  const added = await add(ours);
  for (const { name, value, type } of added.records) if (type === 'CNAME') zone.set(name, value);
  provider.verify(domain);
  expect(await check(ours)).toMatchObject({ status: 'pending' });
  expect(await maySend(ours)).toBe(false);
  // The unverified claim blocks nobody.
  expect(await verified(theirs)).toMatchObject({ status: 'verified' });
  expect([await maySend(ours), await maySend(theirs)]).toEqual([false, true]);
  expect(await check(ours)).toMatchObject({ status: 'pending' });
});

it('a domain that waits for the provider stays with the one whose token stands', async () => {
  const { ours, theirs, add, check, setTexts, proof } = await place();
  const [own, other] = [await add(ours), await add(theirs)];
  setTexts(proof(own));
  await check(ours);
  setTexts(proof(own), proof(other));
  expect(await check(theirs)).toMatchObject({ status: 'taken' });
});

it('a domain stays with its owner while their token stands, and moves when only that of another one does; who shows none learns of no owner', async () => {
  const { ours, theirs, add, check, see, maySend, verified, setTexts, proof, provider, domain } =
    await place();
  const [own, other] = [await verified(ours), await add(theirs)];
  setTexts(proof(own), proof(other));
  expect(await check(theirs)).toMatchObject({
    status: 'taken',
    message: expect.stringMatching(/replace the TXT record/),
  });
  expect([...provider.admitted]).toEqual([`${ours.organization_id} ${domain}`]);
  setTexts();
  expect(await check(theirs)).toMatchObject({ status: 'pending' });
  expect(await check(ours)).toMatchObject({
    status: 'verified',
    message: expect.stringMatching(/Its TXT record is gone/),
  });
  setTexts(proof(other));
  expect(await check(theirs)).toMatchObject({ status: 'verified' });
  expect(await see(ours)).toMatchObject({ status: 'pending' });
  expect([await maySend(ours), await maySend(theirs)]).toEqual([false, true]);
  expect([...provider.admitted]).toEqual([`${theirs.organization_id} ${domain}`]);
});

it('a DNS that does not answer takes nothing from an owner, and gives nothing to another one', async () => {
  const { ours, theirs, add, check, see, maySend, verified, setTexts, proof, zone } = await place();
  await verified(ours);
  setTexts(proof(await add(theirs)));
  zone.setSilent(true);
  const silent = await check(theirs);
  expect(silent).toMatchObject({
    status: 'pending',
    message: expect.stringMatching(/DNS of .* gave no answer/),
  });
  expect(await check(ours)).toMatchObject({ status: 'verified' });
  expect((await see(ours)).records.every(({ found }) => found)).toBe(true);
  expect(await maySend(ours)).toBe(true);
});

it('a provider that does not answer leaves a claim without records, and takes nothing from who may send', async () => {
  const { ours, add, check, see, maySend, verified, provider, failed } = await place();
  provider.setDown(true);
  expect(await add(ours)).toMatchObject({ status: 'pending', records: [{ type: 'TXT' }] });
  expect(failed).toHaveBeenCalled();
  expect(await check(ours)).toMatchObject({ message: expect.stringMatching(/gave no answer/) });
  provider.setDown(false);
  expect((await check(ours)).records).toHaveLength(4);
  await verified(ours);
  provider.setDown(true);
  expect(await check(ours)).toMatchObject({ status: 'verified' });
  expect([(await see(ours)).status, await maySend(ours)]).toEqual(['verified', true]);
});

it('a domain is not verified before the provider has admitted its organization', async () => {
  const { ours, check, maySend, verified, provider } = await place();
  const admit = vi.spyOn(provider.domains, 'admit').mockRejectedValue(new Error('No answer'));
  expect(await verified(ours)).toMatchObject({
    status: 'pending',
    message: 'Amazon SES gave no answer. Please check again in a minute.',
  });
  expect(await maySend(ours)).toBe(false);
  admit.mockRestore();
  expect(await check(ours)).toMatchObject({ status: 'verified' });
});

it('a domain that the provider verifies no more is not sent from', async () => {
  const { ours, check, maySend, verified, provider, domain } = await place();
  await verified(ours);
  provider.verify(domain, { isVerified: false, hasFailed: true });
  expect(await check(ours)).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/add it again/),
  });
  expect(await maySend(ours)).toBe(false);
});

it('a domain that the account has for something else is refused, and nothing is stored', async () => {
  const { ours, add, see, provider, domain } = await place();
  provider.foreign.add(domain);
  await expect(add(ours)).rejects.toMatchObject({
    reason: 'invalid',
    errors: { domain: [expect.stringMatching(/something else/)] },
  });
  expect(await see(ours)).toMatchObject({ status: 'unclaimed' });
  await expect(place().then(({ check, ours }) => check(ours))).rejects.toMatchObject({ reason: 'conflict' });
});

it('a domain is removed from the provider with its last claim, and that of others stays verified', async () => {
  const { ours, theirs, add, see, release, maySend, verified, provider, domain } = await place();
  await verified(ours);
  await add(theirs);
  await release(theirs);
  expect(await maySend(ours)).toBe(true);
  await release(ours);
  await release(ours);
  expect([provider.known.has(domain), await maySend(ours)]).toEqual([false, false]);
  expect([...provider.admitted]).toEqual([]);
  expect(await see(ours)).toMatchObject({ status: 'unclaimed' });
  await verified(ours);
  await add(theirs);
  await release(ours);
  expect([provider.known.has(domain), await maySend(ours)]).toEqual([true, false]);
  expect([...provider.admitted]).toEqual([]);
  expect(await see(theirs)).toMatchObject({ status: 'pending' });
});

it('a domain that is added twice at once, or by two organizations, has one claim each', async () => {
  const { ours, theirs, add, release, provider, domain, proof } = await place();
  const [one, two] = await Promise.all([add(ours), add(ours), add(theirs)]);
  expect(proof(one as Identity)).toBe(proof(two as Identity));
  await release(ours);
  expect(provider.known.has(domain)).toBe(true);
  await release(theirs);
  expect(provider.known.has(domain)).toBe(false);
});

it('of two checks at once, the one that looked later says whose the domain is', async () => {
  let looked = async () => {};
  const { ours, theirs, add, check, see, verified, setTexts, proof } = await place(() => looked());
  const [own, other] = [await verified(ours), await add(theirs)];
  let isFirst = true;
  looked = async () => {
    if (!isFirst) return;
    isFirst = false;
    // While the owner looks at records that still stand, they are replaced, and the other one checks.
    setTexts(proof(other));
    expect(await check(theirs)).toMatchObject({ status: 'verified' });
  };
  setTexts(proof(own));
  expect(await check(ours)).toMatchObject({ status: 'pending' });
  expect(await see(theirs)).toMatchObject({ status: 'verified' });
});

it('a check that meets the removal of the domain gives nobody the domain', async () => {
  let looked = async () => {};
  const { ours, theirs, add, check, release, see, maySend, setTexts, proof, provider, domain } = await place(
    () => looked(),
  );
  setTexts(proof(await add(ours)));
  await add(theirs);
  provider.verify(domain);
  looked = async () => {
    looked = async () => {};
    await release(ours);
  };
  await expect(check(ours)).rejects.toMatchObject({ reason: 'conflict' });
  expect([(await see(ours)).status, await maySend(ours), (await see(theirs)).status]).toEqual([
    'unclaimed',
    false,
    'pending',
  ]);
});

it('a call whose answer is lost, or that dies at a write, is completed by the next one', async () => {
  const { ours, theirs, add, check, release, see, maySend, zone, provider, domain } = await place();
  await crashingAtEachWrite(
    table,
    async () => ours,
    (on, of) => add(of, on),
  );
  const added = await add(ours);
  for (const { name, value } of added.records) zone.set(name, value);
  provider.verify(domain);
  await crashingAtEachWrite(
    table,
    async () => ours,
    (on, of) => check(of, on),
  );
  expect([(await check(ours)).status, await maySend(ours)]).toEqual(['verified', true]);
  const losing = intercepted(table, async (send, { constructor: { name } }) => {
    const answer = await send();
    if (name === 'TransactWriteCommand') throw new Error('The answer is lost');
    return answer;
  });
  await expect(add(theirs, losing)).rejects.toThrow('lost');
  expect(await add(theirs)).toMatchObject({ status: 'pending' });
  await crashingAtEachWrite(
    table,
    () => add(theirs),
    on => release(theirs, on),
  );
  await crashingAtEachWrite(
    table,
    () => add(ours),
    on => release(ours, on),
  );
  expect([(await see(ours)).status, provider.known.has(domain)]).toEqual(['unclaimed', false]);
});

it('the domain of a deleted list goes with the last list that has it; those of an organization with it', async () => {
  const { ours, theirs, verified, add, provider, domain, see } = await place();
  const purges = purgesOf(table, undefined, provider);
  const second = await newList(table, now, {
    organization: ours.organization_id,
    domain,
    sender_address: `post@${domain}`,
  });
  await verified(ours);
  for (const [of, isKnown] of [
    [second, true],
    [ours, false],
  ] as const) {
    await list.remove({ table, now }, of);
    await purges.purged({ organization_id: of.organization_id, list_id: of.id }, now);
    expect(provider.known.has(domain)).toBe(isKnown);
  }
  expect(await see(ours)).toMatchObject({ status: 'unclaimed' });
  await add(theirs);
  expect(provider.known.has(domain)).toBe(true);
});

it('a domain that is gone at the provider is created again by a check, with its new records', async () => {
  const { ours, add, check, see, provider, domain } = await place();
  const { records } = await add(ours);
  provider.known.delete(domain);
  const again = await check(ours);
  expect(again.records[0]).toEqual(records[0]);
  expect(again.records[1]).not.toEqual(records[1]);
  expect(await see(ours)).toEqual(again);
});

it('the domains of a deleted organization are removed with it, and its tenant', async () => {
  const { ours, theirs, verified, add, see, provider, domain } = await place();
  const purges = purgesOf(table, undefined, provider);
  await add(theirs);
  await verified(ours);
  provider.admitted.add(`${ours.organization_id} other.example.com`);
  await requestPurge(ours.organization_id);
  await purges.purged({ organization_id: ours.organization_id }, now);
  expect([...provider.admitted]).toEqual([]);
  expect([provider.known.has(domain), (await see(theirs)).status]).toEqual([true, 'pending']);
  expect(await see(ours)).toMatchObject({ status: 'unclaimed' });
});

it('an organization has a bounded number of domains; those without a list are removed for a new one', async () => {
  const { ours, add, provider } = await place();
  const names = Array.from({ length: 10 }, (_, at) => `d${at}.example.org`);
  for (const domain of names) await add({ ...ours, domain });
  expect(provider.known.size).toBe(10);
  expect(await add(ours)).toMatchObject({ status: 'pending' });
  expect([...provider.known.keys()]).toEqual([ours.domain]);
});

it('of domains that lists have, ten may wait for their TXT record', async () => {
  const { ours, add, provider, verified } = await place();
  const listFrom = (domain: string) =>
    newList(table, now, {
      organization: ours.organization_id,
      provider: 'ses',
      domain,
      sender_address: `post@${domain}`,
    });
  for (let at = 0; at < 9; at++) await add(await listFrom(`d${at}.example.org`));
  await add(ours);
  const next = await listFrom('next.example.org');
  await expect(add(next)).rejects.toMatchObject({
    errors: { domain: [expect.stringContaining('10 domains wait for their TXT record')] },
  });
  expect(provider.known.size).toBe(10);
  await verified(ours);
  expect(await add(next)).toMatchObject({ status: 'pending' });
});

it('a domain that the provider has given up for one organization is begun anew for another one', async () => {
  const { ours, theirs, add, provider, domain, verified, maySend } = await place();
  const [, first] = (await add(theirs)).records;
  provider.verify(domain, { hasFailed: true });
  const { status, records } = await add(ours);
  expect(status).toBe('pending');
  expect(records.map(({ name }) => name)).not.toContain(first?.name);
  expect((await verified(ours)).status).toBe('verified');
  expect([await maySend(ours), await maySend(theirs)]).toEqual([true, false]);
});

it('a domain that changes hands while the provider gives no answer is verified once it does', async () => {
  const { ours, theirs, add, check, maySend, verified, setTexts, proof, provider } = await place();
  await verified(ours);
  setTexts(proof(await add(theirs)));
  const ensure = vi.spyOn(provider.domains, 'ensure').mockRejectedValue(new Error('No answer'));
  await check(theirs);
  expect([await maySend(ours), await maySend(theirs)]).toEqual([false, false]);
  ensure.mockRestore();
  expect(await check(theirs)).toMatchObject({ status: 'verified' });
});
