import type { Access, Vault } from '../../functions/core/list/list/list.ts';
import { bury, deliver, type Needs } from '../../functions/core/sending/delivery/delivery.ts';
import type { Answer, Message } from '../../functions/core/sending/delivery/post.ts';
import { enqueueNewlyDue } from '../../functions/core/sending/newly-due/newly-due.ts';
import { type Pack, readPack } from '../../functions/core/sending/pack/pack.ts';
import { sweep, sweepAll } from '../../functions/core/sending/sweep/sweep.ts';
import { project } from '../../functions/core/storage/projection/projection.ts';
import { memberStored } from '../../functions/dispatcher/dispatcher.record.ts';
import { contributionOf } from '../../functions/projector/projector.kinds.ts';
import { DueMinutes } from './due-minutes.ts';
import { consume, everyMinute, follow } from './functions.ts';
import { Refused, type Answer as Response } from './provider.ts';
import { Queue } from './queue.ts';
import { isMistake, type Process } from './scheduler.ts';
import type { Change } from './table/store.ts';
import { recordOf, type World } from './world.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

// As the functions have them: their timeouts, and how much of them is spare.
const TIMEOUT = MINUTE;
const SWEEP_SPARE = 20 * SECOND;
const SENDER_SPARE = 25 * SECOND;
const VISIBILITY = 6 * MINUTE;
const MOST_RECEIVES = 3;
const CONCURRENCY = 4;
/** Of what waits for long, each copy queues itself again and again: only young packs are doubled. */
const isYoung = ({ attempt = 0 }: Pack) => attempt < 3;
/** How long a sender waits for the provider. */
const PATIENCE = 20 * SECOND;

export const PUBLIC_URL = 'https://mail.example.com';
export const TRACKING_KEY = 'a key that signs';

const sealed = (context: Record<string, string>) => `${JSON.stringify(context)} `;

/** Opens in the context in which it was sealed only. */
export const VAULT: Vault = {
  seal: async (text, context) => sealed(context) + text,
  open: async (text, context) => {
    if (!text.startsWith(sealed(context))) throw new Error('Sealed in another context');
    return text.slice(sealed(context).length);
  },
};

type Stoppable = 'sweep' | 'sender' | 'dispatcher';
export type Outage = { from: number; until: number; functions: Stoppable[] };

/**
 * The sweep, the sender, what ends dead packs, the dispatcher and the projector, with queues and a stream between them. What falls due
 * after `until` is not swept.
 */
export function runSending(world: World, until: number, outages: Outage[]) {
  const { scheduler, random, faults } = world;
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
    isLate: () => faults.happens('message late'),
  });
  const isDown = (name: Stoppable) => {
    const now = scheduler.now().getTime();
    return outages.some(
      ({ from, until, functions }) => from <= now && now < until && functions.includes(name),
    );
  };
  for (const { until } of outages) scheduler.at(until, () => queue.wake());
  const isSwept = () => isSweptUntil(world, until);
  runSweep(world, queue, () => isDown('sweep') || (scheduler.now().getTime() > until && isSwept()));
  consume(scheduler, queue, {
    ...{ name: 'sender', most: 1, concurrency: CONCURRENCY, timeout: TIMEOUT },
    isDown: () => isDown('sender'),
    handle: async (process, [message]) => {
      if (!message) return [];
      await deliver(needsOf(world, queue, process), readPack(message.body), message.receiveCount > 1);
      return [];
    },
  });
  consume(scheduler, deadLetters, {
    ...{ name: 'dead packs', most: 1, concurrency: 1, timeout: TIMEOUT },
    handle: async (process, [message]) => {
      if (message) await bury(needsOf(world, queue, process), readPack(message.body));
      return [];
    },
  });
  const readers = [runProjector(world), runDispatcher(world, queue, () => isDown('dispatcher'))];
  const isEmpty = () => queue.size === 0 && deadLetters.size === 0;
  return { isAtRest: () => isSwept() && isEmpty() && readers.every(reader => reader.isCurrent()) };
}

/** Whether all that is due before an instant is queued, in every shard. */
function isSweptUntil({ store }: World, until: number): boolean {
  const items = [...store.all()].filter(({ PK }) => String(PK).startsWith('SWEEP#'));
  const begins = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const states = begins('STATE');
  return (
    states.length === begins('SHARD#').length + 1 &&
    states.every(({ swept_minute }) => Date.parse(String(swept_minute)) + MINUTE >= until) &&
    begins('BEHIND#').length === 0
  );
}

/** Of a run: the usual part of a turn, or much less than is due at once. */
const PARTS = [undefined, { rows: 1, due: 1 }, { rows: 120, due: 3 }];
/** How long a process may rest that is not killed, and go on then. */
const LONGEST_PAUSE = 6 * MINUTE;

function runSweep(world: World, queue: Queue, isDown: () => boolean): void {
  const { scheduler, faults, store, random, tableFor } = world;
  const due = new DueMinutes(store);
  const dice = random.fork('sweeps');
  const part = dice.pick(PARTS);
  const needsOf = (process: Process) => {
    const isPaused = faults.happens('sweep paused');
    if (isPaused) {
      scheduler.after(dice.int(300), () => {
        process.stalledUntil = scheduler.now().getTime() + dice.int(LONGEST_PAUSE);
      });
    } else scheduler.after(TIMEOUT, () => scheduler.kill(process));
    const hasTime = timeUntil(world, process, SWEEP_SPARE);
    return {
      table: tableFor(process),
      now: scheduler.now(),
      hasTime: isPaused && dice.chance(0.5) ? () => true : hasTime,
      queue: async (packs: Pack[]) => {
        for (const pack of packs) await send(world, queue, process, pack, 0);
      },
      failed: (_: number, error: unknown) => {
        if (isMistake(error)) throw error;
      },
      tooOld: () => {},
      ...(part && { part }),
    };
  };
  const shards = new Queue(scheduler, random.fork('shards'), {
    name: 'shards',
    visibilityTimeout: VISIBILITY,
    isDoubled: () => faults.happens('message twice'),
    isLate: () => faults.happens('message late'),
  });
  consume(scheduler, shards, {
    ...{ name: 'sweep of a shard', most: 1, concurrency: CONCURRENCY, isDown },
    handle: async (process, [message]) => {
      if (message) await sweep(needsOf(process), Number(message.body));
      return [];
    },
  });
  everyMinute(
    scheduler,
    {
      // What is due in no minute since the last sweep, the next one finds as well.
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
      scheduler.start('sweep', process =>
        sweepAll({ ...needsOf(process), sweepOthers: sweepOthersOf(process) }),
      );
    },
  );
}

/** Whether a function has more than the spare of its time left. */
function timeUntil({ scheduler }: World, _: Process, spare: number): () => boolean {
  const end = scheduler.now().getTime() + TIMEOUT - spare;
  return () => scheduler.now().getTime() < end;
}

/** Sends a message. Where the answer is lost, the SDK has sent it again. */
async function send(
  world: World,
  queue: Queue,
  process: Process,
  pack: Pack,
  seconds: number,
): Promise<void> {
  const { scheduler, faults } = world;
  const delay = Math.min(Math.ceil(seconds), 900) * SECOND;
  await scheduler.effect(process, `queue ${pack.id} of ${pack.minute} in ${delay / SECOND} s`, () => {
    if (faults.happens('queue refuses')) throw new Error('The queue could not be reached');
    queue.send(JSON.stringify(pack), delay);
    if (isYoung(pack) && faults.happens('queue loses answer')) throw new Error('The queue did not answer');
  });
}

function needsOf(world: World, queue: Queue, process: Process): Needs {
  const { scheduler, tableFor } = world;
  return {
    table: tableFor(process),
    now: scheduler.now,
    hasTime: timeUntil(world, process, SENDER_SPARE),
    post: (access, message) => post(world, process, access, message),
    vault: VAULT,
    queue: (pack, seconds) => send(world, queue, process, pack, seconds),
    publicUrl: PUBLIC_URL,
    trackingKey: async () => TRACKING_KEY,
  };
}

/** Posts as functions/platform/mailgun.ts does. */
async function post(
  { provider, scheduler }: World,
  process: Process,
  access: Access,
  message: Message,
): Promise<Answer> {
  const { recipients, from, headers } = message;
  const posting = provider.post(process, {
    ...{ key: access.key, domain: access.domain, from, headers, variables: { send: '%recipient.send%' } },
    recipients: Object.fromEntries(recipients.map(({ email, variables }) => [email, variables])),
  });
  try {
    return meaningOf(await Promise.race([posting, scheduler.sleep<undefined>(process, PATIENCE)]));
  } catch (error) {
    return { kind: error instanceof Refused ? 'unreached' : 'unknown' };
  }
}

function meaningOf(response: Response | undefined): Answer {
  if (!response) return { kind: 'unknown' };
  const { status, retryAfter = 30, body } = response;
  if (status === 200) return body?.id ? { kind: 'accepted', id: body.id } : { kind: 'unknown' };
  if (status === 401) return { kind: 'denied' };
  if (status === 429) return { kind: 'throttled', seconds: retryAfter };
  if (status >= 400 && status < 500) return { kind: status === 400 ? 'invalid' : 'refused' };
  return { kind: 'unknown' };
}

/** As the filters of its event source say. */
const isCounted = ({ key, before, after }: Change) =>
  key.SK.startsWith('IN#') || (key.SK.startsWith('J#') && before !== undefined && after?.type === 'send');

function runProjector(world: World) {
  const { scheduler, store, random, faults, tableFor } = world;
  return follow(scheduler, store, {
    ...{ name: 'projector', most: 20, timeout: MINUTE, random: random.fork('stream') },
    isRedelivered: () => faults.happens('record twice'),
    isDoubled: () => faults.happens('record at once'),
    wants: isCounted,
    handle: async (process, shard, changes) => {
      const needs = { table: tableFor(process), now: scheduler.now() };
      await project({ ...needs, publish: async () => {} }, shard, changes.map(recordOf).map(contributionOf));
    },
  });
}

/** As the filters of its event source say, without those of purges. */
const isStored = ({ key, after }: Change) => key.SK.startsWith('IN#') && after !== undefined;

function runDispatcher(world: World, queue: Queue, isDown: () => boolean) {
  const { scheduler, store, random, faults, tableFor } = world;
  return follow(scheduler, store, {
    ...{ name: 'dispatcher', most: 20, timeout: MINUTE, random: random.fork('dispatcher') },
    isDown,
    isRedelivered: () => faults.happens('record twice'),
    isDoubled: () => faults.happens('record at once'),
    wants: isStored,
    handle: async (process, _, changes) => {
      const queueAll = async (packs: Pack[]) => {
        for (const pack of packs) await send(world, queue, process, pack, 0);
      };
      const needs = { table: tableFor(process), now: scheduler.now(), queue: queueAll };
      await enqueueNewlyDue(needs, changes.map(recordOf).flatMap(memberStored));
    },
  });
}
