import { expect, it } from 'vitest';
import * as domainCheck from '#core/list/domain-check.ts';
import * as identity from '#core/list/identity.ts';
import type { CountedList } from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import type { Table } from '#core/storage/table.store.ts';
import { found, newList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { dnsOf, domainsAt } from '#test/support/domains.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const KEY = `v=DKIM1; p=${'A'.repeat(392)}`;
const SPF = 'v=spf1 include:mailgun.org ~all';

async function place(fields: Parameters<typeof newList>[2] = {}) {
  let looks = 0;
  let looked = async () => {};
  const { dns, ...zone } = dnsOf(async () => {
    looks++;
    await looked();
  });
  const needs = { table, dns, now, publicUrl: 'https://letters.example.org' };
  const made = await newList(table, now, fields);
  const reread = () => found(table, made.organization_id, made.id);
  const stateOf = (check: string, { findings }: Awaited<ReturnType<typeof domainCheck.shown>>) =>
    findings.find(one => one.check === check)?.state;
  zone.set('mailgun.org', 'v=spf1 ip4:192.0.2.1 ~all');
  return {
    made,
    zone,
    needs,
    reread,
    stateOf,
    looks: () => looks,
    onLook: (does: () => Promise<void>) => {
      looked = async () => {
        looked = async () => {};
        await does();
      };
    },
    see: async (at = now) => domainCheck.shown({ ...needs, now: at }, await reread()),
    check: (pasted?: string, of: CountedList = made, on: Table = table) =>
      domainCheck.check({ ...needs, table: on }, of, pasted),
  };
}

it('what was found holds for an hour, until somebody checks again or changes the list', async () => {
  const { see, check, zone, stateOf, looks, reread } = await place();
  expect(stateOf('spf', await see())).toBe('broken');
  const first = looks();
  zone.set('example.com', SPF);
  const kept = await see(later(59));
  expect([stateOf('spf', kept), kept.checked_at, looks()]).toEqual(['broken', now.toISOString(), first]);
  const anew = await see(later(60));
  expect([stateOf('spf', anew), anew.checked_at]).toEqual(['ok', later(60).toISOString()]);
  zone.set('example.com');
  expect(stateOf('spf', await check(undefined, await reread()))).toBe('broken');
  zone.set('example.com', SPF);
  await list.change({ table, now }, await reread(), { name: 'Renamed' });
  expect(stateOf('spf', await see())).toBe('ok');
});

const SIGNED = `Received: by mx.example.net; d=other.example; s=no
DKIM-Signature: v=1; a=rsa-sha256; d=mailgun.org; s=mg; bh=abc=;
 b=def
DKIM-Signature: a=rsa-sha256; v=1;
\tc=relaxed/relaxed; d=Example.com;
\ts=K1; h=From:To; bh=abc=; b=def==
Subject: s=x; d=y.example`;

it.each([
  ['k1'],
  [' K1._domainkey.Example.com '],
  ['v=1; a=rsa-sha256; d=example.com; s=k1; b=abc'],
  [SIGNED],
  [SIGNED.replaceAll('\n', '\r\n')],
])('a signature is read from %j, and its key is looked for from then on', async pasted => {
  const { check, see, zone, stateOf } = await place();
  zone.set('k1._domainkey.example.com', KEY);
  zone.set('mg._domainkey.mailgun.org', KEY);
  const checked = await check(pasted);
  expect([checked.dkim_selector, stateOf('dkim', checked)]).toEqual(['k1._domainkey.example.com', 'ok']);
  zone.set('k1._domainkey.example.com');
  expect(stateOf('dkim', await see(later(61)))).toBe('broken');
});

it('a signature that is pasted takes the place of the one before', async () => {
  const { check, zone, reread } = await place();
  zone.set('k1._domainkey.example.com', KEY);
  zone.set('k2._domainkey.example.com', 'v=DKIM1; p=');
  await check('k1');
  const { findings, dkim_selector } = await check('k2', await reread());
  expect(dkim_selector).toBe('k2._domainkey.example.com');
  expect(findings.find(one => one.check === 'dkim')).toMatchObject({
    state: 'broken',
    message: 'The key at k2._domainkey.example.com is revoked.',
  });
});

it.each([
  ['k2', 'There is no DKIM key at k2._domainkey.example.com. Check the selector.'],
  ['d=example.com; s=k2', 'There is no DKIM key at k2._domainkey.example.com. Check the selector.'],
  ['', 'Paste the DKIM-Signature of a test email, with d= and s=, or its selector'],
  ['k 1', 'Paste the DKIM-Signature of a test email, with d= and s=, or its selector'],
  ['s=k1; d=<script>', 'Paste the DKIM-Signature of a test email, with d= and s=, or its selector'],
  ['s=../k1; d=example.com', 'Paste the DKIM-Signature of a test email, with d= and s=, or its selector'],
])('the signature %j is refused, and changes nothing', async (pasted, message) => {
  const { check, zone, made, reread } = await place();
  zone.set('k1._domainkey.example.com', KEY);
  await expect(check(pasted)).rejects.toMatchObject({ reason: 'invalid', errors: { dkim: [message] } });
  expect(await reread()).toEqual(made);
});

it('a key that no server answers about is not stored', async () => {
  const { check, zone, made, reread } = await place();
  zone.setSilent(true);
  await expect(check('k1')).rejects.toMatchObject({
    errors: { dkim: [expect.stringContaining('no answer')] },
  });
  expect(await reread()).toEqual(made);
});

it('a list that is changed or deleted during a check keeps nothing of it', async () => {
  const { made, check, onLook, reread, zone } = await place();
  onLook(async () => void (await list.change({ table, now }, made, { reply_to: 'a@example.org' })));
  await check();
  expect((await reread()).domain_check).toBeUndefined();
  zone.set('k1._domainkey.example.com', KEY);
  const before = await reread();
  onLook(async () => void (await list.change({ table, now }, before, { reply_to: null })));
  await expect(check('k1', before)).rejects.toMatchObject({ reason: 'conflict' });
  expect((await reread()).dkim).toBeUndefined();
  const last = await reread();
  onLook(() => list.remove({ table, now }, last));
  await check(undefined, last);
  await expect(reread()).rejects.toThrow('There is no such list');
});

it('mail servers are looked for where replies go: at the reply address, without one at the sender', async () => {
  const { check, zone, stateOf, made, reread } = await place({ reply_to: 'team@example.org' });
  zone.set('MX example.org', 'mx.example.org');
  expect(stateOf('mx', await check())).toBe('ok');
  await list.change({ table, now }, made, { reply_to: null });
  expect(stateOf('mx', await check(undefined, await reread()))).toBe('warning');
});

it('another domain has another key', async () => {
  const { made, check, zone, reread } = await place();
  zone.set('k1._domainkey.example.com', KEY);
  await check('k1');
  const fields = { domain: 'example.org', sender_address: 'a@example.org' };
  await list.change({ table, now }, await reread(), fields);
  expect(
    await domainCheck.shown({ table, dns: dnsOf().dns, now, publicUrl: '' }, await reread()),
  ).toMatchObject({ domain: 'example.org', dkim_selector: null });
  expect(made.domain).toBe('example.com');
});

it('a check that dies at its write, or is made twice, is completed by the next one', async () => {
  const { check, zone, reread, made } = await place();
  zone.set('k1._domainkey.example.com', KEY);
  await crashingAtEachWrite(table, reread, (on, of) => check('k1', of, on));
  await check('k1', await reread());
  expect(await reread()).toMatchObject({ dkim: { domain: made.domain, selector: 'k1' } });
});

it('at SES, the keys are those of its records, each with the record to copy, and not that of the provider before', async () => {
  const domain = 'ses.example.com';
  const { check, zone, stateOf, needs, reread } = await place({ domain, sender_address: `a@${domain}` });
  zone.set(`k1._domainkey.${domain}`, KEY);
  await check('k1');
  await list.change({ table, now }, await reread(), { provider: 'ses' });
  zone.set(`k1._domainkey.${domain}`);
  const made = await reread();
  expect(made.dkim).toBeDefined();
  expect(stateOf('dkim', await check(undefined, made))).toBe('unknown');
  const claimed = await identity.claim({ ...needs, domains: domainsAt().domains, failed: () => {} }, made);
  const [, cname] = claimed.records;
  const missing = await check(undefined, await reread());
  expect(missing.findings.find(one => one.check === 'dkim')).toMatchObject({
    state: 'broken',
    record: { type: 'CNAME', name: cname?.name, value: cname?.value },
  });
  for (const { name } of claimed.records) zone.set(name, KEY);
  expect(stateOf('dkim', await check(undefined, await reread()))).toBe('ok');
});
