import * as automations from '#core/automation/automation.ts';
import * as assets from '#core/content/email-asset.ts';
import * as templates from '#core/content/email-template.ts';
import * as counts from '#core/list/counts.ts';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import type { Repeat } from '#shared/schedule.ts';
import type { SendingHoursChange } from '#shared/sending-hours.ts';
import { beginWarmUp } from '#shared/warm-up.ts';
import { newAudience, traits } from './audiences.ts';
import { contentMark } from './provider.ts';
import type { Random } from './random.ts';
import { VAULT } from './sending.ts';
import { listZone, memberZone, newHours, sendTimes, type Times, timesOf } from './sending-times.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An organization with all that its users have created, deleted items included. */
export type Organization = {
  id: number;
  owner: string;
  lists: string[];
  automations: string[];
  templates: string[];
  assets: string[];
  /** Undefined if its emails have no fixed times. */
  times: Times | undefined;
  /** Whether its automations have conditions. */
  hasAudiences: boolean;
  /** Whether lists send by SES, or have it as their second provider. */
  hasSes: boolean;
};

/** The organizations of a run, and what they have in common. */
export type Model = {
  organizations: Organization[];
  people: string[];
  /** The minutes of the day that most dates have. */
  hotMinutes: number[];
  /** Whether there are enough people to fill packs, so that emails with different contents share batches. */
  isCrowded: boolean;
};

/** Of the organizations. */
const SHARE_WITH_SES = 0.3;

export const COLUMNS = ['signed_up', 'renewal'];

/** The counter of organizations. */
const COUNTER = { PK: 'COUNTER', SK: 'ORGANIZATION' };

type Needs = { table: Table; now: Date };

export async function newModel(needs: Needs, random: Random): Promise<Model> {
  const size = random.weighted([
    [200, random.between(2, 12)],
    [5, random.between(50, 200)],
    [1, 1_050],
  ]);
  const isCrowded = size > 12;
  const people = Array.from(
    { length: size },
    (_, at) => `${random.chance(isCrowded ? 0.002 : 0.08) ? 'bad' : 'reader'}${at}@example.com`,
  );
  const hotMinutes = Array.from({ length: random.between(1, 2) }, () => random.int(24 * 60));
  const model: Model = { organizations: [], people, hotMinutes, isCrowded };
  const { account, writes } = await organization.prepareAccount(needs, 'owner@example.com');
  await commit(needs.table, writes);
  const ids = [account.default_organization_id];
  if (!isCrowded && random.chance(0.5)) {
    // The next organization is then in another shard of the sweep.
    if (random.chance(0.5)) await batchWrite(needs.table, { puts: [{ ...COUNTER, last_id: 999 }] });
    ids.push((await organization.create(needs, account.id, 'Another')).id);
  }
  for (const id of ids) {
    model.organizations.push(
      await newOrganization(needs, random.fork(`organization ${id}`), model, id, account.id),
    );
  }
  return model;
}

async function newOrganization(
  needs: Needs,
  random: Random,
  model: Model,
  id: number,
  owner: string,
): Promise<Organization> {
  const times = timesOf(random.fork('times'), needs.now);
  const hasAudiences = random.fork('audiences').chance(1 / 3);
  const none = { lists: [], automations: [], templates: [], assets: [] };
  const hasSes = random.fork('providers').chance(SHARE_WITH_SES);
  const made: Organization = { id, owner, ...none, times, hasAudiences, hasSes };
  if (times) await setHours(longAgo(needs), made, newHours(random.fork('hours'), times, model, needs.now));
  for (let count = model.isCrowded ? 1 : random.between(1, 3); count > 0; count--) {
    await newList(needs, random, made);
  }
  if (random.chance(0.6)) await safeguards.change(needs, id, limits(random));
  const dice = random.fork('holdout');
  if (dice.chance(0.1)) {
    const { organization } = await acting(needs, made);
    await holdout.change(needs, organization, { percent: dice.between(1, 30) });
  }
  for (const email of model.people) {
    for (const of of made.lists.filter(() => random.chance(0.75))) {
      const place = memberZone(random.fork(`zone ${of} ${email}`), times);
      const more = hasAudiences ? traits(random.fork(`traits ${of} ${email}`)) : {};
      await addMember(needs, made, of, email, { ...metadata(random, model, needs.now), ...place, ...more });
    }
  }
  for (let count = model.isCrowded ? 1 : random.between(1, 4); count > 0; count--) {
    await newAutomation(needs, random, made, model);
  }
  const order = random.fork('order');
  if (order.chance(0.4)) await orderByValue(needs, order, made);
  const variants = model.isCrowded
    ? 3
    : random.weighted([
        [5, 0],
        [3, 2],
        [2, 3],
      ]);
  for (let count = variants; count > 0; count--) await newAssets(needs, random, made);
  // If an automation has templates, its assets are not used.
  const templates = variants > 0 && random.chance(0.7) ? 0 : random.between(1, 3);
  for (let count = templates; count > 0; count--) await newTemplate(needs, random, made);
  return made;
}

export async function newList(needs: Needs, random: Random, of: Organization): Promise<void> {
  const active = await acting(needs, of);
  // The provider rejects everything from a bad domain.
  const domain = `${random.chance(0.03) ? 'bad' : ''}list${of.lists.length}.organization${of.id}.example.com`;
  const dice = random.fork(`providers ${of.lists.length}`);
  const providers = of.hasSes ? dice.pick(PROVIDERS) : MAILGUN;
  if (of.hasSes && dice.chance(0.95)) await verify(needs, of, domain);
  const { id } = await list.create(needs, active, {
    name: 'Readers',
    public_name: null,
    time_zone: listZone(random.fork(`zone ${of.lists.length}`), of.times),
    reply_to: null,
    ...providers,
    warm_up: 'off',
    domain,
    sender_name: 'The editors',
    sender_address: `letters@${domain}`,
    unsubscribe_text: 'Unsubscribe',
    active: random.chance(0.95),
  });
  of.lists.push(id);
  if (random.chance(0.95)) await setKey(needs, random, of, id);
}

/** So short that few people use them up. */
const WARM_UPS = [[1], [2], [4], [2, 6]];

export async function beginWarmUps({ table, now }: Needs, random: Random, model: Model): Promise<void> {
  if (model.isCrowded || random.chance(0.75)) return;
  for (const of of model.organizations) {
    for (const id of of.lists.filter(() => random.chance(0.7))) {
      const found = await list.lookUp({ table }, of.id, id);
      const set = { warm_up: beginWarmUp(now, random.pick(WARM_UPS)) };
      if (found) await listStore.change(table, found, { set });
    }
  }
}

const MAILGUN = { provider: 'mailgun', second_provider: null } as const;
const PROVIDERS = [
  MAILGUN,
  { provider: 'mailgun', second_provider: 'ses' },
  { provider: 'ses', second_provider: 'mailgun' },
  { provider: 'ses', second_provider: null },
] as const;

/** As if its records had been found in the DNS. */
async function verify(
  { table, now }: Needs,
  { id: organization }: Organization,
  domain: string,
): Promise<void> {
  const owner = { domain, claims: 1, organization, verified_at: now.toISOString() };
  await batchWrite(table, { puts: [{ PK: `DOMAIN#${domain}`, SK: 'OWNER', ...owner }] });
}

/** Sets a sending key that contains the id of its list. */
export async function setKey(needs: Needs, random: Random, of: Organization, listId: string): Promise<void> {
  const found = await list.lookUp(needs, of.id, listId);
  if (!found) return;
  const mailgun_sending_key = `key-${of.id}-${listId}-${random.int(1e9)}`;
  await sendingKey.changeSendingKey({ ...needs, vault: VAULT }, found, { mailgun_sending_key });
}

export async function acting(needs: Needs, of: Organization): Promise<organization.Active> {
  const active = await organization.activeFor(needs, of.owner, of.id);
  if (!active) throw new Error('The organization is deleted');
  return active;
}

export const setHours = async (needs: Needs, of: Organization, to: SendingHoursChange) =>
  sendingHours.change(needs, (await acting(needs, of)).organization, to);

/** A time in the past, from which settings are in effect now. */
const longAgo = ({ table, now }: Needs): Needs => ({ table, now: new Date(now.getTime() - 5 * MINUTE) });

const DAYS = 7;

/** As if it had been computed before each day what earns most; of some days it was not. */
async function orderByValue({ table, now }: Needs, random: Random, { id, automations }: Organization) {
  await safeguards.change({ table, now }, id, { order: 'value' });
  for (let days = 0; days < DAYS; days++) {
    const day = new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);
    const best = automations.filter(() => random.chance(0.8)).sort(() => (random.chance(0.5) ? 1 : -1));
    if (random.chance(0.85)) await safeguards.storeEarners(table, id, day, async () => best);
  }
}

/** Low limits, so that they are reached. */
export const limits = (random: Random): SafeguardsChange => ({
  enabled: random.chance(0.6),
  max_emails_5_minutes: random.between(1, 2),
  max_emails_1_hour: random.between(1, 3),
  max_emails_24_hours: random.between(1, 4),
  max_emails_1_week: random.between(2, 8),
});

/** Dates around the days of a run, most of them within a few minutes of a hot minute. */
export function metadata(
  random: Random,
  { hotMinutes }: Pick<Model, 'hotMinutes'>,
  now: Date,
): Record<string, string> {
  const date = () => {
    const before = random.weighted([
      [20, random.between(-3, 1)],
      [1, -30 * random.between(1, 5) + random.between(-1, 1)],
    ]);
    const years = random.weighted([
      [5, 0],
      [2, random.between(1, 40)],
    ]);
    const day = yearsBefore(Math.floor(now.getTime() / DAY) * DAY + before * DAY, years);
    const minute = random.pick(hotMinutes) + random.between(0, 3);
    const instant = new Date(day + minute * MINUTE + random.int(60) * 1000);
    return random.chance(0.05) ? instant.toISOString().slice(0, 10) : instant.toISOString();
  };
  return Object.fromEntries(COLUMNS.filter(() => random.chance(0.85)).map(column => [column, date()]));
}

export async function addMember(
  needs: Needs,
  of: Organization,
  email_list_id: string,
  email: string,
  metadata: Record<string, string>,
): Promise<void> {
  await listMember.add(needs, of.id, { email_list_id, email, is_subscribed: true, metadata });
}

/** For the last of February, that of the earlier year: a 29th counts on the 28th. */
function yearsBefore(day: number, years: number): number {
  const date = new Date(day);
  const isLast = new Date(day + DAY).getUTCDate() === 1;
  date.setUTCFullYear(date.getUTCFullYear() - years);
  if (isLast && date.getUTCMonth() === 1) return Date.UTC(date.getUTCFullYear(), 2, 0);
  return date.getTime();
}

/** A random schedule for an automation. */
export function schedule(random: Random) {
  const copies = (nth: string) =>
    random.weighted([
      [7, {}],
      [2, { [`double_send_${nth}`]: true }],
      [1, { [`triple_send_${nth}`]: true }],
    ]);
  const dice = random.fork('repeat');
  const repeat = dice.weighted<Repeat>([
    [6, 'days'],
    [2, 'once'],
    [3, 'yearly'],
  ]);
  const delay_minutes = dice.weighted([
    [5, 0],
    [1, dice.between(1, 3)],
    [1, dice.pick([60, 6 * 60, 24 * 60 - 1])],
  ]);
  const days = random.pick([0, 0, 0, 1, 2]);
  return {
    repeat,
    delay_minutes,
    every_x_days: random.weighted([
      [8, 1],
      [2, 2],
      [1, 3],
      [0.7, random.pick([28, 30])],
    ]),
    delay_days: repeat === 'yearly' ? dice.pick([days, -days, -1, -2]) : days,
    stop_after_days: random.pick([null, null, null, 0, 1, 3]),
    ...copies('first'),
    ...copies('second'),
    ...copies('third'),
  };
}

export async function newAutomation(
  needs: Needs,
  random: Random,
  of: Organization,
  model: Model,
): Promise<void> {
  const dice = random.fork(`times ${of.automations.length}`);
  const times = of.times && sendTimes(dice, of.times, model, needs.now);
  const email_list_ids = of.lists.filter(() => random.chance(0.7));
  const columns = [null, ...COLUMNS];
  const form = (metadata_trigger: string | null) =>
    NewAutomation.parse({
      name: `automation_${of.automations.length}`,
      email_list_ids,
      metadata_trigger,
      active: random.chance(0.9),
      ...schedule(random),
      ...times,
      audience:
        of.hasAudiences && !dice.fork('everybody').chance(0.2) ? audienceOf(dice, of, needs.now) : null,
      holdout_percent: holdoutOf(dice),
    });
  const column = random.pick(columns);
  const hasColumn = column === null || (await counts.hasColumn(needs.table, email_list_ids, column));
  const { id } = await automations.create(needs, of.id, form(hasColumn ? column : null));
  of.automations.push(id);
}

/** For some. */
export const holdoutOf = (random: Random) => {
  const dice = random.fork('holdout');
  return dice.chance(0.2) ? dice.between(1, 50) : 0;
};

export const audienceOf = (random: Random, of: Organization, now: Date) =>
  newAudience(random.fork('audience'), of.lists, COLUMNS, now);

export async function newTemplate(needs: Needs, random: Random, of: Organization): Promise<void> {
  const { id } = await templates.create(
    needs,
    await acting(needs, of),
    NewEmailTemplate.parse({
      name: 'Welcome',
      subject_line: 'Welcome aboard',
      preheader: null,
      after_cta_content: null,
      pre_cta_content: `Hello {{first_name | 'you'}}, this is ${contentMark(random.int(1e9))}.`,
      cta_text: 'Look around',
      cta_url: 'https://shop.example.com/start',
      footer: 'Leave: {{UNSUB_LINK}}',
      language_code: 'en',
      is_active: true,
      automation_ids: of.automations.filter(() => random.chance(0.8)),
    }),
  );
  of.templates.push(id);
}

async function newAssets(needs: Needs, random: Random, of: Organization): Promise<void> {
  for (const type of REQUIRED_PARTS) {
    const value =
      type === 'cta_url'
        ? `https://shop.example.com/${random.int(1e9)}`
        : `${contentMark(random.int(1e9))} {{UNSUB_LINK}}`;
    const asset = { name: null, type, value, is_active: true, automation_ids: of.automations };
    of.assets.push((await assets.create(needs, of.id, NewEmailAsset.parse(asset))).id);
  }
}
