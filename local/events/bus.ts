import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import type { Calls } from '../sources/calls.ts';
import { filterOf } from '../sources/filter.ts';
import type { QueueSender } from '../sources/queues.ts';
import { busName, refOf } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import { ACCOUNT, type Resolver } from '../template/resolver.ts';
import type { EventLog, StoredEvent } from './log.ts';

/** An event that was put on a bus. */
export type BusEvent = StoredEvent & { id: string };

export type Bus = ReturnType<typeof createBus>;

/** That of each account, which AWS's own services put their events on. */
export const DEFAULT_BUS = 'default';

type Place = {
  region: string;
  now: () => number;
  events: EventLog;
  calls: Pick<Calls, 'call'>;
  send: QueueSender;
};
type Target = { pool: Pool } | { queue: string; isGrouped: boolean };
type Rule = { bus: string; matches: (event: object) => boolean; targets: Target[] };

/** The event buses of the template, with the rules that match patterns. */
export function createBus(
  resolver: Resolver,
  pools: Map<string, Pool>,
  { region, now, events, calls, send }: Place,
) {
  const own = readAll(resolver, 'AWS::Events::EventBus').map(({ resource }) => busName(resource));
  const names = [DEFAULT_BUS, ...own];
  const rules = rulesOf(resolver, pools);

  return {
    /**
     * Takes an event, if its bus exists. Sends it to the queues of the rules that it matches, and begins to invoke their
     * functions.
     */
    async put(event: BusEvent) {
      if (!names.includes(event.bus)) return false;
      events.keep(event);
      const envelope = envelopeOf(event, region);
      const matching = rules.filter(({ bus, matches }) => bus === event.bus && matches(envelope));
      for (const target of matching.flatMap(({ targets }) => targets)) {
        if ('pool' in target) void calls.call(target.pool, envelope, now());
        else await send(target.queue, region, envelope, target.isGrouped ? groupOf(event) : undefined);
      }
      return true;
    },
  };
}

function rulesOf(resolver: Resolver, pools: Map<string, Pool>): Rule[] {
  return readAll(resolver, 'AWS::Events::Rule').flatMap(({ resource, properties }) => {
    const { EventPattern, EventBusName = DEFAULT_BUS, Targets } = properties;
    if (EventPattern === undefined) return [];
    return {
      bus: EventBusName,
      matches: filterOf([JSON.stringify(EventPattern)], refOf(resource)),
      targets: Targets.map(({ Arn, SqsParameters }) =>
        Arn.startsWith('arn:aws:sqs:')
          ? { queue: Arn, isGrouped: SqsParameters !== undefined }
          : { pool: poolByUri(Arn, pools) },
      ),
    };
  });
}

/** The group of its message, by the one path that templates may have. */
const groupOf = ({ detail }: BusEvent) =>
  'group' in detail && typeof detail.group === 'string' ? detail.group : undefined;

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html
const envelopeOf = ({ id, source, detailType, detail, at }: BusEvent, region: string) => ({
  version: '0',
  id,
  'detail-type': detailType,
  source,
  account: ACCOUNT,
  time: at.replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [],
  detail,
});
