import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

type Policy = {
  /** Whether its data is protected: against deletion, and against removal with its stack. */
  guarded: boolean;
  /** Whether a function fails where its answer does not have the declared shape. */
  checkAnswers: boolean;
  /** In days. */
  logRetention: RetentionDays;
  /** Whether the built pages go into a bucket; the local stack serves them from where they were built. */
  copiesPages: boolean;
  /** Calls per second that the API takes, and the size of a burst. */
  throttle: Throttle;
  /** The same for each of the routes that send and take login codes. */
  signInThrottle: Throttle;
  /** How many shards of organizations are swept at a time, beside the first one. */
  mostShards: number;
  /** How many opens, clicks, unsubscribes, and events of the provider each may be answered at a time. */
  mostVisits: number;
  /** In seconds after an email was written: whoever follows a link of it before is no person. */
  earliestVisit: number;
};
type Throttle = { rateLimit: number; burstLimit: number };

export const STAGES = {
  local: {
    guarded: false,
    checkAnswers: true,
    logRetention: 1,
    copiesPages: false,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    mostShards: 2,
    mostVisits: 2,
    // An email is in the inbox at once.
    earliestVisit: 0,
  },
  dev: {
    guarded: false,
    checkAnswers: true,
    logRetention: 7,
    copiesPages: true,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    mostShards: 2,
    mostVisits: 5,
    earliestVisit: 5,
  },
  prod: {
    guarded: true,
    checkAnswers: false,
    logRetention: 90,
    copiesPages: true,
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    signInThrottle: { rateLimit: 50, burstLimit: 100 },
    mostShards: 20,
    mostVisits: 50,
    earliestVisit: 5,
  },
} as const satisfies Record<string, Policy>;

export type StageName = keyof typeof STAGES;
/** The domain of a stage, from cdk.json. */
export type Address = { domain: string; hostedZoneId: string; restored?: RestoredTable };
/** The table that a stage uses since it was restored, in the place of the one that its stack has: see docs/restore.md. */
export type RestoredTable = {
  /** The table that it was restored from, and to which point in time. */
  of: string;
  to: string;
  table: string;
  stream: string;
};
export type Stage = Policy & Address & { name: StageName };

export const HOME_REGION = 'eu-central-1';

const isStageName = (name: unknown): name is StageName =>
  typeof name === 'string' && Object.hasOwn(STAGES, name);

/** The name of the table that a stage uses. */
export const tableNameOf = (stage: string, addresses: Record<string, Partial<Address>>): string =>
  addresses[stage]?.restored?.table ?? `letterflow-${stage}`;

export function stageOf(name: unknown, addresses: Record<string, Address>): Stage {
  if (!isStageName(name))
    throw new Error(`There is no stage ${name}, but ${Object.keys(STAGES).join(', ')}.`);
  const address = addresses[name];
  if (!address) throw new Error(`cdk.json lacks context.stages.${name}.`);
  return { name, ...STAGES[name], ...address };
}

// https://www.rfc-editor.org/rfc/rfc2606: a domain that cannot be registered.
const PLACEHOLDER = /(^|\.)example$/;

/** Why a stage cannot be deployed, in one sentence; undefined where it can. */
export function obstacle(name: string | undefined, addresses: Record<string, Address>): string | undefined {
  const deployable = Object.keys(STAGES).filter(stage => stage !== 'local');
  if (name === undefined || !deployable.includes(name)) {
    return `Name the stage to deploy, one of ${deployable.join(', ')}: npm run deploy -- dev`;
  }
  const { domain, hostedZoneId } = stageOf(name, addresses);
  if (!PLACEHOLDER.test(domain) && !/^Z0+$/.test(hostedZoneId)) return undefined;
  return `Write your own domain and the id of its hosted zone into cdk.json, at context.stages.${name}. See docs/deploy.md.`;
}
