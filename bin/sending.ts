// npm run sending -- stop | start | status [--stage dev] [--organization 7]
import { parseArgs } from 'node:util';
import type { Stop } from '#core/organization/switches.ts';
import * as stops from '#core/sending/stop.ts';
import { command, organizationNamed } from './command.ts';
import { clockOf, tableOf } from './environment.ts';

const USAGE = `Usage: npm run sending -- stop | start | status [--stage <stage>] [--organization <number>]

Stops all sending at once, of a stage or of one organization, and starts it again. What falls due meanwhile, and what
waits, is skipped and not sent later. Mails with login codes and invitations still go.
Without --stage it is about the local stack, which must be running.`;

const VERBS = { stop: stops.stop, start: stops.start, status: stops.status };

await command(USAGE, words, async ({ verb, stage, organization }) => {
  const table = await tableOf(stage, USAGE);
  const now = (await clockOf(stage, USAGE))();
  const stop = await VERBS[verb]({ table, now, organization });
  console.log(
    written(stop, organization === undefined ? 'Sending' : `Sending of organization ${organization}`),
  );
  const ofStage = organization === undefined ? {} : await stops.status({ table });
  if (ofStage.stopped_since) console.log(written(ofStage, 'Sending of all organizations'));
});

function words() {
  const { values, positionals } = parseArgs({
    options: { stage: { type: 'string' }, organization: { type: 'string' } },
    allowPositionals: true,
  });
  const [verb = '', ...others] = positionals;
  if (!Object.hasOwn(VERBS, verb) || others.length > 0) throw new Error(verb);
  return {
    verb: verb as keyof typeof VERBS,
    stage: values.stage,
    organization: organizationNamed(values.organization),
  };
}

function written({ stopped_since, sending_since }: Stop, what: string): string {
  if (stopped_since) return `${what} is stopped since ${stopped_since}.`;
  return sending_since
    ? `${what} is not stopped: what falls due from ${sending_since} on is sent.`
    : `${what} is not stopped.`;
}
