import { newId } from '../../functions/core/id.ts';
import * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { project } from '../../functions/core/projection/projection.ts';
import * as recipient from '../../functions/core/recipient/recipient.ts';
import { Refusal } from '../../functions/core/refusal.ts';
import { sweep } from '../../functions/core/sweep/sweep.ts';
import { commit } from '../../functions/core/write.store.ts';
import { contributionOf, KINDS } from '../../functions/projector/projector.kinds.ts';
import type { Fault } from './faults.ts';
import { everyMinute, follow } from './functions.ts';
import { type Violation, violations } from './invariants.ts';
import type { Random } from './random.ts';
import type { Process } from './scheduler.ts';
import { type Run, recordOf, type World, worldOf } from './world.ts';

export type Result = {
  seed: number;
  hash: number;
  lines: string[];
  violations: Violation[];
  faults: [Fault, number][];
};

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

const LIST_FORM = {
  name: 'Readers',
  domain: 'example.com',
  sender_name: 'The editors',
  sender_address: 'letters@example.com',
  unsubscribe_text: 'Unsubscribe',
  active: true,
};

/** One run of the product in a world that the seed decides: what happened, and what must not have. */
export async function simulate(run: Run): Promise<Result> {
  const world = worldOf(run);
  const { scheduler, faults } = world;
  const lists = await prepareLists(world);
  const stream = runFunctions(world);
  runUsers(world, lists);
  await scheduler.run(scheduler.now().getTime() + HOUR);
  faults.isOver = true;
  for (let minutes = 0; !stream.isCurrent() || minutes < 30; minutes++) {
    if (minutes > 24 * 60) throw new Error('The simulation does not come to rest');
    await scheduler.run(scheduler.now().getTime() + MINUTE);
  }
  const { hash, lines } = scheduler.trace;
  return { seed: run.seed, hash, lines, violations: violations(world), faults: [...faults.counts] };
}

/** An organization with some lists. */
const prepareLists = ({ random, prepare, scheduler }: World) =>
  prepare(async table => {
    const needs = { table, now: scheduler.now() };
    const { account, writes } = await organization.prepareAccount(needs, 'owner@example.com');
    await commit(table, writes);
    const id = account.default_organization_id;
    const active = await organization.activeFor({ table }, account.id, id);
    if (!active) throw new Error('There is no organization');
    const found: list.Found[] = [];
    for (let count = random.between(1, 3); count > 0; count--) {
      const created = await list.create(needs, active, LIST_FORM);
      const of = await list.lookUp({ table }, id, created.id);
      if (of) found.push(of);
    }
    return found;
  });

function runFunctions({ scheduler, faults, tableFor, store, random }: World) {
  everyMinute(
    scheduler,
    {
      isMissed: () => faults.happens('sweep missed'),
      isDoubled: () => faults.happens('sweep twice'),
    },
    () => {
      const work = (process: Process) =>
        sweep({
          table: tableFor(process),
          now: scheduler.now(),
          hasTime: () => true,
          queue: async () => {},
          newId,
          failed: () => {},
        });
      scheduler.start('sweep', work, { timeout: 5 * MINUTE });
    },
  );
  const prefixes = Object.keys(KINDS);
  return follow(scheduler, store, {
    name: 'projector',
    most: 20,
    timeout: MINUTE,
    random: random.fork('stream'),
    isRedelivered: () => faults.happens('record twice'),
    isDoubled: () => faults.happens('record at once'),
    wants: ({ key }) => prefixes.some(prefix => key.SK.startsWith(prefix)),
    handle: (process, shard, changes) => {
      const contributions = changes.map(change => contributionOf(recordOf(change)));
      const needs = { table: tableFor(process), now: scheduler.now(), publish: async () => {} };
      return project(needs, shard, contributions);
    },
  });
}

/** Members are added, changed, unsubscribed, removed and erased, several at once. */
function runUsers({ scheduler, random, tableFor }: World, lists: list.Found[]): void {
  const people = Array.from({ length: random.between(2, 6) }, (_, at) => `reader${at}@example.com`);
  for (let actions = random.between(5, 40); actions > 0; actions--) {
    const action = random.pick(ACTIONS);
    const [of, email, dice] = [random.pick(lists), random.pick(people), random.fork(`action ${actions}`)];
    scheduler.after(random.int(40 * MINUTE), () => {
      const work = async (process: Process) => {
        const needs = { table: tableFor(process), now: scheduler.now() };
        try {
          await action(needs, of, email, dice);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      };
      scheduler.start(action.name, work, { timeout: 30_000 });
    });
  }
}

type Needs = Parameters<typeof listMember.add>[0];
type Action = (needs: Needs, of: list.Found, email: string, random: Random) => Promise<unknown>;

const metadata = (random: Random): Record<string, string> =>
  random.chance(0.5)
    ? {}
    : {
        [random.pick([
          'signed_up',
          'renewal',
        ])]: `2030-03-0${random.between(1, 9)}T12:${random.between(10, 40)}`,
      };

const member = (needs: Needs, of: list.Found, email: string) =>
  listMember.find(needs, of.organization_id, recipient.memberId(of.id, recipient.hashOf(email)));

const ACTIONS: Action[] = [
  function add(needs, of, email, random) {
    const form = { email_list_id: of.id, email, is_subscribed: true, metadata: metadata(random) };
    return listMember.add(needs, of.organization_id, form);
  },
  function upsert(needs, of, email, random) {
    return listMember.upsertAll(needs, of, [{ email, ...metadata(random) }]);
  },
  async function toggle(needs, of, email, random) {
    return listMember.change(needs, await member(needs, of, email), { is_subscribed: random.chance(0.5) });
  },
  async function edit(needs, of, email, random) {
    return listMember.change(needs, await member(needs, of, email), { metadata: metadata(random) });
  },
  async function remove(needs, of, email) {
    return listMember.remove(needs, await member(needs, of, email));
  },
  function erase(needs, of, email) {
    return recipient.erase(needs, of.organization_id, email);
  },
];
