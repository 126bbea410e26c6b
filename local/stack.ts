import { join, resolve } from 'node:path';
import { createActivity } from './activity.ts';
import { createClock, storedOffset } from './clock.ts';
import { createCloudFront } from './cloudfront.ts';
import { type Controls, controls } from './control.ts';
import { openDatabase } from './database.ts';
import type { Progress, Size } from './demo/demo.ts';
import { allowDomain } from './demo/driver.ts';
import { beginFilling, type Filling, prepareDemo } from './demo/filling.ts';
import { DEMO_DOMAIN } from './demo/setup.ts';
import type { Deployment, Ground } from './deployment.ts';
import { servePageSources, watchSources } from './dev.ts';
import { startDns } from './dns/dns.ts';
import { createZone } from './dns/zone.ts';
import { type Endpoints, startEndpoints, TOOLS } from './endpoints.ts';
import { dynamodbBinary } from './engines/dynamodb.ts';
import { type Engines, startEngines } from './engines/start.ts';
import { createEventLog, type StoredEvent } from './events/log.ts';
import { type Answerer, openFront } from './front.ts';
import { CREDENTIALS } from './functions/deploy.ts';
import { createKiller } from './functions/killer.ts';
import { createLogs } from './functions/logs.ts';
import { problem } from './gateway/response.ts';
import { createInbox, type Inbox } from './inbox/inbox.ts';
import { createLive } from './live.ts';
import { createCustomers } from './mailgun/customers.ts';
import { startMailgun } from './mailgun/mailgun.ts';
import { has, mark } from './marks.ts';
import { createMeter, type Meter } from './meter.ts';
import { describe } from './mistake.ts';
import { createObjectStore } from './objects/store.ts';
import { claimDataDir, releaseDataDir, requireFreeDataDir } from './ownership.ts';
import { createSes } from './ses/ses.ts';
import { createPendingCalls } from './sources/pending-calls.ts';
import { createPositions } from './sources/positions.ts';
import type { Skip } from './sources/schedules.ts';
import { assemblyOf, HOME_REGION, synthesize } from './template/assembly.ts';
import { createTimekeeper, type Timekeeper } from './timekeeper.ts';

const ROOT = resolve(import.meta.dirname, '..');
const MOST_PROCESSES = 4;

type StackOptions = {
  /** 0 means any free port. */
  port: number;
  dataDir: string;
  /** The demo data that the first start creates. Without demo data, every domain may register. */
  demo?: Size | undefined;
  fresh?: boolean;
  webhookLoopback?: boolean;
  /** The most processes of a function: four by default. */
  mostProcesses?: () => number;
  /** Multiplies the time limits of functions, for machines that are too busy to keep them. */
  patience?: number;
  /** The directory of a synthesized CDK app. By default, the product is synthesized. */
  assembly?: string;
  pages?: string;
  /** Watches the sources: pages are served from them, and functions are rebuilt. */
  dev?: boolean;
  log?: (line: string) => void;
  reached?: (progress: Progress) => void;
  signal?: AbortSignal;
  lost?: (message: string) => void;
};

export type RunningStack = {
  url: string;
  /** The environment variables for AWS clients and commands that use this stack. */
  env: Record<string, string>;
  inbox: Inbox;
  /** Settles when the demo data of a first start is complete. */
  filled: Filling['filled'];
  drain: () => Promise<void>;
  logs: () => string[];
  events: () => StoredEvent[];
  pids: () => number[];
  close: () => Promise<void>;
};

export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { log = () => {}, signal, dev = false } = options;
  const dataDir = resolve(options.dataDir);
  const activity = createActivity();
  const meter = createMeter();
  const live = createLive(activity, log);
  const closers: (() => Promise<void> | void)[] = [];
  const answerers: Answerer[] = [() => problem(503, 'The local stack is starting.')];

  const failed = (error: unknown) => log(describe(error));
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  /**
   * Registers how to end a part of the stack; parts end in reverse order. Throws if the start was aborted, so that nothing
   * more starts.
   */
  function closing<T>(started: T, end: (started: T) => Promise<void> | void): T {
    closers.push(() => end(started));
    signal?.throwIfAborted();
    return started;
  }

  try {
    await requireFreeDataDir(dataDir);
    const front = closing(await openFront({ port: options.port, activity, failed, answerers }), it =>
      it.close(),
    );
    const publish = closing(claimDataDir(dataDir, front.url, options.fresh ?? false), () =>
      releaseDataDir(dataDir),
    );
    const logs = closing(createLogs(dataDir, log, process.env.LOG === 'all'), it => it.close());
    const make = async () => {
      const assembly = options.assembly ?? assemblyOf(ROOT, dataDir);
      if (!options.assembly) await synthesize(assembly, signal);
      return assembly;
    };
    const made = make();
    // It is awaited later. Until then, a failure must not count as an unhandled rejection.
    made.catch(() => {});
    const demo = prepareDemo(dataDir, options.demo);
    const engines = closing(await startOwnEngines(dataDir, options), it => it.close());
    const clock = createClock(dataDir, engines.setOffset);
    const database = closing(openDatabase(join(dataDir, 'stack.sqlite')), it => it.close());
    const objects = createObjectStore(join(dataDir, 'objects'), clock.now);
    const zone = createZone(database);
    const dns = closing(await startDns(zone), it => it.close());
    const killer = createKiller(() => live.deployment()?.pools ?? []);
    const ses = createSes({
      database,
      now: clock.now,
      usersNow: clock.usersNow,
      meter,
      killer,
      unmetered: TOOLS,
      configurationSets: () => live.deployment()?.configurationSets,
      bus: () => live.deployment()?.bus,
      zone,
    });
    const cloudFront = createCloudFront(zone, () => live.deployment()?.trackingTarget);
    const customers = createCustomers({
      product: live.deployment,
      dynamodb: engines.dynamodb,
      region: HOME_REGION,
      url: front.url,
    });
    const mailgun = closing(
      await startMailgun({ database, clock, meter, killer, customers, unmetered: TOOLS }),
      it => it.close(),
    );
    const endpoints = closing(
      await startEndpoints({
        engines,
        objects,
        ses,
        cloudFront,
        mailgun,
        dns,
        clock,
        meter,
        killer,
        secrets: () => live.deployment()?.secrets,
        keys: () => live.deployment()?.keys,
        access: () => live.deployment()?.access,
        bus: () => live.deployment()?.bus,
        written: live.written,
        queued: () => live.wake('queues'),
      }),
      it => it.close(),
    );
    const events = createEventLog();
    const ground: Ground = {
      url: front.url,
      dataDir,
      pages: options.pages ?? join(ROOT, 'dist/web'),
      webhookLoopback: options.webhookLoopback ?? false,
      mostProcesses: options.mostProcesses ?? (() => MOST_PROCESSES),
      patience: options.patience ?? 1,
      engines,
      endpoints,
      objects,
      clock,
      positions: createPositions(database),
      pending: createPendingCalls(database),
      meter,
      logs,
      events,
      activity,
      isTracking: cloudFront.serves,
    };
    const first = closing(await live.deploy(() => made, ground), live.close);
    const fire = async (minute: Date, skip?: Skip) =>
      (await live.deployment()?.schedules.fire(minute, skip)) ?? 0;
    const timekeeper = closing(createTimekeeper({ clock, fire, drain: live.drain, failed }), it =>
      it.close(),
    );
    const inbox = createInbox([mailgun.mailbox, ses]);
    const env = environmentOf(first, endpoints);
    if (!options.demo && !has(dataDir, 'open-to-all')) {
      await allowDomain('*', env);
      mark(dataDir, 'open-to-all');
    }

    const stopped = new AbortController();
    let filling: Filling | undefined;
    const ready = [
      controls({
        now: clock.now,
        zone,
        inbox,
        mailgun,
        ses,
        setRefusing: endpoints.setRefusing,
        meter,
        killer,
        drain: live.drain,
        demo: () => filling?.progress(),
        move: mover(timekeeper, meter),
      }),
      live.answer,
    ];
    if (dev) {
      const pages = closing(await servePageSources(front), it => it.close());
      ready.splice(
        1,
        0,
        pages.answererFor(path => live.deployment()?.edge.isPage(path) ?? false),
      );
      closing(
        watchSources(async () => void (await live.deploy(make, ground))),
        unwatch => unwatch(),
      );
    }
    if (demo !== 'nothing') await allowDomain(DEMO_DOMAIN, env);
    closing(stopped, it => it.abort());
    filling = await beginFilling(demo, options.demo ?? { days: 0, members: 0 }, {
      dataDir,
      clock,
      timekeeper,
      inbox,
      mailgun,
      live,
      signal: stopped.signal,
      reached: options.reached ?? (() => {}),
    });
    answerers.splice(0, 1, ...ready);
    publish(env);
    return {
      url: front.url,
      env,
      inbox,
      filled: filling.filled,
      drain: live.drain,
      logs: logs.lines,
      events: events.events,
      pids: () => [...engines.pids, ...(live.deployment()?.pools ?? []).flatMap(pool => pool.pids())],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const mover =
  (timekeeper: Timekeeper, meter: Meter): Controls['move'] =>
  async (to, outage) => {
    const before = meter.read().provider.accepted;
    const sweeps = outage ? await timekeeper.jump(to).then(() => 0) : await timekeeper.move(to);
    return { sweeps, sends: meter.read().provider.accepted - before };
  };

async function startOwnEngines(
  dataDir: string,
  { log = () => {}, lost = () => {}, signal }: StackOptions,
): Promise<Engines> {
  const other = process.env.DYNAMODB_ENDPOINT;
  const dynamodb = other ? { endpoint: other } : { binary: dynamodbBinary(dataDir, log) };
  return startEngines({ dataDir, region: HOME_REGION, dynamodb }, storedOffset(dataDir), lost, signal);
}

const environmentOf = ({ tables: [table = ''], secrets }: Deployment, endpoints: Endpoints) => ({
  TABLE_NAME: table,
  // The key with which a command signs links, as the sender does.
  TRACKING_KEY_SECRET: [...secrets.keys()].find(arn => arn.includes('-TrackingKey')) ?? '',
  ...endpoints.environmentOf(TOOLS),
  AWS_REGION: HOME_REGION,
  ...CREDENTIALS,
});
