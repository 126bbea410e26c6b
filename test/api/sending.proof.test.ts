import { describe, expect, it } from 'vitest';
import { newAddress } from '../support/client.ts';
import { newMailing } from '../support/mailing.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sendingOn } from '../support/sending-stack.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { call, advance } = stack;
const { faults, mailed, pass } = sendingOn(stack);
const MINUTE = 60;

type Mailing = Awaited<ReturnType<typeof newMailing>>;

describe('An email', () => {
  it('goes once to somebody on two lists of an automation', async () => {
    const mailing = await newMailing(stack, { lists: 2 });
    const [one = '', two = ''] = mailing.lists;
    const email = newAddress('reader');
    await mailing.due(email, one);
    await mailing.due(email, two);
    await advance(4 * MINUTE);
    expect(await mailed({ email })).toBe(1);
  });

  it('that was due before its member was added is sent at once', async () => {
    const mailing = await newMailing(stack);
    await pass(20 * MINUTE);
    const email = newAddress('late');
    await mailing.add(email, { due: await mailing.inSeconds(-10 * MINUTE) });
    await advance(2 * MINUTE);
    expect(await mailed({ email })).toBe(1);
  });

  it('from a list without a key is skipped, visibly', async () => {
    const mailing = await newMailing(stack, { keyless: true });
    const ann = await mailing.due();
    await advance(3 * MINUTE);
    expect(await mailed(ann)).toBe(0);
    expect(await mailing.log()).toEqual([]);
    expect(await mailing.log('skipped')).toMatchObject([{ end: 'skipped: no_key', recipient: ann.email }]);
  });
});

describe('An answer of the provider', () => {
  it.each(['429', 'refuse'])('%s: the email goes later, once', async provider => {
    const mailing = await newMailing(stack);
    const ann = await mailing.due();
    await faults({ provider });
    await advance(3 * MINUTE);
    expect([await mailed(ann), await mailing.log()]).toEqual([0, []]);
    await faults({});
    await pass(10 * MINUTE);
    expect(await mailed(ann)).toBe(1);
  });

  it('401 pauses the list, visibly; with another key the rest goes', async () => {
    const mailing = await newMailing(stack);
    const ann = await mailing.due();
    await faults({ provider: '401' });
    await advance(3 * MINUTE);
    await faults({});
    expect(await mailing.shown()).toMatchObject({ mailgun_connection_status: { connection_valid: false } });
    const bob = await mailing.due();
    await advance(5 * MINUTE);
    expect([await mailed(ann), await mailed(bob)]).toEqual([0, 0]);
    await mailing.setKey('key-2');
    await pass(20 * MINUTE);
    expect([await mailed(ann), await mailed(bob)]).toEqual([1, 1]);
  });
});

it('what is queued is not sent any more by what is switched off or deleted, nor to who has unsubscribed', async () => {
  const mailings: Record<string, Mailing> = {};
  const people: Record<string, { email: string; id: string }> = {};
  const cases = 'automation_off automation_gone list_off list_gone organization_gone left on'.split(' ');
  for (const name of cases) {
    const person = await newMember(stack);
    // Nobody deletes their default organization.
    const id = await newOrganization(stack, person);
    mailings[name] = await newMailing(stack, { person: { ...person, home: { id, name: 'Depot' } } });
  }
  for (const name of cases) people[name] = await (mailings[name] as Mailing).due();
  await faults({ provider: '429' });
  await advance(3 * MINUTE);
  const act = (name: string, key: Parameters<typeof call>[0], params: object, body?: object) =>
    call(key, { ...mailings[name]?.as, params: params as Record<string, string>, ...(body && { body }) });
  const automationOf = (name: string) => ({ automation: mailings[name]?.automation });
  const listOf = (name: string) => ({ list: mailings[name]?.list });
  const answers = await Promise.all([
    act('automation_off', 'PUT /api/automations/{automation}', automationOf('automation_off'), {
      active: false,
    }),
    act('automation_gone', 'DELETE /api/automations/{automation}', automationOf('automation_gone')),
    act('list_off', 'PUT /api/email-lists/{list}', listOf('list_off'), { active: false }),
    act('list_gone', 'DELETE /api/email-lists/{list}', listOf('list_gone')),
    act('organization_gone', 'DELETE /api/organizations/{organization}', {
      organization: String(mailings.organization_gone?.owner.home.id),
    }),
    act(
      'left',
      'PUT /api/list-members/{listMember}',
      { listMember: people.left?.id },
      { is_subscribed: false },
    ),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 204, 200, 204, 204, 200]);
  await faults({});
  await pass(20 * MINUTE);
  const counts = await Promise.all(cases.map(async name => [name, await mailed(people[name] as never)]));
  expect(counts).toEqual(cases.map(name => [name, name === 'on' ? 1 : 0]));
  const ends = async (name: string) => (await mailings[name]?.log('skipped'))?.map(({ end }) => end);
  expect(await ends('automation_off')).toEqual(['skipped: automation_off']);
  expect(await ends('list_off')).toEqual(['skipped: list_off']);
  expect(await ends('left')).toEqual(['skipped: not_subscribed']);
});
