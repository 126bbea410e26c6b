import { countCalls } from '#core/account/call-budgets.ts';
import { forgetKept } from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import { stop } from '#core/automation/broadcast.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import { upload } from '#core/content/image.ts';
import * as looks from '#core/content/look.ts';
import * as domainCheck from '#core/list/domain-check.ts';
import { storeAll } from '#core/list/event/event.ts';
import * as identity from '#core/list/identity.ts';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as tracking from '#core/list/tracking-domain.ts';
import * as invitations from '#core/organization/invitation.ts';
import * as members from '#core/organization/member.ts';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { erase } from '#core/person/erasure.ts';
import * as plans from '#core/plan/plan.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { allocate } from '#core/reporting/allocation.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import { rankEarners } from '#core/reporting/earnings.ts';
import * as value from '#core/reporting/value.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import type { Pack } from '#core/sending/pack.ts';
import type { Objects } from '#core/storage/logo.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { once } from '#functions/http/idempotency.ts';
import { NewAutomation } from '#shared/automation.ts';
import { NewBroadcast } from '#shared/broadcast.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailAssetSet } from '#shared/email-asset-set.ts';
import { NewEmailTemplate, NewTemplateVersion } from '#shared/email-template.ts';
import type { NewList } from '#shared/list.ts';
import { NewSequence } from '#shared/sequence.ts';
import { asset, assetSet, template } from './content.ts';
import { createList } from './core-list.ts';
import { crashingAtEachWrite } from './crash.ts';
import { dnsOf, domainsAt, trackingAt } from './domains.ts';
import { exerciseVisits } from './exercise-visits.ts';
import { dataUrl, png, PNG as WHOLE_PNG } from './images.ts';
import { LOOK } from './look.ts';
import { actingIn, type newUser } from './people.ts';
import { NOT_SENT, newSender, REFUSED, throttled, UNKNOWN } from './sending.ts';

const PNG = dataUrl(png(1, 1));
const DAY = 24 * 60 * 60 * 1000;

type Person = Awaited<ReturnType<typeof newUser>>;
type Needs = { table: Table; objects: Objects; now: Date };

let count = 0;
const newAddress = () => `reader${++count}@example.com`;
/** A date in a column that no other member has, so no other member has its trigger row. */
const newDate = () => ({ [`date_${++count}`]: '2030-02-01T09:30:00Z' });

/** Invites, accepts and removes people who have no other relation to the organization. */
export async function exercisePeople(
  { table, now }: Needs,
  id: number,
  owner: Person,
  guests: Person[],
): Promise<void> {
  const acting = () => actingIn(table, owner.id, id);
  const each = <P>(prepare: () => Promise<P>, work: (on: Table, prepared: P) => Promise<unknown>) =>
    crashingAtEachWrite(table, prepare, work);
  let days = 0;
  const needs = (on: Table) => ({ table: on, now: new Date(now.getTime() + days * DAY) });
  const nextGuest = () => {
    const guest = guests.pop();
    if (!guest) throw new Error('There are not enough guests');
    return guest;
  };
  const mailer = { send: async () => {} };
  const send = async (on: Table, { email }: { email: string }) =>
    invitations.send({ ...needs(on), mailer, linkTo: String }, await acting(), { email, role: 'USER' });
  /** One invitation per day, as an address is not mailed more often. It replaces the previous one. */
  const invited = async (guest: Person) => {
    days++;
    const sent = await send(table, guest);
    return { guest, found: invitations.found(sent.id, await getAll(table, invitations.keysOf(id, sent.id))) };
  };
  const again = nextGuest();
  await each(
    () => invited(again),
    (on, { guest }) => send(on, guest),
  );
  await each(
    () => invited(again),
    (on, { found }) => invitations.cancel(needs(on), found),
  );
  await each(
    () => invited(again),
    (on, { guest, found }) => invitations.reject(needs(on), found.id, guest),
  );
  await each(
    () => invited(nextGuest()),
    (on, { guest, found }) => invitations.accept(needs(on), found.id, guest),
  );
  const member = async () => {
    const page = await members.page({ table }, await acting());
    return page.members.find(({ is_owner }) => !is_owner) as (typeof page.members)[number];
  };
  await each(member, async (on, found) =>
    members.changeRole({ table: on, now }, await acting(), found, 'ADMIN'),
  );
  await each(member, async (on, found) => members.remove({ table: on, now }, await acting(), found));
  await invited(again);
  await invited(nextGuest());
}

export async function exerciseSettings(
  { table, objects, now }: Needs,
  id: number,
  owner: Person,
): Promise<void> {
  const vault = { seal: async (text: string) => text, open: async (sealed: string) => sealed };
  const acting = () => actingIn(table, owner.id, id);
  const newList = async (fields: Partial<NewList>) => createList(table, now, await acting(), fields);
  const lists = () => newList({});
  await crashingAtEachWrite(table, acting, (on, as) => createList(on, now, as));
  const key = { mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' };
  await crashingAtEachWrite(table, acting, (on, as) =>
    organization.change({ table: on, now }, as, { name: 'Annex' }),
  );
  const switchedOff = async () => {
    await organization.change({ table, now }, await acting(), { active: false });
    return acting();
  };
  await crashingAtEachWrite(table, switchedOff, (on, as) =>
    organization.change({ table: on, now }, as, { active: true }),
  );
  await crashingAtEachWrite(table, acting, on =>
    safeguards.change({ table: on, now }, id, { enabled: false }),
  );
  await crashingAtEachWrite(table, acting, (on, as) =>
    organization.changeLogo({ table: on, now, objects }, as, PNG),
  );
  await crashingAtEachWrite(table, lists, (on, of) =>
    list.change({ table: on, now }, of, { name: 'Renamed' }),
  );
  await crashingAtEachWrite(
    table,
    () => newList({ active: false }),
    (on, of) => list.change({ table: on, now }, of, { active: true }),
  );
  await crashingAtEachWrite(table, lists, (on, of) => list.changeLogo({ table: on, now, objects }, of, PNG));
  await crashingAtEachWrite(table, acting, (on, as) =>
    looks.changeOfOrganization({ table: on, now }, as.organization, { ...LOOK, logo_height: 20 + ++count }),
  );
  await crashingAtEachWrite(table, lists, (on, of) =>
    looks.changeOfList({ table: on, now }, { id }, of, { ...LOOK, logo_height: 20 + ++count }),
  );
  await crashingAtEachWrite(table, lists, (on, of) =>
    sendingKey.changeSendingKey({ table: on, now, vault }, of, key),
  );
  const sending = { table, now, domains: domainsAt().domains, dns: dnsOf().dns, failed: () => {} };
  await crashingAtEachWrite(table, lists, (on, of) => identity.claim({ ...sending, table: on }, of));
  await crashingAtEachWrite(table, lists, (on, of) => identity.check({ ...sending, table: on }, of));
  await crashingAtEachWrite(table, lists, (on, of) =>
    domainCheck.shown({ ...sending, table: on, publicUrl: 'https://example.com' }, of),
  );
  const place = { target: 'links.example.org', publicUrl: 'https://letters.example.org' };
  const tracked = async () => {
    const { id: of, ...fields } = await lists();
    const zone = dnsOf();
    const links = { ...sending, dns: zone.dns, place, trackingDomains: trackingAt().trackingDomains };
    const named = `link${++count}.example.com`;
    zone.set(named, `${of}.${place.target}`);
    await tracking.claim(links, { ...fields, id: of }, named);
    return { links, of: await listStore.readExisting(table, { ...fields, id: of }) };
  };
  await crashingAtEachWrite(table, lists, (on, of) =>
    tracking.claim({ table: on, now, place }, of, `link${++count}.example.com`),
  );
  await crashingAtEachWrite(table, tracked, (on, { links, of }) =>
    tracking.check({ ...links, table: on }, of),
  );
  await crashingAtEachWrite(table, tracked, (on, { of }) => tracking.release({ table: on, now }, of));
  await crashingAtEachWrite(table, lists, (on, of) => list.remove({ table: on, now }, of));
  const repeated = { user: 'user', method: 'POST', path: '/api/v1/value', body: '{}' };
  await crashingAtEachWrite(
    table,
    async () => `call-${++count}`,
    (on, key) =>
      once({ table: on, now }, id, { ...repeated, key }, async () => ({ status: 200, body: '{}' })),
  );
  await countCalls({ table, now }, id);
}

export async function exerciseContent(
  { table, objects, now }: Needs,
  id: number,
  owner: Person,
): Promise<void> {
  await upload({ objects }, id, dataUrl(WHOLE_PNG));
  const needs = (on: Table) => ({ table: on, now });
  const form = NewAutomation.parse({ name: `welcome_${++count}`, allocation: 'clicks' });
  const { id: automation } = await automations.create(needs(table), id, form);
  const acting = () => actingIn(table, owner.id, id);
  const linked = { automation_ids: [automation] };
  const createAsset = (on: Table) => emailAssets.create(needs(on), id, NewEmailAsset.parse(asset(linked)));
  const createTemplate = async (on: Table) => {
    const fields = NewEmailTemplate.parse(template(linked));
    return emailTemplates.create(needs(on), await acting(), fields);
  };
  const newAsset = async () =>
    emailAssets.found(await getAll(table, emailAssets.keysOf(id, (await createAsset(table)).id)));
  const newTemplate = async () => {
    const keys = emailTemplates.keysOf(id, (await createTemplate(table)).id);
    return emailTemplates.found({ table }, await acting(), await getAll(table, keys));
  };
  const each = <P>(prepare: () => Promise<P>, work: (on: Table, prepared: P) => Promise<unknown>) =>
    crashingAtEachWrite(table, prepare, work);
  await each(acting, createAsset);
  await each(acting, on => emailAssets.createSet(needs(on), id, NewEmailAssetSet.parse(assetSet(linked))));
  await each(acting, createTemplate);
  const failed = (_: unknown, error: unknown) => {
    throw error;
  };
  await each(
    () => createTemplate(table),
    on => allocate({ ...needs(on), now: () => now, hasTimeLeft: () => true, failed }),
  );
  await each(
    async () => {},
    async on => {
      await safeguards.change(needs(on), id, { order: 'value' });
      await rankEarners({ table: on, now: () => now, hasTimeLeft: () => true, failed });
    },
  );
  const { id: emailTemplateCombinationId } = await createTemplate(table);
  await each(
    async () => `order-${++count}`,
    (on, eventId) => value.post(needs(on), id, { emailTemplateCombinationId, eventId, value: 12.5 }),
  );
  const news = await createList(table, now, await acting(), { name: 'News' });
  const { id: list } = news;
  const held = { name: `held_${++count}`, email_list_ids: [list], holdout_percent: 50, active: false };
  await automations.create(needs(table), id, NewAutomation.parse(held));
  const email = `buyer${++count}@example.com`;
  await upsertStore.upsertAll({ table, now }, news, [{ email }]);
  await value.post(needs(table), id, { email, eventId: `order-${++count}`, value: 5 });
  const createBroadcast = async (on: Table, status = 'scheduled') => {
    const email_template_ids = [(await createTemplate(table)).id];
    const fields = { name: 'News', email_list_ids: [list], email_template_ids, status };
    return broadcasts.create(needs(on), await acting(), NewBroadcast.parse(fields));
  };
  const newBroadcast = async () =>
    broadcasts.found(await getAll(table, broadcasts.keysOf(id, (await createBroadcast(table)).id)));
  await each(acting, on => createBroadcast(on));
  await each(newBroadcast, async (on, found) =>
    broadcasts.change(needs(on), await acting(), found, { status: 'cancelled' }),
  );
  await each(newBroadcast, (on, found) => stop(needs(on), id, found.id, 'list_off'));
  await each(newBroadcast, (on, found) => broadcasts.remove(needs(on), found));
  await each(newAsset, (on, found) => emailAssets.change(needs(on), found, { is_active: false }));
  await each(newAsset, (on, found) => emailAssets.remove(needs(on), found));
  await each(newTemplate, (on, found) => emailTemplates.remove(needs(on), found));
  await each(newAsset, (on, found) =>
    emailAssets.createVersion(needs(on), found, { value: `New ${++count}` }),
  );
  await each(newTemplate, (on, found) =>
    emailTemplates.createVersion(needs(on), found, NewTemplateVersion.parse(template())),
  );
  const planning = async (on: Table) => ({
    ...needs(on),
    user: owner.id,
    active: await acting(),
    scopes: undefined,
    hasTimeLeft: () => true,
  });
  const makePlan = async (on: Table) =>
    plans.make(await planning(on), { automations: [{ name: `planned_${++count}`, active: false }] });
  await each(acting, makePlan);
  await each(
    () => makePlan(table),
    async (on, { hash }) => plans.apply(await planning(on), hash, {}),
  );
}

export async function exerciseAutomations({ table, now }: Needs, lists: list.CountedList[]): Promise<void> {
  const id = lists[0]?.organization_id ?? 0;
  const needs = (on: Table) => ({ table: on, now });
  const create = (on: Table, active = true) =>
    automations.create(
      needs(on),
      id,
      NewAutomation.parse({ name: `daily_${++count}`, active, email_list_ids: lists.map(of => of.id) }),
    );
  const automation = (active: boolean) => async () =>
    automations.found(await getAll(table, automations.keysOf(id, (await create(table, active)).id)));
  const each = <P>(prepare: () => Promise<P>, work: (on: Table, prepared: P) => Promise<unknown>) =>
    crashingAtEachWrite(table, prepare, work);
  await each(
    async () => {},
    on => create(on),
  );
  await each(automation(true), (on, found) => automations.change(needs(on), found, { active: false }));
  await each(automation(false), (on, found) => automations.change(needs(on), found, { active: true }));
  const [first] = lists.map(of => of.id);
  await each(automation(true), (on, found) =>
    automations.change(needs(on), found, { email_list_ids: first ? [first] : [] }),
  );
  await each(automation(true), (on, found) => automations.remove(needs(on), found));
  const createSequence = (on: Table) =>
    sequences.create(
      needs(on),
      id,
      NewSequence.parse({
        name: `course ${++count}`,
        active: true,
        email_list_ids: lists.map(of => of.id),
        steps: [{}, { delay_days: 2 }],
      }),
    );
  const sequence = async () =>
    sequences.found(await getAll(table, sequences.keysOf(id, (await createSequence(table)).id)));
  await each(async () => {}, createSequence);
  await each(sequence, (on, found) => sequences.change(needs(on), found, { steps: [{ delay_days: 3 }] }));
  await each(sequence, (on, found) => sequences.remove(needs(on), found));
}

export async function exerciseMembers({ table, now }: Needs, lists: list.CountedList[]): Promise<void> {
  const needs = (on: Table) => ({ table: on, now });
  const each = <P>(prepare: () => Promise<P>, work: (on: Table, prepared: P) => Promise<unknown>) =>
    crashingAtEachWrite(table, prepare, work);
  type Somebody = { of: list.CountedList; email: string };
  type Member = Somebody & { found: listMember.MemberWithList };
  const upsert = (on: Table, of: list.CountedList, ...emails: string[]) =>
    upsertStore.upsertAll(
      needs(on),
      of,
      emails.map(email => ({ email, ...newDate(), signed_up: '2030-02-01' })),
    );
  const named = ({ of, email }: Somebody) =>
    listMember.find({ table }, of.organization_id, recipient.memberId(of.id, recipient.hashOf(email)));

  let turn = 0;
  const nobody = async (): Promise<Somebody> => {
    const of = lists[turn++ % lists.length] as list.CountedList;
    return { of, email: newAddress() };
  };
  const member = async (): Promise<Member> => {
    const somebody = await nobody();
    await upsert(table, somebody.of, somebody.email);
    return { ...somebody, found: await named(somebody) };
  };
  const unsubscribed = async (): Promise<Member> => {
    const somebody = await member();
    await listMember.change(needs(table), somebody.found, { is_subscribed: false });
    return { ...somebody, found: await named(somebody) };
  };
  const former = async (): Promise<Somebody> => {
    const somebody = await unsubscribed();
    await listMember.remove(needs(table), somebody.found);
    return somebody;
  };

  for (const prepare of [nobody, member, former]) {
    await each(prepare, (on, { of, email }) => upsert(on, of, email, newAddress()));
  }
  for (const prepare of [nobody, member, former]) {
    await each(prepare, (on, { of, email }) => {
      const [event = ''] = Object.keys(newDate());
      const row = { event, email, email_list_id: of.id, create: true, idempotency_key: event };
      return storeAll(needs(on), of.organization_id, [row]);
    });
  }
  for (const prepare of [nobody, former]) {
    await each(prepare, (on, { of, email }) => {
      const form = { email_list_id: of.id, is_subscribed: true, metadata: newDate() };
      return listMember.add(needs(on), of.organization_id, { ...form, email });
    });
  }
  await each(member, (on, { found }) =>
    listMember.change(needs(on), found, { metadata: { ...newDate(), signed_up: null } }),
  );
  await each(member, (on, { found }) => listMember.change(needs(on), found, { is_subscribed: false }));
  await each(unsubscribed, (on, { found }) => listMember.change(needs(on), found, { is_subscribed: true }));
  for (const prepare of [member, unsubscribed]) {
    await each(prepare, (on, { found }) => listMember.remove(needs(on), found));
    await each(prepare, (on, { of, email }) =>
      erase({ ...needs(on), user: 'user-1' }, of.organization_id, email),
    );
  }
}

export async function exerciseSending({ table, now }: Needs, acting: organization.Active): Promise<void> {
  const sender = await newSender(table, now, acting);
  const readers = await sender.newList();
  const { id } = await sender.newAutomation({ name: 'due', email_list_ids: [readers.id] });
  await sender.newTemplate([id]);
  let at = now.getTime();
  const due = async () => {
    sender.at(new Date(at));
    await sender.add(readers, newAddress());
    at += 2 * 60_000;
    sender.at(new Date(at));
  };
  await crashingAtEachWrite(table, due, on => sender.sweep(on));
  const queued = async () => {
    await due();
    // Crashed processes queue more packs each time.
    sender.queue.splice(0);
    await sender.sweep();
    return sender.queue.splice(0).map(({ pack }) => pack);
  };
  const deliverAll = async (on: Table, packs: Pack[]) => {
    for (const pack of packs) await deliver({ ...sender.needs, table: on }, pack);
  };
  await crashingAtEachWrite(table, queued, deliverAll);
  const ACCEPTED = { kind: 'accepted', provider_id: 'some' } as const;
  for (const answer of [throttled(60), UNKNOWN, [ACCEPTED, REFUSED, UNKNOWN, NOT_SENT]]) {
    const answered = async () => {
      for (const _ of [answer].flat().slice(1)) await sender.add(readers, newAddress());
      const packs = await queued();
      sender.answers(answer);
      return packs;
    };
    await crashingAtEachWrite(table, answered, deliverAll);
  }
  await exerciseVisits(table, now, async () => {
    await deliverAll(table, await queued());
    const email = sender.mails().at(-1)?.email ?? '';
    return { ...recipient.keyOf(sender.organization, email), seq: 1, written: now };
  });
  const later = new Date(at + 70 * DAY);
  await crashingAtEachWrite(
    table,
    () => forgetKept(table, sender.organization),
    on => comparisons({ table: on, now: later, hasTimeLeft: () => true }, acting),
  );
  const stale = await queued();
  sender.at(new Date(at + 2 * DAY));
  await deliverAll(table, stale);
}
