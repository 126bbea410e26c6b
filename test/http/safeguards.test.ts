import { expect, it } from 'vitest';
import { INITIAL_SAFEGUARDS, WINDOWS } from '#shared/safeguards.ts';
import { apiStack } from '../support/handlers.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

it('what is put is answered, and kept for the organization alone', async () => {
  const owner = await newMember(stack);
  const other = await newOrganization(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  const body = {
    enabled: false,
    max_emails_5_minutes: 100_000,
    max_emails_1_hour: 4,
    max_emails_24_hours: 5,
    max_emails_1_week: 6,
  };
  const put = await call('PUT /api/safeguards', { ...as, body: { ...body, id: 7 } });
  expect([put.status, put.body]).toEqual([200, body]);
  expect((await call('GET /api/safeguards', as)).body).toEqual(body);
  const elsewhere = await call('GET /api/safeguards', { token: owner.token, organization: other });
  expect(elsewhere.body).toEqual(INITIAL_SAFEGUARDS);
});

it('a number out of bounds is refused at its field, and nothing is stored', async () => {
  const { token } = await newMember(stack);
  const refused = async (value: unknown) => {
    const body = Object.fromEntries(WINDOWS.map(({ field }) => [field, value]));
    const { status, body: problem } = await call('PUT /api/safeguards', { token, body });
    expect([status, Object.keys(problem.errors)]).toEqual([422, WINDOWS.map(({ field }) => field)]);
    return problem.errors.max_emails_1_hour;
  };
  for (const value of [0, -1]) expect(await refused(value)).toEqual(['Value must be at least 1']);
  for (const value of [1.5, '3', null, true, [1]]) {
    expect(await refused(value)).toEqual(['Value must be a whole number']);
  }
  expect(await refused(100_001)).toEqual(['Value must be at most 100,000']);
  const { body } = await call('PUT /api/safeguards', { token, body: { enabled: 'no' } });
  expect(body.errors).toEqual({ enabled: ['Enabled must be true or false'] });
  expect((await call('GET /api/safeguards', { token })).body).toEqual(INITIAL_SAFEGUARDS);
});
