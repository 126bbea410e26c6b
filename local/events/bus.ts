import { createActivity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { messageOf } from '../mistake.ts';
import { filterOf } from '../sources/filter.ts';
import { pauseAfter, retries } from '../sources/retries.ts';
import type { Source } from '../sources/source.ts';
import { ACCOUNT, busName, refOf } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { EventLog } from './log.ts';

/** An event that somebody told. */
export type Told = {
  id: string;
  bus: string;
  source: string;
  detailType: string;
  detail: object;
  resources: string[];
  at: string;
};

export type Bus = Source & {
  /** Takes an event, if the bus it names exists; who listens is called later. */
  put: (event: Told) => boolean;
};

type Place = {
  engines: Engines;
  clock: Clock;
  region: string;
  told: EventLog;
  /** Something was put into a queue. */
  queued: () => void;
  failed: (sentence: string) => void;
};
type Target = { name: string; retries: number; hand: (event: object) => Promise<boolean> };
type Rule = { bus: string; hears: (event: object) => boolean; targets: Target[] };
type Delivery = { target: Target; event: object; attempt: number; at: number };

const DEFAULT_BUS = 'default';

/** The name of a bus that is given by its name, by its ARN, or not at all. */
export const busOf = (nameOrArn = DEFAULT_BUS) => nameOrArn.split('/').at(-1) ?? DEFAULT_BUS;

/** The event buses of the template and the rules that listen to them. It sleeps until it is told something. */
export function createBus(resolver: Resolver, pools: Map<string, Pool>, place: Place): Bus {
  const { clock, told, failed } = place;
  const names = [
    DEFAULT_BUS,
    ...readAll(resolver, 'AWS::Events::EventBus').map(({ resource }) => busName(resource)),
  ];
  const rules = listeningRules(resolver, pools, place);
  const working = createActivity();
  let waiting: Delivery[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function put(event: Told): boolean {
    if (!names.includes(event.bus)) return false;
    told.keep(event);
    const envelope = envelopeOf(event, place.region);
    const listening = rules.filter(({ bus, hears }) => bus === event.bus && hears(envelope));
    for (const target of listening.flatMap(({ targets }) => targets)) {
      waiting.push({ target, event: envelope, attempt: 1, at: clock.now() });
    }
    wake();
    return true;
  }

  function wake(): void {
    clearTimeout(timer);
    if (closed) return;
    const due = waiting.filter(({ at }) => at <= clock.now());
    waiting = waiting.filter(({ at }) => at > clock.now());
    for (const delivery of due) void deliver(delivery, working.begin());
    if (waiting.length === 0) return;
    timer = setTimeout(wake, Math.max(nextAt() - clock.now(), 0) + 1);
    timer.unref();
  }

  const nextAt = () => Math.min(Number.POSITIVE_INFINITY, ...waiting.map(({ at }) => at));

  async function deliver({ target, event, attempt }: Delivery, end: () => void): Promise<void> {
    const taken = await target.hand(event);
    if (!taken && !closed) {
      const at = clock.now() + pauseAfter(attempt);
      if (attempt <= target.retries) waiting.push({ target, event, attempt: attempt + 1, at });
      else failed(`${target.name} gave up an event after ${attempt} tries`);
      wake();
    }
    end();
  }

  const forget = clock.onMove(() => {
    if (nextAt() <= clock.now()) wake();
  });

  return {
    reads: 'bus',
    put,
    wake,
    busy: working.busy,
    settle: working.idle,
    close() {
      closed = true;
      forget();
      clearTimeout(timer);
    },
  };
}

function listeningRules(resolver: Resolver, pools: Map<string, Pool>, place: Place): Rule[] {
  const retriesOf = retries(resolver, pools);
  return readAll(resolver, 'AWS::Events::Rule')
    .filter(({ properties }) => properties.EventPattern && properties.State !== 'DISABLED')
    .map(({ resource, properties: { EventPattern, EventBusName, Targets } }) => ({
      bus: busOf(EventBusName),
      hears: filterOf({ Filters: [{ Pattern: JSON.stringify(EventPattern) }] }, refOf(resource)),
      targets: Targets.map(({ Arn, Input }): Target => {
        const given = (event: object) => (Input === undefined ? event : (JSON.parse(Input) as object));
        const queue = /^arn:aws:sqs:[^:]*:[^:]*:(.+)$/.exec(Arn)?.[1];
        if (queue) return toQueue(queue, resource.stack.region, given, place);
        const pool = poolByUri(Arn, pools);
        return {
          name: pool.entry,
          retries: retriesOf(pool),
          hand: async event => !('failure' in (await pool.invoke(given(event)))),
        };
      }),
    }));
}

function toQueue(
  name: string,
  region: string,
  given: (event: object) => object,
  { engines, clock, queued, failed }: Place,
): Target {
  const QueueUrl = `${engines.queues}/${ACCOUNT}/${name}`;
  return {
    name,
    retries: 0,
    async hand(event) {
      try {
        await clock.told();
        const MessageBody = JSON.stringify(given(event));
        await call(engines.queues, 'AmazonSQS.SendMessage', { QueueUrl, MessageBody }, region);
        queued();
        return true;
      } catch (error) {
        failed(`The queue ${name} does not answer: ${messageOf(error)}`);
        return false;
      }
    },
  };
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html
const envelopeOf = ({ id, source, detailType, detail, resources, at }: Told, region: string) => ({
  version: '0',
  id,
  'detail-type': detailType,
  source,
  account: ACCOUNT,
  time: at.replace(/\.\d+Z$/, 'Z'),
  region,
  resources,
  detail,
});
