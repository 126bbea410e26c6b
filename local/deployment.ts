import { createAccess } from './access/access.ts';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import { createEdge } from './edge/edge.ts';
import { fileServer } from './edge/files.ts';
import type { Endpoints } from './endpoints.ts';
import type { Engines } from './engines/start.ts';
import { createBus } from './events/bus.ts';
import type { EventLog } from './events/log.ts';
import { deploy, isOurs } from './functions/deploy.ts';
import type { Logs } from './functions/logs.ts';
import { createPool, type Pool } from './functions/pool.ts';
import { createGateway } from './gateway/gateway.ts';
import { createKeys } from './kms/keys.ts';
import type { Meter } from './meter.ts';
import type { ObjectStore } from './objects/store.ts';
import { provision } from './provision.ts';
import { createSecrets } from './secrets.ts';
import { readConfigurationSets } from './ses/configuration-sets.ts';
import { createCalls } from './sources/calls.ts';
import type { PendingCalls } from './sources/pending-calls.ts';
import type { Positions } from './sources/positions.ts';
import { queueSender, queueSources } from './sources/queues.ts';
import { createSchedules } from './sources/schedules.ts';
import { streamSources } from './sources/streams.ts';
import { HOME_REGION, type Stack } from './template/assembly.ts';
import { functionName, identify, refOf, tableName } from './template/identity.ts';
import { read, readAll, refuseUnknown } from './template/read.ts';
import { ACCOUNT, type Resolver, resolver } from './template/resolver.ts';

/** What does not depend on the templates, and survives a new deployment. */
export type Ground = {
  url: string;
  dataDir: string;
  pages: string;
  webhookLoopback: boolean;
  mostProcesses: () => number;
  patience: number;
  engines: Engines;
  endpoints: Endpoints;
  objects: ObjectStore;
  clock: Clock;
  positions: Positions;
  pending: PendingCalls;
  meter: Meter;
  logs: Logs;
  events: EventLog;
  activity: Activity;
  /** Whether a host is a tracking domain. */
  isTracking: (host: string) => boolean;
};

export type Deployment = Awaited<ReturnType<typeof deployTemplates>>;

/** Runs the templates of one assembly. */
export async function deployTemplates(stacks: Stack[], ground: Ground) {
  const { endpoints, clock, meter, logs } = ground;
  const resolverFor = (caller: string): Resolver =>
    resolver(stacks, {
      identify: (resource, attribute) =>
        identify(resource, attribute, queue => `${endpoints.urlOf(caller, 'sqs')}/${ACCOUNT}/${queue}`),
      secret: arn => secrets.get(arn),
    });
  const resolved = resolverFor('stack');
  const secrets = createSecrets(ground.dataDir, readAll(resolved, 'AWS::SecretsManager::Secret'));
  refuseUnknown(resolved.resources);
  await provision(resolved, ground.engines, ground.objects);

  const here = { publicUrl: ground.url, webhookLoopback: ground.webhookLoopback };
  const pools = new Map<string, Pool>();
  const functions = resolved.resources.filter(isOurs);
  let trackingTarget: string | undefined;
  for (const resource of functions) {
    const name = functionName(resource);
    const properties = read(resolverFor(name), 'AWS::Lambda::Function', resource);
    trackingTarget ??= properties.Environment.Variables.TRACKING_TARGET;
    const { entry, reserved, launch } = deploy(resource, properties, here, endpoints);
    pools.set(
      name,
      createPool({
        entry,
        mostAtOnce: () => Math.min(reserved, ground.mostProcesses()),
        launch,
        patience: ground.patience,
        offset: clock.offset,
        invoked() {
          clock.save();
          meter.lambda();
          return ground.activity.begin();
        },
        failed: logs.failed,
        log: line => logs.take(entry, line),
      }),
    );
  }

  const gateway = createGateway(resolved, pools, clock);
  const place = { ...ground, failed: logs.failed };
  const queues = queueSources(resolved, pools, place);
  const send = queueSender(ground.engines, clock, () => {
    for (const source of queues) source.wake();
  });
  const calls = createCalls(resolved, pools, { ...place, send, region: HOME_REGION });
  const streams = streamSources(resolved, pools, { ...place, send });
  const sources = [...queues, ...streams, calls];
  return {
    edge: createEdge(resolved, {
      gateway,
      pages: fileServer(ground.pages),
      objects: ground.objects,
      isTracking: ground.isTracking,
    }),
    trackingTarget,
    secrets,
    keys: createKeys(
      ground.dataDir,
      readAll(resolved, 'AWS::KMS::Key').map(({ resource }) => ({
        id: refOf(resource),
        arn: identify(resource, 'Arn', String),
      })),
    ),
    access: createAccess(resolved, functions),
    bus: createBus(resolved, pools, {
      region: HOME_REGION,
      now: clock.now,
      events: ground.events,
      calls,
      send,
    }),
    configurationSets: readConfigurationSets(resolved),
    tables: readAll(resolved, 'AWS::DynamoDB::Table').map(({ resource }) => tableName(resource)),
    pools: [...pools.values()],
    queues,
    streams,
    sources,
    schedules: createSchedules(resolved, pools, calls, () => meter.read().dynamodb.write_units),
    /** Closes it when the requests in progress have been answered. */
    retire() {
      for (const source of sources) source.close();
      for (const pool of pools.values()) pool.retire();
    },
    close() {
      for (const source of sources) source.close();
      for (const pool of pools.values()) pool.close();
    },
  };
}
