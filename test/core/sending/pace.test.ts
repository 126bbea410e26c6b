import { beforeEach, expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import { noteFailing } from '#core/list/providers.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import type { Outcome, Pace } from '#core/provider.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import * as dryRuns from '#core/sending/forecast/dry-run.ts';
import * as forecasts from '#core/sending/forecast/forecast.ts';
import { batchWrite, get, queryPartition } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { found } from '#test/support/core-list.ts';
import { deliveries, HOUR, MINUTE, type Sender, sweptPack, timeAfter } from '#test/support/deliveries.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { NOT_SENT, throttled, UNKNOWN } from '#test/support/sending.ts';

const { table, ready, states, reasons } = deliveries();
const SECOND = 1_000;
const PACE = { PK: 'PROVIDER#ses', SK: 'PACE' };

beforeEach(() => batchWrite(table, { deletes: [PACE] }));

const numbered = (people: number) =>
  Array.from({ length: people }, (_, n) => `reader${String(n).padStart(3, '0')}@example.com`);

/** A list that sends by a provider with a pace. */
async function paced(people: number, answer: Partial<Pace> = {}, set: Partial<listStore.StoredList> = {}) {
  const { sender, readers } = await ready(numbered(people));
  const domain = `mail${sender.organization}.example.com`;
  const list = { ...(await found(table, sender.organization, readers.id)), domain };
  await batchWrite(table, { puts: [verified(list)] });
  const fields = { domain, sender_address: `post@${domain}`, provider: 'ses', ...set } as const;
  await listStore.change(table, list, { set: fields });
  const pace = { perSecond: 2, left: 10_000, isPaused: false, ...answer };
  const asked: number[] = [];
  sender.needs.providers.ses.pace = async () => {
    asked.push(sender.now.getTime());
    return pace;
  };
  return { sender, list, pace, asked };
}

const verified = ({ domain, organization_id: organization }: listStore.StoredList) => ({
  PK: `DOMAIN#${domain}`,
  SK: 'OWNER',
  domain,
  organization,
  claims: 1,
  verified_at: '2029-12-31T00:00:00.000Z',
});

/** Another automation, due at the same time. */
async function alsoDue(sender: Sender, list: Parameters<Sender['add']>[0], emails: string[] = []) {
  for (const email of emails) await sender.add(list, email, { trial_ends: '2029-12-30T10:00:20Z' });
  const when = { metadata_trigger: 'trial_ends', delay_days: 2, every_x_days: 7 };
  const { id } = await sender.newAutomation({ email_list_ids: [list.id], ...when });
  await sender.newTemplate([id]);
}

const begin = timeAfter(3 * MINUTE);
/** Seconds from the first delivery on, and how many people wait until then. */
const waiting = ({ queue }: Sender) =>
  queue.map(({ pack, at }) => [(at - begin.getTime()) / SECOND, pack.people.length]);
const posted = ({ posts }: Sender) => posts.map(({ provider, emails }) => `${emails.length} by ${provider}`);

it('a pack goes in shares of twenty seconds, and who waits has no claim', async () => {
  const { sender, asked } = await paced(100);
  const pack = await sweptPack(sender);
  await deliver(sender.needs, pack);
  expect(posted(sender)).toEqual(['40 by ses']);
  expect(waiting(sender)).toEqual([
    [20, 40],
    [40, 20],
  ]);
  const journals = await Promise.all(
    numbered(100).map(email => queryPartition(table, `R#${sender.organization}#${hashOf(email)}`, 'J#')),
  );
  expect(journals.filter(entries => entries.some(({ type }) => type === 'send'))).toHaveLength(40);
  expect(await get(table, PACE)).toMatchObject({
    free_at: new Date(begin.getTime() + 50 * SECOND).toISOString(),
  });
  for (const seconds of [19, 20, 40]) {
    sender.at(new Date(begin.getTime() + seconds * SECOND));
    await sender.deliverAll();
  }
  expect(posted(sender)).toEqual(['40 by ses', '40 by ses', '20 by ses']);
  expect(sender.posts.map(({ access }) => access.perSecond)).toEqual([2, 2, 2]);
  expect(sender.mailedTo()).toEqual(numbered(100));
  expect(asked).toHaveLength(1);
});

it('batches that are posted together have the pace of the account, which their provider divides', async () => {
  const { sender, list } = await paced(3);
  const second = await sender.newList();
  const { domain } = list;
  const fields = { domain, sender_address: `post@${domain}`, provider: 'ses' } as const;
  await listStore.change(table, await found(table, sender.organization, second.id), { set: fields });
  await alsoDue(sender, second, ['other@example.com']);
  await deliver(sender.needs, await sweptPack(sender));
  expect(sender.posts.map(({ access }) => access.perSecond)).toEqual([2, 2]);
});

it('packs of all organizations wait one behind the other, and what is free again is not kept', async () => {
  const [one, other] = [await paced(60), await paced(10)];
  const { organization } = other.sender;
  for (const { sender } of [one, other]) sender.at(begin);
  await one.sender.sweep();
  const packs = one.sender.queue.splice(0).map(message => message.pack);
  const [first, pack] = packs.sort((a, b) => a.organization - b.organization);
  if (!first || pack?.organization !== organization) throw new Error('Not both are queued');
  await deliver(one.sender.needs, first);
  await deliver(other.sender.needs, pack);
  expect(posted(other.sender)).toEqual([]);
  expect(waiting(other.sender)).toEqual([[30, 10]]);
  expect([one.asked.length, other.asked.length]).toEqual([1, 0]);
  other.sender.at(timeAfter(20 * MINUTE));
  await deliver(other.sender.needs, { ...pack, id: 'later0000000' });
  expect(posted(other.sender)).toEqual(['10 by ses']);
  expect(await get(table, PACE)).toMatchObject({
    free_at: timeAfter(20 * MINUTE + 5 * SECOND).toISOString(),
  });
});

it('a pack that meets the reservation of another one waits behind it', async () => {
  const { sender } = await paced(10);
  const at = (seconds: number) => new Date(begin.getTime() + seconds * SECOND).toISOString();
  let isPast = false;
  sender.needs.table = intercepted(table, async (send, { input }) => {
    if (!isPast && JSON.stringify(input).includes('"free_at"')) {
      isPast = true;
      await updateItem(table, PACE, { set: { free_at: at(30), by: 0 } });
    }
    return send();
  });
  await deliver(sender.needs, await sweptPack(sender));
  expect([posted(sender), waiting(sender)]).toEqual([[], [[30, 10]]]);
  expect(await get(table, PACE)).toMatchObject({ free_at: at(35), by: sender.organization });
});

it('an organization with more than goes in a while leaves room for others, and holds little if it stops', async () => {
  const [one, other] = [await paced(30, { perSecond: 0.01 }), await paced(1)];
  for (const { sender } of [one, other]) sender.at(begin);
  await one.sender.sweep();
  const packs = one.sender.queue.splice(0).map(message => message.pack);
  const [pack, others] = packs.sort((a, b) => b.people.length - a.people.length);
  if (!pack || !others) throw new Error('Not both are queued');
  const part = (n: number) => ({ ...pack, id: `part${n}`, people: pack.people.slice(n * 10, n * 10 + 10) });
  for (const n of [0, 1, 2]) await deliver(one.sender.needs, part(n));
  // A thousand seconds for ten: the others do not begin until there is room.
  expect(await get(table, PACE)).toMatchObject({
    free_at: new Date(begin.getTime() + 1_000 * SECOND).toISOString(),
  });
  expect(waiting(one.sender).at(-1)).toEqual([900, 10]);
  await deliver(other.sender.needs, others);
  expect(await get(table, PACE)).toMatchObject({ by: other.sender.organization });
});

it('a list that may not send takes none of the time', async () => {
  const { sender, list, asked } = await paced(5);
  await batchWrite(table, { deletes: [{ PK: verified(list).PK, SK: 'OWNER' }] });
  await deliver(sender.needs, await sweptPack(sender));
  expect([asked, await get(table, PACE), sender.queue]).toEqual([[], undefined, []]);
});

it('of what is left of the day of a provider, so many are sent, and the others look again later', async () => {
  const { sender, pace } = await paced(100, { left: 30, perSecond: 14 });
  await deliver(sender.needs, await sweptPack(sender));
  expect(posted(sender)).toEqual(['30 by ses']);
  expect(waiting(sender)).toEqual([[900, 70]]);
  pace.left = 0;
  sender.at(timeAfter(18 * MINUTE));
  await sender.deliverAll();
  expect(waiting(sender)).toEqual([[1800, 70]]);
  pace.left = 1000;
  await sender.run(timeAfter(40 * MINUTE));
  expect(sender.mailedTo()).toEqual(numbered(100));
});

it.each<[string, Partial<Pace>, number]>([
  ['what is left of a day', { left: 10, perSecond: 14 }, 900],
  ['a share', { perSecond: 0.5 }, 20],
])('%s is counted in emails, also of people who get two', async (_, pace, seconds) => {
  const { sender, list } = await paced(10, pace);
  await alsoDue(sender, list);
  await safeguards.change({ table, now: sender.now }, sender.organization, { enabled: false });
  await deliver(sender.needs, await sweptPack(sender));
  expect(posted(sender)).toEqual(['5 by ses', '5 by ses']);
  expect(waiting(sender)).toEqual([[seconds, 5]]);
});

it('what is left of a day is not used by emails of another provider', async () => {
  const { sender } = await paced(5, { left: 5, perSecond: 14 });
  await alsoDue(sender, await sender.newList(), numbered(10).slice(5));
  await deliver(sender.needs, await sweptPack(sender));
  expect(posted(sender).sort()).toEqual(['5 by mailgun', '5 by ses']);
  expect(waiting(sender)).toEqual([]);
});

it('a provider that says no pace is asked by one process a minute, and people wait', async () => {
  const { sender, pace, asked } = await paced(3);
  const failures: string[] = [];
  sender.needs.failed = what => void failures.push(what);
  const ask = sender.needs.providers.ses.pace;
  sender.needs.providers.ses.pace = async () => {
    asked.push(0);
    throw new Error('Throttled');
  };
  const pack = await sweptPack(sender);
  await deliver(sender.needs, pack);
  sender.at(timeAfter(3 * MINUTE + 25 * SECOND));
  await sender.deliverAll();
  expect([posted(sender), failures, asked.length]).toEqual([[], ['a provider did not say its pace'], 1]);
  sender.needs.providers.ses.pace = ask as () => Promise<typeof pace>;
  await sender.run(timeAfter(6 * MINUTE));
  expect(sender.mailedTo()).toEqual(numbered(3));
});

it('who waits longer than a day for their turn is skipped, and the log says so', async () => {
  const { sender } = await paced(2, { isPaused: true });
  sender.at(begin);
  await sender.sweep();
  for (let hour = 1; hour <= 30; hour++) {
    sender.at(timeAfter(hour * HOUR));
    await sender.deliverAll();
  }
  expect(posted(sender)).toEqual([]);
  expect(await reasons(sender)).toEqual(['stale']);
});

const KEY = { sending_key: 'key-1' };

it.each<[string, Outcome, number]>([
  ['denies', { ...NOT_SENT, reason: 'denied' }, 0],
  ['cannot be reached', NOT_SENT, 0],
  ['throttles for a quarter of an hour', throttled(60), 15],
  ['throttles for a quarter of an hour at a time', throttled(900), 15],
  ['throttles for an hour', throttled(3600), 14],
])('what a provider that %s did not send goes to the second one', async (_, answer, minutes) => {
  const { sender } = await paced(2, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  sender.needs.providers.ses.post = async (access, emails) => {
    sender.posts.push({ at: sender.now, provider: 'ses', access, emails: [] });
    return emails.map(() => answer);
  };
  await sender.run(timeAfter((3 + minutes) * MINUTE));
  expect(new Set(posted(sender))).toEqual(new Set(['0 by ses']));
  await sender.run(timeAfter((3 + minutes + 20) * MINUTE));
  expect(posted(sender).at(-1)).toBe('2 by mailgun');
  expect(sender.mailedTo()).toEqual(numbered(2));
  expect((await states(sender)).filter(state => state !== 'released')).toEqual(['sent']);
});

it.each<[string, Outcome]>([
  ['of unknown outcome', UNKNOWN],
  ['that was refused', { kind: 'refused' }],
])('an email %s never goes to the second provider', async (_, answer) => {
  const { sender } = await paced(1, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  sender.answers(answer);
  await sender.run(timeAfter(2 * HOUR));
  expect(posted(sender)).toEqual(['1 by ses']);
});

it('of a call that was cut off, the second provider takes those alone that were certainly not sent', async () => {
  const { sender } = await paced(4, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  const told: string[] = [];
  sender.needs.providers.ses.post = async (access, emails) => {
    sender.posts.push({ at: sender.now, provider: 'ses', access, emails: emails.slice(0, 1) });
    told.push(...emails.map(({ to }) => to));
    return [{ kind: 'accepted', provider_id: 'a' }, UNKNOWN, NOT_SENT, NOT_SENT];
  };
  await sender.run(timeAfter(30 * MINUTE));
  expect(posted(sender)).toEqual(['1 by ses', '2 by mailgun']);
  expect(sender.mailedTo()).toEqual([told[0], told[2], told[3]].sort());
});

it('nothing more goes to a provider whose key was refused meanwhile, though a second one takes over', async () => {
  const providers = { provider: 'mailgun', second_provider: 'ses', ...KEY } as const;
  const { sender, list } = await paced(1, { perSecond: 100 }, providers);
  const { mailgun } = sender.needs.providers;
  const { post } = mailgun;
  mailgun.post = async (access, emails, mayContinue) => {
    const connection = { tested_at: sender.now.toISOString(), valid: false };
    await listStore.change(table, await found(table, sender.organization, list.id), { set: { connection } });
    sender.at(new Date(sender.now.getTime() + 5_001));
    return post(access, emails, mayContinue);
  };
  await sender.run(timeAfter(30 * MINUTE));
  expect(posted(sender)).toEqual(['1 by ses']);
});

it('the first provider is tried again each quarter of an hour, and is used alone once it takes emails', async () => {
  const { sender } = await paced(1, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  const list = async () => found(table, sender.organization, (await sweptListOf(sender)) ?? '');
  sender.answers({ ...NOT_SENT, reason: 'denied' });
  await sender.run(timeAfter(10 * MINUTE));
  expect((await list()).failing).toMatchObject({ reason: 'denied' });
  sender.at(timeAfter(7 * 24 * HOUR + 3 * MINUTE));
  await sender.sweep();
  await sender.deliverAll();
  expect(posted(sender)).toEqual(['1 by ses', '1 by mailgun', '1 by ses']);
  expect((await list()).failing).toBeUndefined();
});

it('a second provider that throttles holds nobody up once the first one is tried again', async () => {
  const { sender } = await paced(1, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  sender.answers({ ...NOT_SENT, reason: 'denied' }, throttled(3600));
  await sender.run(timeAfter(25 * MINUTE));
  expect(posted(sender)).toEqual(['1 by ses', '1 by mailgun', '1 by ses']);
});

it('a second provider that takes nothing either delays no try of the first one', async () => {
  const providers = { provider: 'mailgun', second_provider: 'ses', ...KEY } as const;
  const { sender, list } = await paced(1, { isPaused: true }, providers);
  sender.answers(NOT_SENT);
  await sender.run(timeAfter(10 * MINUTE));
  const tried_at = sender.posts[0]?.at.toISOString();
  const { failing } = await found(table, sender.organization, list.id);
  expect(failing).toEqual({ reason: 'unreachable', since: tried_at, tried_at });
  await sender.run(timeAfter(20 * MINUTE));
  expect(posted(sender)).toEqual(['1 by mailgun', '1 by mailgun']);
});

it('a provider that fails at every try has failed since the first one', async () => {
  const { sender, list } = await paced(1);
  const tries = [0, 15, 30].map(minutes => timeAfter(minutes * MINUTE));
  for (const at of tries) {
    await noteFailing(table, await found(table, sender.organization, list.id), 'throttled', at);
  }
  const [since, , tried_at] = tries.map(at => at.toISOString());
  const { failing } = await found(table, sender.organization, list.id);
  expect(failing).toEqual({ reason: 'throttled', since, tried_at });
});

it('what a provider says once its list has others is not held against these', async () => {
  const { sender, list } = await paced(1, { perSecond: 100 }, { second_provider: 'mailgun', ...KEY });
  const { post } = sender.needs.providers.ses;
  sender.needs.providers.ses.post = async (...call) => {
    await listStore.change(table, list, { set: { provider: 'mailgun', second_provider: 'ses' } });
    await post(...call);
    return [{ ...NOT_SENT, reason: 'denied' }];
  };
  await deliver(sender.needs, await sweptPack(sender));
  const { failing, paused_until } = await found(table, sender.organization, list.id);
  expect([failing, paused_until]).toEqual([undefined, undefined]);
});

const sweptListOf = async ({ organization }: Sender) =>
  (await listStore.readAllUncounted(table, organization))[0]?.id;

it.each<[string, Partial<Pace>]>([
  ['takes nothing from the account', { isPaused: true }],
  ['has nothing left of its day, nor a quarter of an hour later,', { left: 0 }],
])('a provider that %s is left for the second one before anything is claimed', async (_, pace) => {
  const { sender } = await paced(3, pace, { second_provider: 'mailgun', ...KEY });
  await sender.run(timeAfter(25 * MINUTE));
  expect(posted(sender)).toEqual(['3 by mailgun']);
  expect(await states(sender)).toEqual(['sent']);
});

it.each<[string, Partial<Pace>, number]>([
  ['takes nothing', { isPaused: true }, 900],
  ['has no room', { perSecond: 0.001 }, 900],
  ['says no pace', {}, 20],
])(
  'of a pack, those wait alone whose provider %s: not those of another one, nor of a second one that takes over',
  async (says, pace, seconds) => {
    const { sender, list } = await paced(4, pace);
    const { domain } = list;
    const ofSes = { domain, sender_address: `post@${domain}`, provider: 'ses' } as const;
    const [second, mailgun] = [await sender.newList(), await sender.newList()];
    await listStore.change(table, second, { set: { ...ofSes, second_provider: 'mailgun' } });
    await alsoDue(sender, second, ['second@example.com']);
    await alsoDue(sender, mailgun, ['mailgun@example.com']);
    if (says === 'has no room') await batchWrite(table, { puts: [busy(pace)] });
    if (says === 'says no pace')
      sender.needs.providers.ses.pace = () => Promise.reject(new Error('No answer'));
    sender.needs.failed = () => {};
    await deliver(sender.needs, await sweptPack(sender));
    const now =
      says === 'takes nothing' ? ['mailgun@example.com', 'second@example.com'] : ['mailgun@example.com'];
    expect(sender.mailedTo()).toEqual(now);
    expect(waiting(sender)).toEqual([[seconds, 6 - now.length]]);
  },
);

const busy = (pace: Partial<Pace>) => ({
  ...PACE,
  left: 10_000,
  ...pace,
  read_at: begin.toISOString(),
  free_at: timeAfter(HOUR).toISOString(),
  by: 0,
});

it('who sends from a domain that is not verified as theirs is skipped with that reason, also where another owns it', async () => {
  const { sender, list } = await paced(1);
  await batchWrite(table, { puts: [{ ...verified(list), organization: sender.organization + 1 }] });
  await sender.run(timeAfter(10 * MINUTE));
  expect([posted(sender), await reasons(sender)]).toEqual([[], ['not_verified']]);
});

it('a forecast and a dry run know whether the domain is verified', async () => {
  const { sender, list } = await paced(3);
  sender.at(timeAfter(-MINUTE));
  const predicting = { table, now: sender.now, hasTimeLeft: () => true };
  const forecast = async () => (await forecasts.ofOrganization(predicting, sender.organization)).total_count;
  const stored = () => found(table, sender.organization, list.id);
  const to = async (provider: 'mailgun' | 'ses') => {
    const change = await dryRuns.withList(predicting, await stored(), { provider });
    return (await dryRuns.dryRun(predicting, sender.organization, change)).next_24_hours.emails;
  };
  expect(await forecast()).toBeGreaterThan(0);
  expect(await to('mailgun')).toBe(0);
  await listStore.change(table, await stored(), { set: { provider: 'mailgun' } });
  expect(await to('ses')).toBe(0);
  await batchWrite(table, { deletes: [{ PK: `DOMAIN#${list.domain}`, SK: 'OWNER' }] });
  expect(await to('ses')).toBe(-3);
  await listStore.change(table, await stored(), { set: { provider: 'ses' } });
  expect(await forecast()).toBe(0);
});
