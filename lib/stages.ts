import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

type Policy = {
  /** Whether its data is protected against deletion, also if its stack is removed. */
  guarded: boolean;
  /** Whether a function fails if its response does not have the declared shape. */
  checkAnswers: boolean;
  /** Whether functions reserve concurrency. A new account has only ten, of which none can be reserved. */
  reserves: boolean;
  logRetention: RetentionDays;
  /** Whether the built pages are copied into a bucket; the local stack serves them from the build directory. */
  copiesPages: boolean;
  throttle: Throttle;
  /** Requests per second and burst of each route that sends or checks login codes. */
  signInThrottle: Throttle;
  /** How many packs are sent at a time. SQS accepts no concurrency below two. */
  mostSenders: number;
  /** How many purges run at a time, each with up to 25 concurrent requests to the table. */
  mostPurges: number;
  /** How many batches of webhook deliveries run at a time. An organization can occupy three of them (MOST_POSTS). */
  mostWebhooks: number;
  /** What the table can take per second from the start; by default, that of each on-demand table: 12,000 and 4,000. */
  warmThroughput?: { readUnitsPerSecond: number; writeUnitsPerSecond: number };
  /** How many shards of organizations are swept at a time, in addition to the first one, if the stage reserves concurrency. */
  mostShards: number;
  /**
   * How many opens, clicks, unsubscribes and provider events are handled at a time, each, if the stage reserves concurrency.
   */
  mostVisits: number;
  /** How a new version of the tracking functions takes over. */
  release: 'at once' | 'a tenth first';
  /** In seconds after an email was sent: an earlier visit of a link counts as one of a machine. */
  earliestVisit: number;
  /** What the account may cost in a month, in US dollars, before `alarmEmail` is told; 0 for no budget. */
  budget: number;
};
type Throttle = { rateLimit: number; burstLimit: number };

export const STAGES = {
  local: {
    guarded: false,
    checkAnswers: true,
    reserves: true,
    logRetention: 1,
    copiesPages: false,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    mostSenders: 200,
    mostPurges: 2,
    mostWebhooks: 5,
    mostShards: 2,
    mostVisits: 2,
    release: 'at once',
    // Local emails arrive at once.
    earliestVisit: 0,
    budget: 0,
  },
  dev: {
    guarded: false,
    checkAnswers: true,
    reserves: false,
    logRetention: 7,
    copiesPages: true,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    // A new account has a concurrency of ten: no single queue may take all of it.
    mostSenders: 2,
    mostPurges: 2,
    mostWebhooks: 4,
    mostShards: 2,
    mostVisits: 5,
    release: 'at once',
    earliestVisit: 5,
    budget: 20,
  },
  prod: {
    guarded: true,
    checkAnswers: false,
    reserves: true,
    logRetention: 90,
    copiesPages: true,
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    signInThrottle: { rateLimit: 50, burstLimit: 100 },
    // A fifth of the usual concurrency of 1,000. More senders would only wait for the table, which takes 40,000 writes a
    // second.
    mostSenders: 200,
    mostPurges: 5,
    mostWebhooks: 20,
    // Lets as many emails be claimed per second at once. With the default, the table would need half an hour to scale up.
    warmThroughput: { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 20_000 },
    mostShards: 20,
    mostVisits: 50,
    release: 'a tenth first',
    earliestVisit: 5,
    budget: 100,
  },
} as const satisfies Record<string, Policy>;

export type StageName = keyof typeof STAGES;

/** The settings of a stage in cdk.json. */
export type Settings = {
  domain?: string;
  hostedZoneId?: string;
  /** The sender of the product's own emails, unless it is an address of the domain. */
  mail?: string;
  alarmEmail?: string;
  /** Overrides that of the stage. */
  budget?: number;
  /** The number of the account that the stage is deployed to: any other one is refused. */
  account?: string;
  /** Whether the domain has a firewall: by default, it has. */
  firewall?: boolean;
  /** The records of tracking domains lead to names below this one: by default, `links.` of the domain. */
  trackingTarget?: string;
  /** Whether there is a key for the provider's events of lists without a signing key of their own. */
  providerSigningKey?: boolean;
  restored?: RestoredTable;
};
/** The restored table that a stage uses instead of the one in its stack: see docs/restore.md. */
export type RestoredTable = {
  /** The table that it was restored from, and the point in time. */
  of: string;
  to: string;
  table: string;
  stream: string;
};
export type Domain = { name: string; hostedZoneId: string };
/** The identity of SES, a domain or an address, and the sender of the product's own emails. */
export type Mail = { identity: string; from: string };

export type Stage = Policy & {
  name: StageName;
  /** Without a domain, the address of the stage is the name of its distribution. */
  domain?: Domain | undefined;
  /** Without it, lists have no tracking domains. */
  trackingTarget?: string | undefined;
  /** Without it, the stage sends no login codes and no invitations. */
  mail?: Mail | undefined;
  restored?: RestoredTable | undefined;
  alarmEmail?: string | undefined;
  account?: string | undefined;
  firewall: boolean;
  providerSigningKey: boolean;
} & Found;

/** What `npm run deploy` found in the account. */
export type Found = {
  /** The identity exists already: it is used, not created. */
  identityExists?: boolean;
  /** The stack of the table does not exist yet. A protected table could not be removed if its first deployment failed. */
  isFirst?: boolean;
};

export const HOME_REGION = 'eu-central-1';

const isStageName = (name: unknown): name is StageName =>
  typeof name === 'string' && Object.hasOwn(STAGES, name);

/** The name of the table that a stage uses. */
export const tableNameOf = (stage: string, settings: Record<string, Settings>): string =>
  settings[stage]?.restored?.table ?? `letterflow-${stage}`;

export function stageOf(name: unknown, settings: Record<string, Settings>, found: Found = {}): Stage {
  if (!isStageName(name))
    throw new Error(`There is no stage ${name}, but ${Object.keys(STAGES).join(', ')}.`);
  const own = settings[name];
  if (!own) throw new Error(`cdk.json lacks context.stages.${name}.`);
  const domain = domainOf(name, own);
  const mail = mailOf(own.mail, domain);
  const { restored, alarmEmail, account, firewall = domain !== undefined, providerSigningKey = false } = own;
  const { trackingTarget = domain && `links.${domain.name}` } = own;
  if (own.budget && alarmEmail === undefined)
    throw new Error(`cdk.json needs alarmEmail beside budget at context.stages.${name}.`);
  const budget = own.budget ?? STAGES[name].budget;
  const chosen = { alarmEmail, budget, account, firewall, providerSigningKey, trackingTarget };
  return { name, ...STAGES[name], ...found, ...chosen, domain, mail, restored };
}

function domainOf(name: StageName, { domain, hostedZoneId }: Settings): Domain | undefined {
  if (domain && hostedZoneId) return { name: domain, hostedZoneId };
  if (domain || hostedZoneId)
    throw new Error(`cdk.json needs both domain and hostedZoneId at context.stages.${name}, or neither.`);
  if (STAGES[name].guarded)
    throw new Error(`cdk.json needs domain and hostedZoneId at context.stages.${name}.`);
  return undefined;
}

function mailOf(address: string | undefined, domain: Domain | undefined): Mail | undefined {
  if (address) return { identity: address, from: address };
  return domain && { identity: domain.name, from: `no-reply@${domain.name}` };
}

/** The tag of what a stage creates in its account while it runs. */
export const STAGE_TAG = 'letterflow:stage';

/** Of the configuration set of a stage, and how the names of its tenants begin. */
export const sesNamesOf = ({ name }: Pick<Stage, 'name'>) => ({
  configurationSet: `letterflow-${name}`,
  tenants: `letterflow-${name}`,
});

export const reserved = ({ reserves }: Stage, most: number) => (reserves ? most : undefined);

/** The first shard's run of this minute, and that of the last one. */
export const SCHEDULED_SWEEPS = 2;
/** The functions for opens, clicks, unsubscribes, the events of either provider, and the DNS of domains. */
const VISITED = 6;
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
const NEVER_RESERVED = 100;

/** The concurrency that an account needs for a stage that reserves some. */
export const leastConcurrency = ({ reserves, mostShards, mostVisits, mostSenders }: Stage): number =>
  reserves ? SCHEDULED_SWEEPS + mostShards + VISITED * mostVisits + mostSenders + NEVER_RESERVED : 0;

// https://www.rfc-editor.org/rfc/rfc2606: a domain that cannot be registered.
const PLACEHOLDER = /(^|\.)example$/;

/** Why a stage cannot be deployed, in one sentence; undefined if it can. */
export function obstacle(name: string | undefined, settings: Record<string, Settings>): string | undefined {
  const deployable = Object.keys(STAGES).filter(stage => stage !== 'local');
  if (name === undefined || !deployable.includes(name)) {
    return `Name the stage to deploy, one of ${deployable.join(', ')}: npm run deploy -- dev`;
  }
  const { domain } = stageOf(name, settings);
  if (!domain || !(PLACEHOLDER.test(domain.name) || /^Z0+$/.test(domain.hostedZoneId))) return undefined;
  return `Write your own domain and the id of its hosted zone into cdk.json, at context.stages.${name}. See docs/deploy.md.`;
}
