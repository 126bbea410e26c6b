// npm run rebuild -- [--stage dev] [--organization 7] [--fix]
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Finding, rebuild } from '#core/operations/rebuild.ts';
import { newestId } from '#core/organization/organization.store.ts';
import { Refusal } from '#core/refusal.ts';
import { command, organizationNamed } from './command.ts';
import { tableOf } from './environment.ts';

const USAGE = `Usage: npm run rebuild -- [--stage <stage>] [--organization <number>] [--fix]

Counts anew what is counted of lists and emails, and prints what is not as it should be; --fix changes it.
Without --organization it looks at all of them. Without --stage it looks at the local stack, which must be running.`;

// Longer than the projector may lag behind before an alarm is raised.
const { REBUILD_PAUSE_SECONDS: pauseSeconds = '15' } = process.env;

await command(
  USAGE,
  () => {
    const { values } = parseArgs({
      options: { stage: { type: 'string' }, organization: { type: 'string' }, fix: { type: 'boolean' } },
    });
    return { ...values, organization: organizationNamed(values.organization) };
  },
  async ({ organization, fix = false, stage }) => {
    const table = await tableOf(stage, USAGE);
    const needs = {
      table,
      pause: () => setTimeout(Number(pauseSeconds) * 1000),
      progress: (line: string) => console.error(line),
    };
    const all = organization === undefined;
    const counts = { differs: 0, fixed: 0, changing: 0 };
    for (let id = organization ?? 1; id <= (organization ?? (await newestId(table))); id++) {
      try {
        for await (const found of rebuild(needs, id, { fix })) {
          counts[found.state]++;
          console.log(`organization ${id}, ${written(found)}`);
        }
        console.error(`organization ${id} is done`);
      } catch (error) {
        // This number has no organization, or a deleted one.
        if (!(all && error instanceof Refusal && error.reason === 'not-found')) throw error;
      }
    }
    console.log(
      `${counts.differs} counters differ, ${counts.fixed} were changed, ${counts.changing} are being changed.`,
    );
    process.exitCode = counts.differs + counts.changing > 0 ? 1 : 0;
  },
  2,
);

function written({ of, key, name, stored, counted, state }: Finding): string {
  const where = key.SK.replace('#', ' ');
  const said = `${of}, ${where} ${name}: ${stored ?? 'nothing'} stored, ${counted} counted`;
  return state === 'fixed'
    ? `${said}; changed`
    : state === 'changing'
      ? `${said}; it is changing right now`
      : said;
}
