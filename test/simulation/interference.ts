import * as safeguards from '#core/organization/safeguards.ts';
import { parseBatchId } from '#core/sending/batch/batch.store.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import { ACTIONS, type Context, SWITCHES, type Switching } from './actions.ts';
import { WHILE_IT_IS_SENT } from './broadcasts.ts';
import type { Environment } from './environment.ts';
import type * as made from './organizations.ts';
import type { Accepted } from './provider.ts';
import type { Random } from './random.ts';
import type { Process } from './scheduler.ts';
import { OF_SEQUENCES } from './sequences.ts';
import { hashOf, isBroadcast, sendsIn } from './stored.ts';
import type { Change } from './table/store.ts';
import { timeChange } from './time-actions.ts';
import { needsOf, refusable } from './users.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A moment between reading something and writing what was decided by it. */
type Moment =
  | 'a sweep begins'
  | 'a sweep has read'
  | 'a pack is queued'
  | 'an email is claimed'
  | 'a batch begins'
  | 'an email is accepted'
  | 'a batch ends';

/** As far as that is known. */
type About = { organization: number; list?: string; automation?: string; hash?: string };

/** Called when the interference begins: at the first change of a transaction, not all of its items are stored yet. */
type Subject = (random: Random) => About;

type Act = (context: Context) => Promise<unknown>;
type Subjects = Omit<Context, 'needs'> & { isOfBroadcast: boolean; isOfStep: boolean };

const named = (name: string): Act => {
  const action = ACTIONS.find(([, { name: known }]) => known === name)?.[1].run;
  if (!action) throw new Error(`Nobody does ${name}`);
  return action;
};

const OF_MEMBER = ['edit', 'unsubscribe', 'remove', 'erase', 'complain'];
const OF_CONFIGURATION = ['editAutomation', 'changeSafeguards', 'removeKey'];

const ACTIONS_AT: Record<Moment, string[]> = {
  'a sweep begins': [...OF_MEMBER, ...OF_CONFIGURATION],
  'a sweep has read': [...OF_MEMBER, ...OF_CONFIGURATION, 'resubscribe'],
  'a pack is queued': [...OF_MEMBER, ...OF_CONFIGURATION],
  'an email is claimed': [...OF_MEMBER, ...OF_CONFIGURATION],
  'a batch begins': [...OF_MEMBER, ...OF_CONFIGURATION],
  'an email is accepted': [...OF_MEMBER, 'resubscribe'],
  'a batch ends': ['sendAgain', 'sendAgain', ...OF_MEMBER, 'changeSafeguards'],
};
/** What is switched off, and on again later. */
const SWITCHED: Switching[] = [
  ...SWITCHES,
  async ({ needs, of }, enabled) => safeguards.change(needs, of.id, { enabled }),
];
const MOMENTS = Object.keys(ACTIONS_AT) as Moment[];
// At later moments, a switch does not change any decision.
const SWITCHED_AT: Moment[] = MOMENTS.slice(0, 5);

/** Users and the provider act at the most critical moments, some of them a little later. */
export function interfere(environment: Environment, model: made.Model): void {
  const { scheduler, store, provider, random, faults, moments } = environment;
  const dice = random.fork('interference');
  if (dice.chance(0.3)) return;
  const left = new Map(MOMENTS.map(moment => [moment, dice.pick([0, 1, 2, 4])]));
  left.set('an email is claimed', dice.pick([0, 2, 5, 20]));
  const chance = dice.pick([0.05, 0.2, 0.5]);
  const people = new Map(model.people.map(email => [hashOf(email), email]));
  const anyOrganization: Subject = ({ pick }) => ({ organization: pick(model.organizations).id });
  let acted = 0;

  const happens = (moment: Moment, subject: Subject = anyOrganization): void => {
    const count = left.get(moment) ?? 0;
    if (faults.isOver || count === 0 || !dice.chance(chance)) return;
    left.set(moment, count - 1);
    const fork = dice.fork(`${moment} ${++acted}`);
    // Before any response arrives, or while several do.
    scheduler.after(fork.pick([0, 0, fork.int(30), fork.int(2 * SECOND), fork.int(30 * SECOND)]), () => {
      const context = contextOf(subject(fork), fork);
      if (context && !faults.isOver) begin(moment, context, fork);
    });
  };

  const contextOf = ({ organization, list, automation, hash = '' }: About, fork: Random) => {
    const found = model.organizations.find(({ id }) => id === organization);
    const email = people.get(hash);
    return (
      found && {
        environment,
        random: fork,
        model: { ...model, ...(email !== undefined && { people: [email] }) },
        of: { ...found, ...(list && { lists: [list] }), ...(automation && { automations: [automation] }) },
        isOfBroadcast: isBroadcast(automation ?? ''),
        isOfStep: automation !== undefined && !found.automations.includes(automation),
      }
    );
  };

  const begin = (moment: Moment, { isOfBroadcast, isOfStep, ...context }: Subjects, fork: Random): void => {
    // Either atomically, or as a request that takes time and may fail.
    const isAtOnce = fork.chance(0.6);
    const start = (name: string, act: Act) => {
      const work = (process: Process) => {
        const needs = needsOf(environment, process);
        if (isAtOnce) needs.table = environment.stillTable;
        return refusable(() => act({ ...context, needs }));
      };
      scheduler.start(`${name} as ${moment}`, work, { timeout: 30 * SECOND });
    };
    if ((isOfBroadcast || isOfStep) && fork.chance(0.4)) {
      const { name, act } = fork.weighted(isOfBroadcast ? WHILE_IT_IS_SENT : OF_SEQUENCES);
      start(name, act);
      return;
    }
    if (SWITCHED_AT.includes(moment) && fork.chance(0.4)) {
      const change = fork.pick(SWITCHED);
      // The actions for off and on must pick the same item.
      const switched = (active: boolean) => (context: Context) =>
        change({ ...context, random: fork.fork('switch') }, active);
      const isOn = fork.chance(0.8);
      start('switch', switched(!isOn));
      const later = fork.int(fork.pick([20, 10 * SECOND, 3 * MINUTE]));
      scheduler.after(later, () => start('switch back', switched(isOn)));
      return;
    }
    const dice = fork.fork('times');
    if (context.of.times && SWITCHED_AT.includes(moment) && dice.chance(0.3)) {
      const [name, change] = timeChange({ ...context, random: dice });
      start(name, ({ needs }) => change(needs));
      return;
    }
    const name = fork.pick(ACTIONS_AT[moment]);
    start(name, named(name));
  };

  moments.onSweep = () => happens('a sweep begins');
  moments.onPack = ({ organization, sources, people }) =>
    happens('a pack is queued', ({ pick }) => {
      const [hash, dues] = pick(people);
      return { organization, hash, ...sources[pick(dues)[0]] };
    });
  provider.onAccepted(email => {
    const claimed = claimedBy(email);
    happens('an email is accepted', () => claimed);
    if (!faults.isOver && !provider.rejected.has(email.send) && dice.chance(TOLD_AT_ONCE)) {
      tell(environment, email, claimed, dice.fork(`event of ${email.send}`));
    }
  });
  store.onChange(shard => {
    const change = store.shards[shard]?.at(-1);
    const found = change && momentOf(environment, change);
    if (found) happens(...found);
  });
}

const TOLD_AT_ONCE = 0.02;

/** The provider reports events of an email before the sender has its response. */
function tell(
  { scheduler, tableFor }: Environment,
  { send }: Accepted,
  { organization, list: id }: ReturnType<typeof claimedBy>,
  random: Random,
): void {
  const meaning = random.pick(['accepted', 'hard', 'soft', 'complaint', 'unsubscribed'] as const);
  const apply = (process: Process) => {
    const needs = { table: tableFor(process), now: scheduler.clockOf(process) };
    return applyEvent(needs, { organization, id }, { meaning, send, reason: 'mailbox full' });
  };
  scheduler.after(0, () => scheduler.start(`${meaning} at once`, apply));
}

function claimedBy({ key, to }: Accepted) {
  const [, organization, list = ''] = /^key-(\d+)-(\w+)-/.exec(key) ?? [];
  return { organization: Number(organization), list, hash: hashOf(to) };
}

function momentOf(
  { store }: Environment,
  { key: { PK, SK }, before, after }: Change,
): [Moment, Subject?] | undefined {
  if (PK.startsWith('SWEEP#') && SK === 'STATE' && after?.until && after.holder !== before?.holder) {
    return ['a sweep has read'];
  }
  const [, number, hash = ''] = PK.split('#');
  const organization = Number(number);
  if (SK.startsWith('J#') && !before && after?.type === 'send') {
    const [list, automation] = [String(after.list_id), String(after.automation_id)];
    return ['an email is claimed', () => ({ organization, hash, list, automation })];
  }
  if (!PK.endsWith('#LOG') || after?.type !== 'batch') return undefined;
  const anyEmail: Subject = ({ pick }) => {
    const manifest = store.read({ PK, SK: `${SK}#M` }, true);
    const { list, automation } = parseBatchId(SK);
    return { organization, list, automation, ...(manifest && { hash: pick(sendsIn(manifest)).hash }) };
  };
  if (!before && after.state === 'posting') return ['a batch begins', anyEmail];
  return before?.state === 'posting' && after.state !== 'posting' ? ['a batch ends', anyEmail] : undefined;
}
