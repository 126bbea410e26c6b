import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import { createEdge, type Edge } from './edge/edge.ts';
import { builtPages } from './edge/pages.ts';
import type { Endpoints } from './endpoints.ts';
import type { Engines } from './engines/start.ts';
import { type Bus, createBus } from './events/bus.ts';
import type { EventLog } from './events/log.ts';
import { deploy, isOurs } from './functions/deploy.ts';
import type { Logs } from './functions/logs.ts';
import { createPool, type Pool } from './functions/pool.ts';
import { createGateway } from './gateway/gateway.ts';
import { createKeys, type Keys } from './kms/keys.ts';
import type { Meter } from './meter.ts';
import type { ObjectStore } from './objects/store.ts';
import { provision } from './provision.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createPositions } from './sources/positions.ts';
import { queueSources } from './sources/queues.ts';
import { createSchedules, type Schedules } from './sources/schedules.ts';
import type { Source } from './sources/source.ts';
import { streamSources } from './sources/streams.ts';
import type { Stack } from './template/assembly.ts';
import { ACCOUNT, functionName, identify, refOf, tableName } from './template/identity.ts';
import { read, readAll, refuseUnknown } from './template/read.ts';
import { type Resolver, resolver } from './template/resolver.ts';

/** What is the same whatever the templates say. */
export type Ground = {
  url: string;
  dataDir: string;
  /** Where the built web app lies. */
  pages: string;
  engines: Engines;
  endpoints: Endpoints;
  objects: ObjectStore;
  clock: Clock;
  meter: Meter;
  logs: Logs;
  told: EventLog;
  activity: Activity;
};

/** The templates of one assembly, running. */
export type Deployment = {
  edge: Edge;
  secrets: Secrets;
  keys: Keys;
  bus: Bus;
  tables: string[];
  region: string;
  pools: Pool[];
  sources: Source[];
  schedules: Schedules;
  /** Ends it once what is under way has been answered. */
  retire: () => void;
  close: () => void;
};

export async function deployTemplates(stacks: Stack[], ground: Ground): Promise<Deployment> {
  const { endpoints, clock, meter, logs } = ground;
  const secrets = secretsOf(stacks, ground.dataDir);
  const resolverFor = (caller: string): Resolver =>
    resolver(stacks, {
      account: ACCOUNT,
      parameters: { PublicUrl: ground.url },
      identify: (resource, attribute) =>
        identify(resource, attribute, queue => `${endpoints.of(caller, 'sqs')}/${ACCOUNT}/${queue}`),
      secret: secrets.field,
    });
  const resolved = resolverFor('stack');
  refuseUnknown(resolved.resources);
  await provision(resolved, ground.engines, ground.objects);

  const pools = new Map<string, Pool>();
  for (const resource of resolved.resources.filter(isOurs)) {
    const name = functionName(resource);
    const properties = read(resolverFor(name), 'AWS::Lambda::Function', resource);
    const { entry, mostAtOnce, launch } = deploy(resource, properties, endpoints);
    pools.set(
      name,
      createPool({
        entry,
        mostAtOnce,
        launch,
        offset: clock.offset,
        invoked() {
          meter.lambda();
          return ground.activity.begin();
        },
        failed: logs.failed,
        log: line => logs.take(entry, line),
      }),
    );
  }

  const gateway = createGateway(resolved, pools, clock.now);
  const queues = queueSources(resolved, pools, { ...ground, failed: logs.failed });
  const queued = () => {
    for (const queue of queues) queue.wake();
  };
  const region = stacks[0]?.region ?? 'eu-central-1';
  const bus = createBus(resolved, pools, { ...ground, region, queued, failed: logs.failed });
  const sources = [
    ...queues,
    ...streamSources(resolved, pools, {
      ...ground,
      positions: createPositions(ground.dataDir),
      queued,
      failed: logs.failed,
    }),
    bus,
  ];
  return {
    edge: createEdge(resolved, {
      gateway,
      pages: builtPages(resolved, ground.pages),
      objects: ground.objects,
    }),
    secrets,
    keys: createKeys(
      ground.dataDir,
      readAll(resolved, 'AWS::KMS::Key').map(({ resource }) => ({
        id: refOf(resource),
        arn: identify(resource, 'Arn', String),
      })),
    ),
    bus,
    tables: readAll(resolved, 'AWS::DynamoDB::Table').map(({ resource }) => tableName(resource)),
    region,
    pools: [...pools.values()],
    sources,
    schedules: createSchedules(resolved, pools, () => ground.meter.read().dynamodb.write_units),
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

function secretsOf(stacks: Stack[], dataDir: string): Secrets {
  const plain = resolver(stacks, {
    account: ACCOUNT,
    parameters: {},
    identify: (resource, attribute) => identify(resource, attribute, String),
    secret: () => '',
  });
  const declared = readAll(plain, 'AWS::SecretsManager::Secret').map(it => ({
    ...it,
    arn: identify(it.resource, undefined, String),
  }));
  return createSecrets(dataDir, declared);
}
