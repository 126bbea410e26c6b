import { expect, it } from 'vitest';
import { newAutomation, newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { putAll } from '../support/items.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

it('a thousand lists with the longest texts are answered, and another one is refused', async () => {
  const { token, home } = await newMember(stack);
  const longest = '"'.repeat(100);
  const domain = `${`${'d'.repeat(63)}.`.repeat(3)}${'d'.repeat(57)}.com`;
  const lists = Array.from({ length: 1_000 }, (_, at) => ({
    PK: `ORG#${home.id}`,
    SK: `LIST#${String(at).padStart(12, '0')}`,
    id: String(at).padStart(12, '0'),
    organization_id: home.id,
    name: longest,
    domain,
    sender_name: longest,
    sender_address: `${'a'.repeat(64)}@${domain.slice(-189)}`,
    unsubscribe_text: 'Cancelar subscrição',
    active: true,
    created_at: '2030-01-01T12:00:00.000Z',
    region: 'eu',
    sending_key: 'k'.repeat(600),
    signing_key: 'k'.repeat(600),
    logo: `/files/${home.id}/${'0'.repeat(32)}.png`,
    connection: { tested_at: '2030-01-01T12:00:00.000Z', valid: false },
  }));
  const organization = { id: home.id, name: home.name, active: true, created_at: lists[0]?.created_at };
  await putAll(stack, [...lists, { PK: `ORG#${home.id}`, SK: 'META', ...organization, lists: 1_000 }]);

  const all = await call('GET /api/email-lists', { token });
  expect([all.status, all.body.length]).toEqual([200, 1_000]);
  const form = { name: 'One more', domain: 'example.com', sender_name: 'The shop' };
  const refused = await call('POST /api/email-lists', {
    token,
    body: { ...form, sender_address: 'hello@example.com' },
  });
  expect([refused.status, refused.body]).toEqual([
    409,
    { message: 'An organization can have at most 1,000 email lists. Delete one that is no longer needed.' },
  ]);
});

it('hundreds of automations of fifty lists each are answered, page by page', async () => {
  const { token, home } = await newMember(stack);
  const organization = { PK: `ORG#${home.id}`, organization_id: home.id };
  const at = '2030-01-01T12:00:00.000Z';
  const ids = Array.from({ length: 300 }, (_, index) => String(index).padStart(12, '0'));
  const lists = ids
    .slice(0, 50)
    .map(id => ({
      ...organization,
      SK: `LIST#${id}`,
      id,
      name: '語'.repeat(100),
      active: true,
      created_at: at,
      domain: `${`${'d'.repeat(63)}.`.repeat(3)}${'d'.repeat(57)}.com`,
    }));
  const automations = ids.map(id => ({
    ...organization,
    SK: `AUTO#${id}`,
    id,
    name: `${'a'.repeat(88)}${id}`,
    revision: id,
    created_at: at,
    active: false,
    every_x_days: 1,
    delay_days: 0,
    stop_after_days: null,
    metadata_trigger: null,
    double_send_first: false,
    double_send_second: false,
    double_send_third: false,
    triple_send_first: false,
    triple_send_second: false,
    triple_send_third: false,
    email_list_ids: lists.map(list => list.id),
  }));
  await putAll(stack, [...lists, ...automations]);
  const answered: string[] = [];
  for (let page = 1; page <= 3; page++) {
    const { status, body } = await call('GET /api/automations', { token, query: { page: String(page) } });
    expect([status, body.length, body[0]?.email_lists.length]).toEqual([200, 100, 50]);
    answered.push(...body.map(({ id }: { id: string }) => id));
  }
  expect(answered).toEqual(ids);
  expect((await call('GET /api/automations', { token, query: { page: '4' } })).body).toEqual([]);
});

it('an email whose values make it larger than an answer is not shown, and says what to do', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, [{ email: 'ann@example.com', k: '"'.repeat(1_024) }]);
  const automation = await newAutomation(stack, owner, { lists: [list] });
  const most = '{{k}}'.repeat(499);
  await newTemplate(stack, owner, {
    pre_cta_content: most,
    after_cta_content: most,
    footer: `${most}{{UNSUB_LINK}}`,
    automation_ids: [automation],
  });
  const { token, home } = owner;
  const asked = { token, organization: home.id, params: { automation } };
  const { status, body } = await call('GET /api/automations/{automation}/preview', asked);
  expect([status, body.message]).toEqual([
    409,
    'With these values the email is too large to be shown. Use fewer placeholders, or shorter values.',
  ]);
});

it('predictions of all kinds share a budget of sixty a minute for an organization', async () => {
  const { token } = await newMember(stack);
  const calls = Array.from({ length: 61 }, (_, n) =>
    n % 2 ? call('GET /api/forecast', { token }) : call('GET /api/upcoming', { token }),
  );
  const asked = await Promise.all([...calls, ...calls.map(() => call('GET /api/forecast', { token }))]);
  // They may be of two minutes.
  const answered = asked.filter(({ status }) => status === 200).length;
  expect(answered).toBeGreaterThanOrEqual(60);
  expect(answered).toBeLessThanOrEqual(120);
  expect(asked.find(({ status }) => status === 429)?.body.message).toMatch(
    /^At most 60 predictions a minute, and 20 seconds of processor time for an organization. Please try again in \d+ seconds.$/,
  );
});
