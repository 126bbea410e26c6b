import * as store from '#core/automation/broadcast.store.ts';
import * as assets from '#core/content/email-asset.ts';
import * as templates from '#core/content/email-template.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { getAll } from '#core/storage/table.store.ts';
import { type BroadcastChange, NewBroadcast } from '#shared/broadcast.ts';
import { ACTIONS, type Context, SWITCHES } from './actions.ts';
import { clockIn, dateOf, firstMinuteAt, timeOf } from './clocks.ts';
import type { Environment, Random } from './environment.ts';
import * as made from './organizations.ts';
import { memberZone, quietFrom } from './sending-times.ts';
import { beginAll, type Planned } from './users.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From the first time zone to the last one. */
const AROUND_THE_WORLD = 27 * HOUR;
const FIRST_ZONE = 'Pacific/Kiritimati';

type Act = Planned['act'];
type About = Pick<Context, 'of' | 'model'>;
/** `instants`: when it goes in the zones of the organization. */
type Timing = Pick<BroadcastChange, 'at' | 'local_at'> & { instants: number[] };

function timingOf(random: Random, { of, model }: About, now: number, until: number): Timing {
  const zones = of.times?.zones ?? ['UTC'];
  if (random.chance(0.2)) return { instants: [now] };
  if (now + AROUND_THE_WORLD + 2 * HOUR < until && random.chance(of.times ? 0.7 : 0.1)) {
    const local = clockIn(FIRST_ZONE, now + random.between(10, 90) * MINUTE);
    const instants = zones.map(zone => firstMinuteAt(zone, dateOf(local), timeOf(local)));
    return { local_at: local.replace(' ', 'T'), instants };
  }
  // Others of its emails go in that minute too.
  const hot = Math.floor(now / DAY) * DAY + (random.pick(model.hotMinutes) + random.int(4)) * MINUTE;
  const next = hot > now + MINUTE ? hot : hot + DAY;
  const later = now + random.pick([2 * MINUTE, HOUR, 9 * HOUR]) * (1 + random.next());
  const at = Math.min(random.chance(0.5) ? next : later, until - 5 * MINUTE) + random.int(MINUTE);
  return { at: new Date(at).toISOString(), instants: [at] };
}

async function createAs({ needs, of, random }: Context, fields: object): Promise<void> {
  const active = await made.acting(needs, of);
  const keys = of.templates.flatMap(id => templates.keysOf(of.id, id));
  const known = (await getAll(needs.table, keys)).map(({ SK }) => /^TEMPLATE#(.+)/.exec(String(SK))?.[1]);
  const form = {
    name: 'Sale',
    email_list_ids: of.lists,
    audience: of.hasAudiences && random.chance(0.6) ? made.audienceOf(random, of, needs.now) : null,
    email_template_ids: known.filter(id => id !== undefined),
    email_asset_ids: of.assets,
  };
  await broadcasts.create(needs, active, NewBroadcast.parse({ ...form, ...fields }));
}

async function newest({ needs, of }: Context): Promise<store.StoredBroadcast | undefined> {
  return (await store.readAll(needs.table, of.id))[0];
}

const changed =
  (to: BroadcastChange | ((context: Context) => BroadcastChange)): Act =>
  async context => {
    const { needs, of } = context;
    const found = await newest(context);
    const change = typeof to === 'function' ? to(context) : to;
    return found && broadcasts.change(needs, await made.acting(needs, of), found, change);
  };

const named = (name: string): Act => ACTIONS.find(([, action]) => action.name === name)?.[1].run as Act;
const switchedOff =
  (at: number): Act =>
  async context =>
    SWITCHES[at]?.(context, false);

/** A member who is moved to another time zone gets nothing else by that. */
const moveMember: Act = async ({ needs, of, random, model }) => {
  const found = await list.lookUp(needs, of.id, random.pick(of.lists));
  const zone = memberZone(random, of.times);
  return found && listMember.upsertAll(needs, found, [{ email: random.pick(model.people), ...zone }]);
};

/** Quiet hours from the next quarter of an hour on: time zones that are still to come wait for their end together. */
const held =
  (zones: string[], hours: number): Act =>
  ({ needs, of }) =>
    made.setHours(needs, of, { quiet_hours: [quietFrom(zones, needs.now.getTime() + QUARTER, hours)] });

const contentSwitched =
  (is_active: boolean): Act =>
  async ({ needs, of }) => {
    const active = await made.acting(needs, of);
    for (const id of of.templates) {
      const items = await getAll(needs.table, templates.keysOf(of.id, id));
      await templates.change(needs, await templates.found(needs, active, items), { is_active });
    }
    for (const id of of.assets) {
      const items = await getAll(needs.table, assets.keysOf(of.id, id));
      await assets.change(needs, assets.found(items), { is_active });
    }
  };

type Chosen = readonly [weight: number, { name: string; act: Act }];
const act = (weight: number, name: string, own: Act = named(name)): Chosen => [weight, { name, act: own }];

export const WHILE_IT_IS_SENT: Chosen[] = [
  act(4, 'cancelBroadcast', changed({ status: 'cancelled' })),
  act(1, 'deleteBroadcast', async context => {
    const found = await newest(context);
    return found && broadcasts.remove(context.needs, found);
  }),
  act(3, 'switchOrganization', switchedOff(0)),
  act(4, 'switchList', switchedOff(1)),
  act(8, 'moveMember', moveMember),
  ...['removeKey', 'switchTemplate', 'deleteTemplate'].map(name => act(3, name)),
  ...['add', 'unsubscribe', 'edit', 'importFile', 'remove'].map(name => act(2, name)),
];

const BEFORE: Chosen[] = [
  act(1, 'unscheduleBroadcast', changed({ status: 'draft' })),
  act(
    2,
    'editBroadcast',
    changed(({ of, random }) => ({ email_list_ids: [random.pick(of.lists)] })),
  ),
  act(4, 'unsubscribe'),
  act(3, 'moveMember', moveMember),
];

/** Once all is on again that had stopped it, it is sent to the rest. */
const sendToTheRest: Act = async context => {
  const { needs, of, random } = context;
  const found = await newest(context);
  if (found?.status !== 'stopped') return;
  const active = await made.acting(needs, of);
  if (!active.organization.active) await organization.change(needs, active, { active: true });
  for (const id of found.email_list_ids) {
    const stored = await list.lookUp(needs, of.id, id);
    if (stored && !stored.active) await list.change(needs, stored, { active: true });
    if (stored && !stored.sending_key) await made.setKey(needs, random, of, id);
  }
  if (found.stopped?.reason === 'no_content') {
    await made.newTemplate(needs, { ...random, chance: () => true }, { ...of, automations: [found.id] });
  }
  await changed({ status: 'scheduled' })({ ...context });
};

function planned(dice: Random, about: About, start: number, until: number): Planned[] {
  const created = start + dice.int((until - start) * dice.pick([0.05, 0.7]));
  const { instants: wanted, ...times } = timingOf(dice.fork('timing'), about, created, until);
  const isDraft = dice.chance(0.3);
  const isAtOnce = times.at === undefined && times.local_at === undefined;
  const scheduled = created + dice.int(isAtOnce ? HOUR : Math.max(1, Math.min(...wanted) - created));
  const instants = isAtOnce && isDraft ? [scheduled] : wanted;
  const create: Act = context => createAs(context, { ...times, status: isDraft ? 'draft' : 'scheduled' });
  const all: Planned[] = [{ name: 'createBroadcast', at: created, act: create }];
  const instant = () => dice.pick(instants);
  const add = (most: number, next: () => Planned) => {
    for (let left = dice.int(most + 1); left > 0; left--) all.push(next());
  };
  if (isDraft) {
    all.push({ name: 'scheduleBroadcast', at: scheduled, act: changed({ status: 'scheduled' }) });
  }
  const zones = about.of.times?.zones;
  if (zones && times.local_at && dice.chance(0.5)) {
    const at = instant() + dice.between(2, 40) * MINUTE;
    all.push({ name: 'holdBroadcast', at, act: held(zones, dice.pick([4, 10, 16])) });
  }
  if (dice.chance(0.1)) {
    const at = instant() + dice.int(90) * SECOND;
    all.push({ name: 'contentOff', at, act: contentSwitched(false) });
    all.push({ name: 'contentOn', at: at + dice.int(HOUR), act: contentSwitched(true) });
  }
  add(3, () => ({ ...dice.weighted(BEFORE), at: instant() - dice.int(dice.pick([MINUTE, HOUR])) }));
  // The pass reads when its minute is over, and half a minute after the instant.
  const seconds = () => dice.between(30, dice.pick([150, 150, 600]));
  add(4, () => ({ ...dice.weighted(WHILE_IT_IS_SENT), at: instant() + seconds() * SECOND }));
  add(4, () => {
    const email = `late${all.length}@example.com`;
    const act: Act = ({ needs, of, random }) =>
      made.addMember(needs, of, random.pick(of.lists), email, memberZone(random, of.times));
    return {
      name: 'addLate',
      at: instant() + dice.between(-20, 8) * SECOND,
      act,
      slow: dice.int(20) * SECOND,
    };
  });
  add(3, () => {
    const at = instant() + dice.between(2, dice.pick([6, 60, 600])) * MINUTE;
    return { name: 'sendToTheRest', at, act: sendToTheRest };
  });
  return all;
}

/** Users send broadcasts, and change what matters while these are sent. */
export function runBroadcasts(environment: Environment, model: made.Model, until: number): void {
  const start = environment.scheduler.now().getTime();
  const dice = environment.random.fork('broadcasts');
  if (dice.chance(0.45)) return;
  for (let count = dice.pick([1, 1, 2]); count > 0; count--) {
    const fork = dice.fork(`broadcast ${count}`);
    const of = fork.pick(model.organizations);
    const some = of.lists.filter(() => fork.chance(0.8));
    const own = { ...of, lists: some.length > 0 ? some : of.lists };
    beginAll(environment, { model, of: own }, fork, until, planned(fork, { of: own, model }, start, until));
  }
}
