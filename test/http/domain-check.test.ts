import { expect, it } from 'vitest';
import type { DomainCheck } from '#shared/domain-check.ts';
import { apiStack } from '../support/handlers.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';

const stack = apiStack();
const { call, fetchJson } = stack;
const setRecord = (type: string, name: string, ...values: string[]) =>
  fetchJson('PUT', '/_local/dns', { body: JSON.stringify({ type, name, values }) });

it('a domain is checked once, again when somebody asks, and with the key of a test email', async () => {
  const owner = await newMember(stack);
  const domain = 'checked.example.com';
  const list = await newList(stack, owner, { domain });
  const input = { token: owner.token, organization: owner.home.id, params: { list } };
  const states = ({ body }: { body: DomainCheck }) => body.findings.map(({ state }) => state).join(' ');
  const read = () => call('GET /api/email-lists/{list}/domain-check', input);
  const check = (body: object) => call('POST /api/email-lists/{list}/domain-check', { ...input, body });
  expect(states(await read())).toMatch(/^broken unknown broken warning /);
  await setRecord('TXT', 'mailgun.org', 'v=spf1 ~all');
  await setRecord('TXT', domain, 'v=spf1 include:mailgun.org ~all');
  await setRecord('TXT', `_dmarc.${domain}`, 'v=DMARC1; p=reject');
  await setRecord('MX', domain, '10 mx.example.net');
  await setRecord('TXT', `k1._domainkey.${domain}`, `p=${'A'.repeat(392)}`);
  expect(states(await read())).toMatch(/^broken unknown broken warning /);
  expect(states(await check({}))).toMatch(/^ok unknown ok ok /);
  const refused = await check({ dkim: 'k2' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['dkim']]);
  expect(states(await check({ dkim: `DKIM-Signature: s=k1; d=${domain}` }))).toMatch(/^ok ok ok ok /);
  expect((await read()).body).toMatchObject({ domain, dkim_selector: `k1._domainkey.${domain}` });
  const stranger = await newMember(stack);
  const foreign = { ...input, token: stranger.token, organization: stranger.home.id };
  expect((await call('GET /api/email-lists/{list}/domain-check', foreign)).status).toBe(404);
  expect((await check({ dkim: 'x'.repeat(50_001) })).body.errors.dkim).toEqual([
    'Paste the headers of one email',
  ]);
});
