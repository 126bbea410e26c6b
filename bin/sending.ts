// npm run sending -- stop | start | status [--stage dev] [--organization 7]
import { parseArgs } from 'node:util';
import type { Stop } from '#core/organization/switches.ts';
import { Refusal } from '#core/refusal.ts';
import * as stops from '#core/sending/stop.ts';
import { chooseTable, clockOf } from './environment.ts';

const USAGE = `Usage: npm run sending -- stop | start | status [--stage <stage>] [--organization <number>]

Stops all sending at once, of a stage or of one organization, and starts it again. What falls due meanwhile, and what
waits, is skipped and not sent later. Mails with login codes and invitations still go.
Without --stage it is about the local stack, which must be running.`;

const VERBS = { stop: stops.stop, start: stops.start, status: stops.status };

try {
  const { verb, stage, organization } = words();
  chooseTable(stage, USAGE);
  const now = (await clockOf(stage, USAGE))();
  // Imported late, since the client of the table reads the environment.
  const { table } = await import('../functions/platform/table.ts');
  const stop = await VERBS[verb]({ table, now, organization });
  console.log(
    written(stop, organization === undefined ? 'Sending' : `Sending of organization ${organization}`),
  );
  const ofStage = organization === undefined ? {} : await stops.status({ table });
  if (ofStage.stopped_since) console.log(written(ofStage, 'Sending of all organizations'));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

function words() {
  try {
    const { values, positionals } = parseArgs({
      options: { stage: { type: 'string' }, organization: { type: 'string' } },
      allowPositionals: true,
    });
    const { stage, organization } = values;
    const [verb = '', ...others] = positionals;
    if (!Object.hasOwn(VERBS, verb) || others.length > 0) throw new Error(verb);
    if (organization !== undefined && !/^[1-9]\d{0,14}$/.test(organization)) throw new Error(organization);
    return {
      verb: verb as keyof typeof VERBS,
      stage,
      organization: organization === undefined ? undefined : Number(organization),
    };
  } catch {
    throw new Refusal('invalid', USAGE);
  }
}

function written({ stopped_since, sending_since }: Stop, what: string): string {
  if (stopped_since) return `${what} is stopped since ${stopped_since}.`;
  return sending_since
    ? `${what} is not stopped: what falls due from ${sending_since} on is sent.`
    : `${what} is not stopped.`;
}
