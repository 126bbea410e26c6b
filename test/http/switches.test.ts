import { expect, it } from 'vitest';
import { apiStack } from '../support/handlers.ts';
import { items } from '../support/items.ts';
import { newMember } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;
const LIST = {
  name: 'Readers',
  domain: 'example.com',
  active: false,
  sender_name: 'The shop',
  sender_address: 'hello@example.com',
};

it('what is switched on and off is kept, with who did it', async () => {
  const [owner, colleague] = [await newMember(stack), await newMember(stack)];
  const organization = await newOrganization(stack, owner);
  await join(stack, owner, organization, colleague, 'ADMIN');
  const as = { token: owner.token, organization };
  const asColleague = { token: colleague.token, organization };
  const ofList = async (fields: object) =>
    call('PUT /api/email-lists/{list}', { ...as, params: { list: readers }, body: fields });
  const ofAutomation = (fields: object) =>
    call('PUT /api/automations/{automation}', {
      ...asColleague,
      params: { automation: trial },
      body: fields,
    });

  const { id: readers } = (await call('POST /api/email-lists', { ...as, body: LIST })).body;
  await ofList({ active: true });
  await ofList({ active: true, name: 'Renamed' });
  const { id: trial } = (
    await call('POST /api/automations', {
      ...asColleague,
      body: { name: 'trial', email_list_ids: [readers], active: true },
    })
  ).body;
  await ofAutomation({ delay_days: 3 });
  await ofAutomation({ active: false });
  await call('PUT /api/safeguards', { ...as, body: { enabled: false } });
  await call('PUT /api/safeguards', { ...as, body: { max_emails_1_hour: 9 } });
  const params = { organization: String(organization) };
  await call('PUT /api/organizations/{organization}', { ...as, params, body: { active: false } });
  await call('PUT /api/organizations/{organization}', {
    ...as,
    params,
    body: { active: false, name: 'Annex' },
  });
  await call('DELETE /api/email-lists/{list}', { ...as, params: { list: readers } });

  const stored = await items(stack);
  const switches = stored
    .filter(({ PK }) => PK === `ORG#${organization}#SWITCHES`)
    .map(({ PK: _, SK, ...fields }) => {
      const [at, ...what] = String(SK).split('#');
      return { at, what: what.slice(0, -1).join('#'), ...fields };
    })
    .toSorted((a, b) => String(a.at).localeCompare(String(b.at)));
  expect(switches.map(({ at: _, ...one }) => one)).toEqual([
    { what: `list#${readers}`, on: true, by: owner.id },
    { what: `automation#${trial}`, on: true, by: colleague.id },
    { what: `automation#${trial}`, on: false, by: colleague.id },
    { what: 'safeguards', on: false, limits: {}, by: owner.id },
    { what: 'safeguards', limits: { max_emails_1_hour: 9 }, by: owner.id },
    { what: 'organization', on: false, by: owner.id },
    { what: `list#${readers}`, on: false, by: owner.id },
  ]);
});
