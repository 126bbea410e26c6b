// npm run smoke -- [--stage dev] [--url <address>] [--as <address>]
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as whitelist from '#core/account/whitelist.ts';
import { Refusal } from '#core/refusal.ts';
import { normalizeAddress } from '#shared/address.ts';
import { now } from '../functions/platform/runtime.ts';
import { STAGES } from '../lib/stages.ts';
import { command } from './command.ts';
import { clockOf, localStack, tableOf } from './environment.ts';
import { clientOf, Failed } from './smoke-client.ts';
import { cleanUp, type Made, type Needs, STEPS } from './smoke-steps.ts';

const USAGE = `Usage: npm run smoke -- [--stage <stage>] [--url <address>] [--as <email address>]

Tries what a stage does: sign-in, upload, list, member, and with a sending key an email to Mailgun's test mode, an open, a
click, an unsubscription; with a domain at SES an email by SES and its bounce. It deletes what it has made, but for the list at
SES. --url is the address to try, in place of the stage's own,
--as who signs in. SMOKE_SENDING_KEY and SMOKE_DOMAIN name a sending key of Mailgun and its domain, SMOKE_REGION says us or eu,
SMOKE_SES_DOMAIN names the domain of a list that sends by SES, SMOKE_TRACKING_DOMAIN one for links in emails.
Without --stage it tries the local stack, which must be running.`;

// In a workflow, a variable that is not configured is set to an empty string.
const variable = (name: string) => process.env[name] || undefined;
const [SMOKE_SENDING_KEY, SMOKE_DOMAIN] = [variable('SMOKE_SENDING_KEY'), variable('SMOKE_DOMAIN')];
const SMOKE_REGION = variable('SMOKE_REGION') ?? 'eu';
const SMOKE_SES_DOMAIN = variable('SMOKE_SES_DOMAIN');
const SMOKE_TRACKING_DOMAIN = variable('SMOKE_TRACKING_DOMAIN');
const SETTINGS = {
  key: 'SMOKE_SENDING_KEY and SMOKE_DOMAIN',
  sesDomain: 'SMOKE_SES_DOMAIN',
  trackingDomain: 'SMOKE_TRACKING_DOMAIN',
};

await command(USAGE, words, async given => {
  process.exitCode = await smoke(await needsOf(given));
});

/** Returns the exit code: 0 if everything works, 1 if a step failed, 2 if a step was left out. */
async function smoke(needs: Needs): Promise<number> {
  const made: Made = { automations: [], templates: [], members: [] };
  let hasFailed = false;
  let leftOut = 0;
  for (const { name, advice, needs: setting, isOptional, run } of STEPS) {
    if (hasFailed || (setting && !needs[setting])) {
      if (hasFailed || !isOptional) leftOut++;
      console.log(`left out   ${name}${hasFailed || !setting ? '' : `: set ${SETTINGS[setting]}`}`);
      continue;
    }
    hasFailed = !(await isDone(name, advice, () => run(needs, made)));
  }
  const isClean = await isDone('clean up', 'Delete the list and the automation by hand', () =>
    cleanUp(needs, made),
  );
  return hasFailed || !isClean ? 1 : leftOut > 0 ? 2 : 0;
}

async function isDone(name: string, advice: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    console.log(`ok         ${name}`);
    return true;
  } catch (error) {
    const isExpected = error instanceof Failed || error instanceof Refusal;
    console.log(`FAILED     ${name}: ${isExpected ? error.message : error}\n           ${advice}`);
    return false;
  }
}

type Words = { stage: string | undefined; url: string | undefined; as: string | undefined };

async function needsOf({ stage, url, as }: Words): Promise<Needs> {
  const table = await tableOf(stage, USAGE);
  const { secret, secretOfStack } = await import('../functions/platform/secrets.ts');
  if (stage && (SMOKE_SENDING_KEY === undefined) !== (SMOKE_DOMAIN === undefined)) {
    throw new Refusal('invalid', 'SMOKE_SENDING_KEY and SMOKE_DOMAIN belong together.');
  }
  const { TRACKING_KEY_SECRET } = process.env;
  const clock = await clockOf(stage, USAGE);
  const common = { table, email: as ?? (await admitted(table)), domain: SMOKE_DOMAIN ?? 'example.com' };
  const keyIn = async (arn: string) => secret(arn, now());
  if (stage) {
    return {
      ...common,
      client: clientOf(url ?? (await deployed(stage))),
      now: clock,
      key: SMOKE_SENDING_KEY,
      sesDomain: SMOKE_SES_DOMAIN,
      trackingDomain: SMOKE_TRACKING_DOMAIN,
      region: SMOKE_REGION === 'us' ? 'us' : 'eu',
      trackingKey: async () => keyIn(await secretOfStack(`letterflow-${stage}-data`, 'TrackingKey')),
      pass: seconds => setTimeout(seconds * 1000),
    };
  }
  const { url: local } = localStack(USAGE);
  const simulated = { now: clock };
  const put = (control: string, body: object) =>
    fetch(new URL(`/_local/${control}`, local), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    ...common,
    client: clientOf(local),
    key: 'key-smoke-test',
    region: 'eu',
    sesDomain: 'ses.example.com',
    trackingDomain: 'link.smoke.example.com',
    enter: async records => {
      for (const { type, name, value } of records) await put('dns', { type, name, values: [value] });
    },
    now: () => simulated.now(),
    trackingKey: () => keyIn(TRACKING_KEY_SECRET ?? ''),
    pass: async seconds => {
      await put('clock', { now: new Date(simulated.now().getTime() + seconds * 1000).toISOString() });
      simulated.now = await clockOf(undefined, USAGE);
    },
  };
}

/** An address that may register. */
async function admitted(table: Needs['table']): Promise<string> {
  const [domain = 'example.com'] = await whitelist.list({ table });
  return `smoke-test@${domain === '*' ? 'example.com' : domain}`;
}

async function deployed(stage: string): Promise<string> {
  const { addressOf } = await import('./deployment/account.ts');
  const address = await addressOf(stage);
  if (address) return address;
  throw new Refusal(
    'invalid',
    `${stage} is not deployed in this account. Deploy it: npm run deploy -- ${stage}`,
  );
}

function words(): Words {
  const text = { type: 'string' } as const;
  const { stage, url, as } = parseArgs({ options: { stage: text, url: text, as: text } }).values;
  const email = as && normalizeAddress(as);
  if (as !== undefined && !email) throw new Error(as);
  if (stage !== undefined && (stage === 'local' || !Object.hasOwn(STAGES, stage))) throw new Error(stage);
  return { stage, url: url && new URL(url).origin, as: email };
}
