import type { Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import type { Calls } from '../sources/calls.ts';
import { filterOf } from '../sources/filter.ts';
import { ACCOUNT, busName, refOf } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { EventLog, StoredEvent } from './log.ts';

/** An event that was put on a bus. */
export type BusEvent = StoredEvent & { id: string };

export type Bus = {
  /** Takes an event, if the bus it names exists, and begins to invoke the functions whose rules match it. */
  put: (event: BusEvent) => boolean;
};

type Place = { region: string; now: () => number; events: EventLog; calls: Pick<Calls, 'call'> };
type Rule = { bus: string; matches: (event: object) => boolean; targets: Pool[] };

/** The event buses of the template, with the rules that match patterns. */
export function createBus(
  resolver: Resolver,
  pools: Map<string, Pool>,
  { region, now, events, calls }: Place,
): Bus {
  const names = readAll(resolver, 'AWS::Events::EventBus').map(({ resource }) => busName(resource));
  const rules = rulesOf(resolver, pools);

  return {
    put(event) {
      if (!names.includes(event.bus)) return false;
      events.keep(event);
      const envelope = envelopeOf(event, region);
      const matching = rules.filter(({ bus, matches }) => bus === event.bus && matches(envelope));
      for (const pool of matching.flatMap(({ targets }) => targets)) void calls.call(pool, envelope, now());
      return true;
    },
  };
}

function rulesOf(resolver: Resolver, pools: Map<string, Pool>): Rule[] {
  return readAll(resolver, 'AWS::Events::Rule').flatMap(({ resource, properties }) => {
    const { EventPattern, EventBusName = '', Targets } = properties;
    if (EventPattern === undefined) return [];
    return {
      bus: EventBusName,
      matches: filterOf([JSON.stringify(EventPattern)], refOf(resource)),
      targets: Targets.map(({ Arn }) => poolByUri(Arn, pools)),
    };
  });
}

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
