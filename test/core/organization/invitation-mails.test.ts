import { describe, expect, it } from 'vitest';
import * as invitation from '#core/organization/invitation.ts';
import { invitationLetter } from '#core/organization/invitation.ts';
import * as organization from '#core/organization/organization.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { DAY, HOUR, inviting, later, START } from '#test/support/invitations.ts';
import { actingIn, newUser } from '#test/support/people.ts';

const table = freshTable();
const { people, at, send, cancel, newAdmin } = inviting(table);

const addressesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `many${index}.${people.owner.organizationId}@example.com`);
const newOrganization = async () => (await organization.create(at(START), people.owner.id, 'Another one')).id;
const strangers = (count: number) => Promise.all(Array.from({ length: count }, () => newUser(table, START)));
/** A user invites the guest into their own organization. */
const sendFrom = (by: Awaited<ReturnType<typeof newUser>>, seconds = 0, email = people.guest.email) =>
  send({ by, to: by.organizationId, now: later(seconds), email });
const kept = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe('invitations to one address, from all organizations together', () => {
  it('are five in any hour at most', async () => {
    const inviters = await strangers(6);
    for (const [index, by] of inviters.slice(0, 5).entries()) await sendFrom(by, index * 60);
    const [, , , , , sixth = people.owner] = inviters;
    await expect(sendFrom(sixth, 1800)).rejects.toMatchObject({
      reason: 'too-many',
      message: 'This address was invited several times already. Please try again in 30 minutes.',
      retryAfter: 1800,
    });
    await expect(sendFrom(sixth, HOUR - 1)).rejects.toMatchObject({ retryAfter: 1 });
    expect(people.post.mails).toHaveLength(5);
    await sendFrom(sixth, HOUR);
    await expect(sendFrom(people.owner, HOUR)).rejects.toMatchObject({ retryAfter: 60 });
    expect(people.post.mails).toHaveLength(6);
  });

  it('are ten in any day at most', async () => {
    const inviters = await strangers(11);
    for (const [index, by] of inviters.slice(0, 10).entries()) await sendFrom(by, index * HOUR);
    const [, , , , , , , , , , last = people.owner] = inviters;
    await expect(sendFrom(last, 12 * HOUR)).rejects.toMatchObject({
      reason: 'too-many',
      message: 'This address was invited several times already. Please try again in 12 hours.',
      retryAfter: 12 * HOUR,
    });
    await expect(sendFrom(last, DAY - 1)).rejects.toMatchObject({ reason: 'too-many' });
    await sendFrom(last, DAY);
    expect(people.post.mails).toHaveLength(11);
  });

  it('are five when thirty organizations send at once', async () => {
    const inviters = await strangers(30);
    expect(kept(await Promise.allSettled(inviters.map(by => sendFrom(by))))).toBe(5);
    expect(people.post.mails).toHaveLength(5);
  });

  it('count the same with any tag', async () => {
    const [local, domain] = people.guest.email.split('@');
    for (const tag of ['', '+a', '+b', '+a+b', '+']) await send({ email: `${local}${tag}@${domain}` });
    await expect(send({ email: `${local}+c@${domain}` })).rejects.toMatchObject({ reason: 'too-many' });
    expect(people.post.mails).toHaveLength(5);
  });

  it('count the same after they are cancelled, and after their organization is deleted', async () => {
    for (let index = 0; index < 4; index++) await cancel((await send({ now: later(index) })).id);
    const to = await newOrganization();
    await send({ to });
    await organization.remove(at(START), await actingIn(table, people.owner.id, to));
    await expect(send({ now: later(60) })).rejects.toMatchObject({ reason: 'too-many' });
  });

  it('count also where the mail fails, which is not tried again', async () => {
    let tries = 0;
    people.post.mailer.send = async () => {
      tries++;
      throw new Error('The provider is down');
    };
    for (let index = 0; index < 5; index++) await expect(send()).rejects.toThrow('The provider is down');
    await expect(send()).rejects.toMatchObject({ reason: 'too-many' });
    expect(tries).toBe(5);
  });
});

it('nobody is invited where no emails are sent, and nothing is stored', async () => {
  const needs = { ...at(START), mailer: undefined, linkTo: String };
  const acting = await actingIn(table, people.owner.id, people.owner.organizationId);
  const invited = { email: people.guest.email, role: 'USER' as const };
  await expect(invitation.send(needs, acting, invited)).rejects.toMatchObject({
    reason: 'conflict',
    message: 'No emails are sent from here, so nobody can be invited.',
  });
  expect(await queryPartition(table, `EMAIL#${people.guest.email}`, 'INVITE#')).toEqual([]);
});

describe('invitations by one user, into all of their organizations together', () => {
  it('are fifty in any day at most, also when more are sent at once', async () => {
    const other = await newOrganization();
    const sent = await Promise.allSettled(
      addressesOf(60).map((email, index) => send({ email, ...(index % 2 && { to: other }) })),
    );
    expect([kept(sent), people.post.mails.length]).toEqual([50, 50]);
    await expect(send({ now: later(HOUR) })).rejects.toMatchObject({
      reason: 'too-many',
      message: 'You can send at most 50 invitations a day. Please try again in 23 hours.',
      retryAfter: 23 * HOUR,
    });
    await send({ by: await newAdmin() });
    await expect(send({ now: later(DAY - 1) })).rejects.toMatchObject({ retryAfter: 1 });
    await send({ now: later(DAY) });
  });

  it('do not count where another limit refuses them, nor does the address', async () => {
    for (let index = 0; index < 5; index++) await send();
    for (let index = 0; index < 60; index++) await send().catch(() => {});
    const others = addressesOf(45);
    for (const email of others) await send({ email });
    await expect(send({ email: 'one.more@example.com' })).rejects.toMatchObject({ reason: 'too-many' });
    const [stranger = people.owner] = await strangers(1);
    for (let index = 0; index < 5; index++) await sendFrom(stranger, index, 'one.more@example.com');
  });
});

it('what is counted is deleted by DynamoDB a day after the last mail', async () => {
  await send();
  await send({ now: later(HOUR) });
  for (const partition of [`EMAIL#${people.guest.email}`, `USER#${people.owner.id}`]) {
    const [item] = await queryPartition(table, partition, 'MAILS');
    expect(item?.ttl).toBe(later(HOUR + DAY).getTime() / 1000);
  }
});

describe('the mail of an invitation', () => {
  it('has a subject that nobody can change', async () => {
    await send();
    const { organizationId, id } = people.owner;
    const acting = await actingIn(table, id, organizationId);
    await organization.change({ table, now: later(0) }, acting, { name: 'You have won a prize' });
    await send();
    const [first, second] = people.post.mails.map(({ letter }) => letter.subject);
    expect(first).toBe('You have been invited to an organization on Letterflow');
    expect(second).toBe(first);
    expect(people.post.mails[1]?.letter.text).toContain('“You have won a prize”');
  });

  it('has names that are escaped, and no longer than fifty characters', () => {
    const facts = { organization: '<b>&"', inviter: '💌'.repeat(51), role: 'USER', link: 'https://x' };
    const { text, html } = invitationLetter(facts);
    expect(text).toContain(`“${'💌'.repeat(50)}…” has invited you to join “<b>&"” on Letterflow as user.`);
    expect(html).toContain('“&lt;b&gt;&amp;&quot;”');
    expect(html).not.toContain('<b>');
  });

  it.each(['evil.example/login', 'me@evil.example', 'evil。example', 'evil．example', 'xn--evil.xn--p1ai'])(
    'has no part that a mail program makes a link of: %s',
    name => {
      const { text, html } = invitationLetter({
        organization: name,
        inviter: name,
        role: 'USER',
        link: 'https://x',
      });
      for (const shown of [text, html]) {
        expect(shown).toContain(name.replace(/[.。．]/u, '[.]'));
        expect(shown).not.toContain(name);
      }
    },
  );

  it('keeps the dots of names that end there', () => {
    const facts = { organization: 'Acme Inc.', inviter: 'J. Doe', role: 'USER' as const, link: 'https://x' };
    expect(invitationLetter(facts).text).toContain('“J. Doe” has invited you to join “Acme Inc.” on');
  });

  it('has no link made of the address of who sends it', async () => {
    const by = await newUser(table, START, 'www.evil.test');
    await sendFrom(by);
    const { text } = people.post.mails[0]?.letter ?? { text: '' };
    expect(text).toMatch(/^“www evil test\d*” has invited you to join “www evil test\d*'s organization”/);
    await invitation.validate(at(START), text, undefined);
  });
});
