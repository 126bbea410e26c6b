import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

type Policy = {
  /** Whether its data is protected: against deletion, and against removal with its stack. */
  guarded: boolean;
  /** Whether a function fails where its answer does not have the declared shape. */
  checkAnswers: boolean;
  /** Whether functions reserve a share of what an account may run at a time: a new account has no ten to give away. */
  reserves: boolean;
  /** In days. */
  logRetention: RetentionDays;
  /** Whether the built pages go into a bucket; the local stack serves them from where they were built. */
  copiesPages: boolean;
  /** Calls per second that the API takes, and the size of a burst. */
  throttle: Throttle;
  /** The same for each of the routes that send and take login codes. */
  signInThrottle: Throttle;
  /** How many messages of a queue are handled at a time; SQS takes no less than two. Of packs: */
  mostSenders: number;
  /** Of purges, each with up to 25 requests to the table under way. */
  mostPurges: number;
  /** Of webhooks, ten at once. */
  mostWebhooks: number;
  /** What the table takes per second from the beginning; without it, what each table on demand takes: 12,000 and 4,000. */
  warmThroughput?: { readUnitsPerSecond: number; writeUnitsPerSecond: number };
  /** How many shards of organizations are swept at a time, beside the first one. */
  mostShards: number;
  /** How many opens, clicks, unsubscribes, and events of the provider each may be answered at a time, where it reserves. */
  mostVisits: number;
  /** How a new version of what readers of emails reach takes over. */
  release: 'at once' | 'a tenth first';
  /** In seconds after an email was written: whoever follows a link of it before is no person. */
  earliestVisit: number;
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
    mostPurges: 5,
    mostWebhooks: 20,
    mostShards: 2,
    mostVisits: 2,
    release: 'at once',
    // An email is in the inbox at once.
    earliestVisit: 0,
  },
  dev: {
    guarded: false,
    checkAnswers: true,
    reserves: false,
    logRetention: 7,
    copiesPages: true,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    // A new account may run ten functions at a time: no queue may take all of them.
    mostSenders: 2,
    mostPurges: 2,
    mostWebhooks: 2,
    mostShards: 2,
    mostVisits: 5,
    release: 'at once',
    earliestVisit: 5,
  },
  prod: {
    guarded: true,
    checkAnswers: false,
    reserves: true,
    logRetention: 90,
    copiesPages: true,
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    signInThrottle: { rateLimit: 50, burstLimit: 100 },
    // A fifth of an account's thousand: more would only wait for the table, which takes 40,000 writes a second.
    mostSenders: 200,
    mostPurges: 5,
    mostWebhooks: 20,
    // As many emails a second can be claimed at once, where the default would need half an hour to grow.
    warmThroughput: { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 20_000 },
    mostShards: 20,
    mostVisits: 50,
    release: 'a tenth first',
    earliestVisit: 5,
  },
} as const satisfies Record<string, Policy>;

export type StageName = keyof typeof STAGES;

/** What cdk.json says of a stage. */
export type Settings = {
  domain?: string;
  hostedZoneId?: string;
  /** The address that the product's own emails come from, where it is not one of the domain. */
  mail?: string;
  /** Who gets its alarms by email. */
  alarmEmail?: string;
  restored?: RestoredTable;
};
/** The table that a stage uses since it was restored, in the place of the one that its stack has: see docs/restore.md. */
export type RestoredTable = {
  /** The table that it was restored from, and to which point in time. */
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
  /** Without a domain of its own a stage is reached at the name of its distribution. */
  domain?: Domain | undefined;
  /** Without it a stage sends no login codes and no invitations. */
  mail?: Mail | undefined;
  restored?: RestoredTable | undefined;
  alarmEmail?: string | undefined;
} & Found;

/** What `npm run deploy` found in the account. */
export type Found = {
  /** The identity was there before: it is used, not created. */
  identityExists?: boolean;
  /** No stack has data yet. Protected against deletion, a table could not be removed where its deployment fails. */
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
  const { restored, alarmEmail } = own;
  return { name, ...STAGES[name], ...found, domain, mail, restored, alarmEmail };
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

/** What a function reserves of the executions that an account may have at a time. */
export const reserved = ({ reserves }: Stage, most: number) => (reserves ? most : undefined);

/** The first shard's run of this minute, and that of the last one. */
export const SCHEDULED_SWEEPS = 2;
/** Opens, clicks, unsubscribes and events of the provider. */
const VISITED = 4;
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
const NEVER_RESERVED = 100;

/** How many functions an account has to let run at a time for a stage that reserves some. */
export const leastConcurrency = ({ reserves, mostShards, mostVisits, mostSenders }: Stage): number =>
  reserves ? SCHEDULED_SWEEPS + mostShards + VISITED * mostVisits + mostSenders + NEVER_RESERVED : 0;

// https://www.rfc-editor.org/rfc/rfc2606: a domain that cannot be registered.
const PLACEHOLDER = /(^|\.)example$/;

/** Why a stage cannot be deployed, in one sentence; undefined where it can. */
export function obstacle(name: string | undefined, settings: Record<string, Settings>): string | undefined {
  const deployable = Object.keys(STAGES).filter(stage => stage !== 'local');
  if (name === undefined || !deployable.includes(name)) {
    return `Name the stage to deploy, one of ${deployable.join(', ')}: npm run deploy -- dev`;
  }
  const { domain } = stageOf(name, settings);
  if (!domain || !(PLACEHOLDER.test(domain.name) || /^Z0+$/.test(domain.hostedZoneId))) return undefined;
  return `Write your own domain and the id of its hosted zone into cdk.json, at context.stages.${name}. See docs/deploy.md.`;
}
