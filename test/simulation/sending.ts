import type { Vault } from '#core/list/sending-key.ts';
import { PURGE_AFTER, planOf, round } from '#core/operations/purge.ts';
import { backfill } from '#core/sending/backfill.ts';
import { deliver, handleDeadPack } from '#core/sending/delivery/delivery.ts';
import type { Needs } from '#core/sending/delivery/release.ts';
import { type Pack, readPack } from '#core/sending/pack.ts';
import { applyEarlyEvents } from '#core/sending/provider-event.ts';
import { sweep, sweepAll } from '#core/sending/sweep/sweep.ts';
import { project } from '#core/storage/projection.ts';
import type { Asked } from '#core/storage/purge-request.ts';
import { purgeAnswers } from '#functions/http/idempotency.ts';
import { NotConnected } from '#functions/providers/connection.ts';
import { createMailgun } from '#functions/providers/mailgun/mailgun.ts';
import type { Request } from '#functions/providers/mailgun/request.ts';
import { contributionOf, isOfKind } from '#functions/stream/contributions.ts';
import { memberStored, openBatch, purgeAsked } from '#functions/stream/records.ts';
import { MAILBOX_NAMES } from '#shared/mailbox.ts';
import { domainsAt, trackingAt } from '../support/domains.ts';
import { projecting } from '../support/projecting.ts';
import { DueMinutes } from './due-minutes.ts';
import type { Environment } from './environment.ts';
import { consume, everyMinute, follow } from './functions.ts';
import type { Model } from './organizations.ts';
import { messageInForm, Refused } from './provider.ts';
import { Queue } from './queue.ts';
import { isMistake, type Process } from './scheduler.ts';
import { sesOf } from './ses.ts';
import { recordOf } from './table/record.ts';
import type { Change } from './table/store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

// The timeouts of the functions, and how much of that is reserved for the end.
const TIMEOUT = MINUTE;
const SWEEP_SPARE = 20 * SECOND;
const PURGE_TIMEOUT = 5 * MINUTE;
const PURGE_SPARE = MINUTE;
const VISIBILITY = 6 * MINUTE;
const MOST_RECEIVES = 5;
const CONCURRENCY = 4;
/** Only young packs are duplicated: each copy of a pack that waits for long queues itself again and again. */
const isYoung = ({ attempt = 0 }: Pack) => attempt < 3;

export const PUBLIC_URL = 'https://mail.example.com';
export const TRACKING_KEY = 'a key that signs';

const sealed = (context: Record<string, string>) => `${JSON.stringify(context)} `;

/** A vault that opens a sealed text only in the context in which it was sealed. */
export const VAULT: Vault = {
  seal: async (text, context) => sealed(context) + text,
  open: async (text, context) => {
    if (!text.startsWith(sealed(context))) throw new Error('Sealed in another context');
    return text.slice(sealed(context).length);
  },
};

type Stoppable = 'sweep' | 'sender' | 'dispatcher' | 'projector';
export type Outage = { from: number; until: number; functions: Stoppable[] };

/**
 * The sweep, the sender, the handler of dead packs, the dispatcher, the projector and the purge, with their queues and a
 * stream. What falls due after `until` is not swept.
 */
export function runSending(environment: Environment, until: number, outages: Outage[], part: Part) {
  const { scheduler, random, faults } = environment;
  const deadLetters = new Queue(scheduler, random.fork('dead'), {
    name: 'dead',
    visibilityTimeout: VISIBILITY,
  });
  const queue = new Queue(scheduler, random.fork('queue'), {
    name: 'packs',
    visibilityTimeout: VISIBILITY,
    maxReceiveCount: MOST_RECEIVES,
    deadLetters,
    isDoubled: body => isYoung(readPack(body)) && faults.happens('message twice'),
    isShared: () => faults.happens('message to two'),
    isLate: () => faults.happens('message late'),
  });
  environment.queued.send = (process, pack, seconds) => send(environment, queue, process, pack, seconds);
  const isDown = (name: Stoppable) => {
    const now = scheduler.now().getTime();
    return outages.some(
      ({ from, until, functions }) => from <= now && now < until && functions.includes(name),
    );
  };
  for (const { until } of outages) scheduler.at(until, () => queue.wake());
  const isSwept = () => isSweptUntil(environment, until);
  runSweep(
    environment,
    queue,
    part,
    () => isDown('sweep') || (scheduler.now().getTime() > until && isSwept()),
  );
  consume(scheduler, queue, {
    name: 'sender',
    most: 1,
    concurrency: CONCURRENCY,
    isDown: () => isDown('sender'),
    handle: async (process, [message]) => {
      if (message) await deliver(sendingNeeds(environment, queue, process), readPack(message.body));
      return [];
    },
  });
  consume(scheduler, deadLetters, {
    name: 'dead packs',
    most: 1,
    concurrency: 1,
    handle: async (process, [message]) => {
      if (message) await handleDeadPack(sendingNeeds(environment, queue, process), readPack(message.body));
      return [];
    },
  });
  const purges = purgesOf(environment);
  const readers = [
    runProjector(environment, () => isDown('projector')),
    runDispatcher(environment, queue, purges, () => isDown('dispatcher')),
  ];
  const isEmpty = () => [queue, deadLetters, purges].every(({ size }) => size === 0);
  return { isIdle: () => isSwept() && isEmpty() && readers.every(reader => reader.isCurrent()) };
}

/** Whether all that is due before an instant is queued, in every shard. */
function isSweptUntil({ store }: Environment, until: number): boolean {
  const items = [...store.all()].filter(({ PK }) => String(PK).startsWith('SWEEP#'));
  const begins = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const states = begins('STATE');
  return (
    states.length === begins('SHARD#').length + 1 &&
    states.every(({ swept_minute }) => Date.parse(String(swept_minute)) + MINUTE >= until) &&
    begins('BEHIND#').length === 0 &&
    // What people who were there get by a later step may go days after the end.
    items.every(
      ({ SK, existing, due }) =>
        existing === undefined || (!String(SK).includes('#B') && Date.parse(String(due)) + MINUTE > until),
    )
  );
}

/** The part of a turn in a run: the usual one, or much less than is due at once. */
type Part = 'usual' | { rows: number; due: number };
const PARTS: Part[] = ['usual', { rows: 1, due: 1 }, { rows: 120, due: 3 }];
/** A crowd whose people wait for a day in a pack each would keep a run busy for an hour. */
export const partIn = ({ random }: Environment, { isCrowded }: Model): Part =>
  random.fork('parts').pick(isCrowded ? PARTS.filter(part => part === 'usual' || part.due > 1) : PARTS);
/** The longest pause of a process that continues afterwards. */
export const LONGEST_PAUSE = 20 * MINUTE;

/** Kills a process at its timeout, or pauses it for a while. Returns a function that tells the remaining time. */
function limited({ scheduler, random }: Environment, process: Process, isPaused: boolean): () => number {
  const end = scheduler.now().getTime() + TIMEOUT;
  const timeLeft = () => end - scheduler.now().getTime();
  if (!isPaused) {
    scheduler.after(TIMEOUT, () => scheduler.kill(process));
    return timeLeft;
  }
  const dice = random.fork(process.name);
  const pause = dice.int(dice.pick([MINUTE, 3 * MINUTE, LONGEST_PAUSE]));
  scheduler.after(dice.int(dice.pick([300, 3 * SECOND])), () => {
    process.stalledUntil = scheduler.now().getTime() + pause;
  });
  if (dice.chance(0.5)) return timeLeft;
  // Its clock was paused as well.
  return () => timeLeft() + pause;
}

function runSweep(environment: Environment, queue: Queue, part: Part, isDown: () => boolean): void {
  const { scheduler, faults, store, random, tableFor } = environment;
  const due = new DueMinutes(store);
  const dice = random.fork('sweeps');
  const needsOf = (process: Process) => {
    const timeLeft = limited(environment, process, faults.happens('sweep paused'));
    return {
      table: tableFor(process),
      now: scheduler.clockOf(process),
      hasTimeLeft: () => timeLeft() > SWEEP_SPARE,
      queue: async (packs: Pack[]) => {
        for (const pack of packs) await send(environment, queue, process, pack, 0);
      },
      failed: (_: number, error: unknown) => {
        if (isMistake(error)) throw error;
      },
      tooOld: () => {},
      ...(part !== 'usual' && { part }),
    };
  };
  const shards = new Queue(scheduler, random.fork('shards'), {
    name: 'shards',
    visibilityTimeout: VISIBILITY,
    isDoubled: () => faults.happens('message twice'),
    isLate: () => faults.happens('message late'),
  });
  consume(scheduler, shards, {
    name: 'sweep of a shard',
    most: 1,
    concurrency: CONCURRENCY,
    isDown,
    handle: async (process, [message]) => {
      if (message) await sweep(needsOf(process), Number(message.body));
      return [];
    },
  });
  everyMinute(
    scheduler,
    {
      // If nothing was due in the minutes since the last sweep, a sweep can be left out: the next one finds the same.
      isMissed: () =>
        isDown() ||
        !(faults.isOver || due.isNear(scheduler.now()) || dice.chance(0.01)) ||
        faults.happens('sweep missed'),
      isDoubled: () => faults.happens('sweep twice'),
    },
    () => {
      const sweepOthersOf = (process: Process) => async (others: number[]) => {
        for (const shard of others) {
          await scheduler.effect(process, `sweep shard ${shard}`, () => shards.send(String(shard)));
        }
      };
      environment.moments.onSweep();
      scheduler.start('sweep', process =>
        sweepAll({ ...needsOf(process), sweepOthers: sweepOthersOf(process) }),
      );
    },
  );
}

async function send(
  environment: Environment,
  queue: Queue,
  process: Process,
  pack: Pack,
  seconds: number,
): Promise<void> {
  const { scheduler, faults } = environment;
  const delay = Math.min(Math.ceil(seconds), 900) * SECOND;
  await scheduler.effect(process, `queue ${pack.id} of ${pack.minute} in ${delay / SECOND} s`, () => {
    if (faults.happens('queue refuses')) throw new Error('The queue could not be reached');
    queue.send(JSON.stringify(pack), delay);
    environment.queued.packs.push(pack);
    environment.moments.onPack(pack);
    if (isYoung(pack) && faults.happens('queue loses answer')) throw new Error('The queue did not answer');
  });
}

function sendingNeeds(environment: Environment, queue: Queue, process: Process): Needs {
  const { scheduler, tableFor, faults } = environment;
  return {
    table: tableFor(process),
    now: () => scheduler.clockOf(process),
    holder: process.name,
    timeLeft: limited(environment, process, faults.happens('sender paused')),
    providers: { mailgun: createMailgun(requestOf(environment, process)), ses: sesOf(environment, process) },
    vault: VAULT,
    queue: (pack, seconds) => send(environment, queue, process, pack, seconds),
    publicUrl: PUBLIC_URL,
    trackingKey: () => scheduler.effect(process, 'secret', () => TRACKING_KEY),
    mailboxOf: async email => MAILBOX_NAMES[email.length % MAILBOX_NAMES.length] ?? 'other',
    failed: (_, error) => {
      if (isMistake(error)) throw error;
    },
  };
}

const requestOf =
  ({ provider, scheduler }: Environment, process: Process): Request =>
  async ({ key = '', domain }, form, timeout) => {
    const posting = provider.post(process, messageInForm({ key, domain }, form));
    try {
      const answer = await Promise.race([posting, scheduler.sleep<undefined>(process, timeout)]);
      if (!answer) throw new Error('The provider did not answer in time');
      provider.seen.add(answer);
      const { status, retryAfter, body } = answer;
      return { status, retryAfter: retryAfter === undefined ? null : String(retryAfter), body };
    } catch (error) {
      throw error instanceof Refused ? new NotConnected('Refused', { cause: error }) : error;
    }
  };

/** Matches what the filters of the projector's event source match. */
const isCounted = (change: Change) =>
  isOfKind(recordOf(change)) &&
  (!change.key.PK.endsWith('#VALUE') || change.before === undefined) &&
  (!change.key.SK.startsWith('J#') || (change.before !== undefined && change.after?.type === 'send'));

const streamFaults = ({ faults }: Environment) => ({
  isRedelivered: () => faults.happens('record twice'),
  isDoubled: () => faults.happens('record at once'),
  isSplit: () => faults.happens('shard splits'),
});

function runProjector(environment: Environment, isDown: () => boolean) {
  const { scheduler, store, random, tableFor } = environment;
  return follow(scheduler, store, {
    name: 'projector',
    most: 20,
    timeout: MINUTE,
    random: random.fork('stream'),
    isDown,
    ...streamFaults(environment),
    wants: isCounted,
    handle: async (process, shard, changes) => {
      const needs = { table: tableFor(process), now: scheduler.clockOf(process) };
      await project(
        { ...projecting, ...needs },
        shard,
        changes.map(recordOf).map(record => contributionOf(record)),
      );
    },
  });
}

/** Matches what the filters of the dispatcher's event source match. */
const isDispatched = ({ key, after }: Change) =>
  (key.SK.startsWith('IN#') && after !== undefined) ||
  (key.PK === 'PURGE' && after !== undefined) ||
  (after?.type === 'batch' && after.state !== 'posting');

function runDispatcher(environment: Environment, queue: Queue, purges: Queue, isDown: () => boolean) {
  const { scheduler, store, random, tableFor } = environment;
  return follow(scheduler, store, {
    name: 'dispatcher',
    most: 20,
    timeout: MINUTE,
    random: random.fork('dispatcher'),
    isDown,
    ...streamFaults(environment),
    wants: isDispatched,
    handle: async (process, _, changes) => {
      const queueAll = async (packs: Pack[]) => {
        for (const pack of packs) await send(environment, queue, process, pack, 0);
      };
      const needs = { table: tableFor(process), now: scheduler.clockOf(process), queue: queueAll };
      const records = changes.map(recordOf);
      for (const asked of records.flatMap(purgeAsked)) {
        const message = JSON.stringify(asked);
        await scheduler.effect(process, 'queue purge', () => purges.send(message, PURGE_AFTER * SECOND));
      }
      await backfill(needs, records.flatMap(memberStored));
      for (const { organization, batch } of records.flatMap(openBatch)) {
        await applyEarlyEvents(needs, organization, batch);
      }
    },
  });
}

function purgesOf(environment: Environment): Queue {
  const { scheduler, random, faults, tableFor } = environment;
  const queue = new Queue(scheduler, random.fork('purges'), {
    name: 'purges',
    visibilityTimeout: 6 * PURGE_TIMEOUT,
    isDoubled: () => faults.happens('message twice'),
    isShared: () => faults.happens('message to two'),
    isLate: () => faults.happens('message late'),
  });
  const objects = { remove: async () => {}, deletePage: async () => false };
  const { domains } = domainsAt();
  const { trackingDomains } = trackingAt();
  consume(scheduler, queue, {
    name: 'purge',
    most: 1,
    concurrency: 2,
    timeout: PURGE_TIMEOUT,
    handle: async (process, [message]) => {
      if (!message) return [];
      const table = tableFor(process);
      const now = () => scheduler.clockOf(process);
      const end = scheduler.now().getTime() + PURGE_TIMEOUT - PURGE_SPARE;
      const needs = {
        table,
        hasTimeLeft: () => scheduler.now().getTime() < end,
        queue: (asked: Asked) =>
          scheduler.effect(process, 'queue purge again', () => queue.send(JSON.stringify(asked))),
      };
      await round(needs, JSON.parse(message.body), job =>
        planOf({ table, objects, now, purgeAnswers, domains, trackingDomains }, job),
      );
      return [];
    },
  });
  return queue;
}
