import { type Found, HOME_REGION, leastConcurrency, type Stage } from '#lib/stages.ts';

/** What the checks read of an AWS account and of the public DNS. */
export type Account = {
  /** The number of the account; fails without valid credentials. */
  number: () => Promise<string>;
  stack: (name: string, region: string) => Promise<DeployedStack | undefined>;
  concurrency: () => Promise<number>;
  identity: (name: string) => Promise<{ isVerified: boolean } | undefined>;
  mail: () => Promise<MailAccount>;
  hasTable: (name: string) => Promise<boolean>;
  zone: (id: string) => Promise<Zone | undefined>;
  nameServers: (domain: string) => Promise<string[]>;
};
/** A stack with the physical names of its resources. */
export type DeployedStack = { status: string; resources: string[]; outputs: Record<string, string> };
/** What SES lets the account send. */
export type MailAccount = {
  /** Where it sends to verified addresses only. */
  isSandboxed: boolean;
  /** How many emails in 24 hours; -1 for any number. */
  daily: number;
  perSecond: number;
  /** The plan by which it is priced; undefined where each email alone is. */
  plan: string | undefined;
};
type Zone = { name: string; nameServers: string[] };

export type Finding = {
  says: string;
  /** What to do about it. If `stops` is set, nothing is deployed before it is done. */
  todo?: string;
  stops?: boolean;
  /** Environments in which CDK is not bootstrapped yet. */
  unprepared?: string[];
  found?: Found;
};

type Check = { about: string; look: (stage: Stage, account: Account) => Promise<Finding | undefined> };

/** With a domain, certificates and firewall of CloudFront need a second region: see lib/stacks/edge.ts. */
const regionsOf = ({ domain }: Stage) => [HOME_REGION, ...(domain ? ['us-east-1'] : [])];
const stackName = ({ name }: Stage, stack: string) => `letterflow-${name}-${stack}`;

/** Checks for what would make a deployment fail, or mislead, only after minutes. */
const CHECKS: Check[] = [
  { about: 'the account', look: pinned },
  { about: 'alarms', look: recipient },
  { about: 'stacks that failed', look: failed },
  { about: 'CDK', look: bootstrap },
  { about: 'Lambda', look: concurrency },
  { about: 'the table', look: table },
  { about: 'SES', look: identity },
  { about: 'the quota of SES', look: quota },
  { about: 'the prices of SES', look: prices },
  { about: 'the hosted zone', look: delegation },
];

export async function checkAccount(stage: Stage, account: Account): Promise<Finding[]> {
  const number = await account.number().catch(() => undefined);
  if (number === undefined) return [WITHOUT_CREDENTIALS];
  const own = { says: `Account ${number}, ${regionsOf(stage).join(' and ')}.` };
  const found = await Promise.all(
    CHECKS.map(({ about, look }) =>
      look(stage, account).catch(error => ({ says: `Could not look at ${about}: ${textOf(error)}` })),
    ),
  );
  return [own, ...found.flatMap(one => one ?? [])];
}

const WITHOUT_CREDENTIALS: Finding = {
  says: 'There are no valid credentials of AWS.',
  todo: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws sso login',
  stops: true,
};

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A production stage in the wrong account is found by its users. */
async function pinned({ name, account: pinned, guarded }: Stage, account: Account) {
  const number = await account.number();
  if (pinned === number) return undefined;
  const right = `write "account": "${number}" into cdk.json, at context.stages.${name}`;
  return pinned === undefined
    ? {
        says: `Nothing says that ${name} belongs to the account ${number}.`,
        todo: `If it does, ${right}: no other one is used then.`,
        stops: guarded,
      }
    : { says: `${name} belongs to the account ${pinned}.`, todo: `Use that one, or ${right}.`, stops: true };
}

async function recipient({ name, alarmEmail, guarded }: Stage): Promise<Finding | undefined> {
  if (alarmEmail !== undefined || !guarded) return undefined;
  return {
    says: `Nobody gets the alarms of ${name}.`,
    todo: `Write "alarmEmail": "<an address>" into cdk.json, at context.stages.${name}.`,
    stops: true,
  };
}

/** The stacks of a stage, by region. */
export const STACKS: Record<string, string[]> = {
  [HOME_REGION]: [
    'alarms',
    'api',
    'background',
    'data',
    'front',
    'mail',
    'observability',
    'pages',
    'provider-events',
    'sending',
    'tracking',
    'webhooks',
  ],
  'us-east-1': ['edge', 'edge-alarms'],
};

/** In these states CloudFormation refuses every deployment. CDK itself deletes a stack whose first one failed. */
const STUCK: Record<string, string> = {
  UPDATE_ROLLBACK_FAILED: 'continue-update-rollback',
  DELETE_FAILED: 'delete-stack',
};

async function failed(stage: Stage, account: Account): Promise<Finding | undefined> {
  const places = regionsOf(stage).flatMap(region => {
    const own = STACKS[region]?.map(stack => stackName(stage, stack)) ?? [];
    return ['CDKToolkit', ...own].map(name => ({ name, region }));
  });
  const states = places.map(async place => ({
    ...place,
    status: (await account.stack(place.name, place.region))?.status ?? '',
  }));
  const stuck = (await Promise.all(states)).filter(({ status }) => STUCK[status]);
  if (stuck.length === 0) return undefined;
  const todo = stuck.map(
    ({ name, region, status }) =>
      `aws cloudformation ${STUCK[status]} --region ${region} --stack-name ${name}`,
  );
  return {
    says: stuck.map(({ name, region, status }) => `${name} in ${region} is ${status}.`).join(' '),
    todo: ['Mend what the events of the stack name, then:', ...todo].join('\n  '),
    stops: true,
  };
}

async function bootstrap(stage: Stage, account: Account): Promise<Finding | undefined> {
  const regions = regionsOf(stage);
  const stacks = await Promise.all(regions.map(region => account.stack('CDKToolkit', region)));
  const unprepared = regions.filter((_, index) => isWithout(stacks[index]));
  if (unprepared.length === 0) return undefined;
  const number = await account.number();
  const environments = unprepared.map(region => `aws://${number}/${region}`);
  return {
    says: `CDK has not been prepared in ${unprepared.join(' and ')}.`,
    // CDK synthesizes the stacks for bootstrap too, and that needs the built pages.
    todo: `npm run -s build && npx cdk bootstrap ${environments.join(' ')}`,
    stops: true,
    unprepared: environments,
  };
}

const MORE = `Ask for 1000 in Service Quotas, ${HOME_REGION}: AWS Lambda, "Concurrent executions".`;
// A new table has four partitions, each with a shard of the stream, of which a reader takes one at a time.
const SHARED = 50;

async function concurrency(stage: Stage, account: Account): Promise<Finding | undefined> {
  const [allowed, least] = [await account.concurrency(), leastConcurrency(stage)];
  if (allowed >= least) {
    if (stage.reserves || allowed >= SHARED) return undefined;
    return {
      says: `${allowed} functions may run at a time in this account. The two readers of the table's stream may take up to 8 of them after many writes; calls wait meanwhile, or are refused.`,
      todo: MORE,
    };
  }
  return {
    says: `${allowed} functions may run at a time in this account; ${stage.name} needs ${least}.`,
    todo: MORE,
    stops: true,
  };
}

// In these states a stack has no resources, or none that survive the next deployment.
const WITHOUT_DATA = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_COMPLETE'];
const isWithout = (stack: DeployedStack | undefined) => !stack || WITHOUT_DATA.includes(stack.status);

/** If a table with this name exists outside the stack, each deployment would fail. */
async function table(stage: Stage, account: Account): Promise<Finding | undefined> {
  const name = `letterflow-${stage.name}`;
  const stack = await account.stack(stackName(stage, 'data'), HOME_REGION);
  const isFirst = isWithout(stack);
  if ((await account.hasTable(name)) && !stack?.resources.includes(name)) {
    return {
      says: `The table ${name} is there, and belongs to no stack.`,
      todo: `Keep what is in it, with: npm run -s build && npx cdk import ${stackName(stage, 'data')} -c stage=${stage.name}\n  or delete it, with: aws dynamodb delete-table --region ${HOME_REGION} --table-name ${name}`,
      stops: true,
    };
  }
  return isFirst
    ? { says: 'Nothing is deployed yet: this takes about 15 minutes.', found: { isFirst } }
    : undefined;
}

/** An identity that exists already is used. One that the stack of the stage has created stays in that stack. */
async function identity(stage: Stage, account: Account): Promise<Finding | undefined> {
  if (!stage.mail) {
    return { says: 'This stage sends no emails of its own: codes to sign in come from npm run sign-in.' };
  }
  const { identity: name } = stage.mail;
  const isDomain = name === stage.domain?.name;
  const existing = await account.identity(name);
  const own = await account.stack(stackName(stage, 'mail'), HOME_REGION);
  const verified = isDomain
    ? { todo: 'Its records of DKIM are published by this; that takes some minutes.' }
    : { todo: `Follow the link in the email that SES sends to ${name}. Until then this stage cannot mail.` };
  const unverified = existing?.isVerified ? {} : verified;
  if (!existing) return { says: `SES will get the identity ${name}.`, ...verified };
  if (own?.resources.includes(name)) {
    return existing.isVerified
      ? undefined
      : { says: `The identity ${name} is not verified yet.`, ...unverified };
  }
  return {
    says: `SES has the identity ${name} already: it is used as it is.`,
    ...(existing.isVerified ? {} : { todo: 'It is not verified: do that in the console of SES.' }),
    found: { identityExists: true },
  };
}

const count = (amount: number) => amount.toLocaleString('en-US');

/** It holds for the product's own emails, and for those of lists that send by SES. */
async function quota({ mail }: Stage, account: Account): Promise<Finding> {
  const { isSandboxed, daily, perSecond } = await account.mail();
  const most = `${daily < 0 ? 'any number of emails' : `${count(daily)} emails`} a day, ${count(perSecond)} a second`;
  if (!isSandboxed) return { says: `SES is in production: it sends ${most}, for all lists together.` };
  const others = mail ? ', and nobody else can sign in' : '';
  return {
    says: `SES is in its sandbox: it sends ${most}, to verified addresses alone. So lists that send by SES reach nobody else${others}.`,
    todo: `Ask for production access in the console of SES, ${HOME_REGION}.`,
  };
}

// https://aws.amazon.com/ses/pricing/
async function prices(_: Stage, account: Account): Promise<Finding | undefined> {
  const { plan } = await account.mail();
  if (plan === undefined) return undefined;
  return {
    says: `SES has the plan ${plan}, which accounts created since 2026-07-21 begin with: it takes $0.16 for 1,000 emails, in place of $0.10.`,
    todo: `Unless you want what is in the plan: aws sesv2 put-account-pricing-attributes --region ${HOME_REGION} --plan NONE`,
  };
}

/** Without working DNS delegation, CloudFormation would wait for hours for the validation of the certificate. */
async function delegation({ domain }: Stage, account: Account): Promise<Finding | undefined> {
  if (!domain) return undefined;
  const zone = await account.zone(domain.hostedZoneId);
  if (!zone) {
    return {
      says: `This account has no public hosted zone ${domain.hostedZoneId}.`,
      todo: 'Correct hostedZoneId in cdk.json.',
      stops: true,
    };
  }
  if (domain.name !== zone.name && !domain.name.endsWith(`.${zone.name}`)) {
    return {
      says: `The hosted zone ${domain.hostedZoneId} is that of ${zone.name}, and not of ${domain.name}.`,
      todo: 'Correct domain or hostedZoneId in cdk.json.',
      stops: true,
    };
  }
  const asked = await account.nameServers(zone.name);
  if (asked.some(server => zone.nameServers.includes(server))) return undefined;
  return {
    says: `The public DNS does not ask Route 53 about ${zone.name}.`,
    todo: `Enter these name servers where the domain is registered: ${zone.nameServers.join(', ')}`,
    stops: true,
  };
}

export function nextSteps({ name, mail }: Stage, address: string): string {
  const commands = [
    `npm run whitelist -- --stage ${name} add <your domain>`,
    ...(mail ? [] : [`npm run sign-in -- --stage ${name} <your address>`]),
  ];
  return [`${name} is at ${address}`, 'Next:', ...commands.map(command => `  ${command}`)].join('\n');
}
