import { expect, it } from 'vitest';
import type { Identity } from '#shared/identity.ts';
import { apiStack } from '../support/handlers.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';

const stack = apiStack();
const { call, fetchJson } = stack;
let count = 0;

it('a list gets records to copy, and its domain is verified when they stand in the DNS', async () => {
  const owner = await newMember(stack);
  const domain = `letters${++count}.example.com`;
  const fields = { provider: 'ses', domain, sender_address: `post@${domain}` } as const;
  const list = await newList(stack, owner, fields);
  const input = { token: owner.token, organization: owner.home.id, params: { list } };
  const read = () => call('GET /api/email-lists/{list}/ses-identity', input);
  const check = () => call('POST /api/email-lists/{list}/ses-identity/check', input);
  expect((await read()).body).toEqual({
    domain,
    status: 'unclaimed',
    records: [],
    checked_at: null,
    message: `Add ${domain} to Amazon SES to get the records for its DNS.`,
  });
  expect((await check()).status).toBe(409);
  const { body }: { body: Identity } = await call('POST /api/email-lists/{list}/ses-identity', input);
  expect(body.records.map(({ type }) => type)).toEqual(['TXT', 'CNAME', 'CNAME', 'CNAME']);
  expect((await check()).body).toMatchObject({
    status: 'pending',
    message: expect.stringMatching(/^None of the records is found yet\./),
  });
  for (const { type, name, value } of body.records) {
    await fetchJson('PUT', '/_local/dns', { body: JSON.stringify({ type, name, values: [value] }) });
  }
  expect((await check()).body).toMatchObject({
    status: 'verified',
    message: `Lists may send from ${domain}.`,
    records: body.records.map(record => ({ ...record, found: true })),
  });
  expect((await call('DELETE /api/email-lists/{list}/ses-identity', input)).status).toBe(204);
  expect((await read()).body.status).toBe('unclaimed');
});
