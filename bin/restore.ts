// npm run restore -- --stage dev --to <instant> | --finish
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { finish, restore } from '#core/operations/restore.ts';
import { Refusal } from '#core/refusal.ts';
import cdkJson from '../cdk.json' with { type: 'json' };
import { now } from '../functions/platform/runtime.ts';
import { type Settings, tableNameOf } from '../lib/stages.ts';
import { command } from './command.ts';
import { tableOf } from './environment.ts';

const USAGE = `Usage: npm run restore -- --stage <stage> --to <instant>
       npm run restore -- --stage <stage> --finish

The first stops sending and makes a copy of the table of a stage as it was at an instant such as 2030-01-31T17:00:00Z, from
which nothing is sent twice; the second is for when the stage uses it. What to do in between: docs/restore.md.`;

const PAUSE = 15_000;
const pause = () => setTimeout(PAUSE);
const progress = (line: string) => console.error(`${now().toISOString()} ${line}`);
const settings: Record<string, Settings> = cdkJson.context.stages;

await command(USAGE, words, async ({ stage, to }) => {
  const table = await tableOf(stage, USAGE);
  if (to) await prepare(table, stage, to);
  else await complete(table, stage);
});

type Table = Parameters<typeof restore>[0]['table'];

async function prepare(table: Table, stage: string, to: Date): Promise<void> {
  const { backupsOf } = await import('../functions/platform/backups.ts');
  const { name: of, client } = table;
  const copies = backupsOf({ client, name: of, pause });
  const backups = { ...copies, open: (name: string) => ({ client, name }) };
  const name = `letterflow-${stage}-${to.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}`;
  const { stream } = await restore({ table, now, backups, pause, progress }, { to, name });
  const restored = { of, to: to.toISOString(), table: name, stream };
  console.log(`Write this into cdk.json, at context.stages.${stage}, and deploy the stage:

"restored": ${JSON.stringify(restored, null, 2)}

Then run npm run restore -- --stage ${stage} --finish. What comes after it: docs/restore.md.`);
}

async function complete(table: Table, stage: string): Promise<void> {
  const { restored } = settings[stage] ?? {};
  if (!restored || tableNameOf(stage, settings) !== table.name) {
    throw new Refusal('invalid', `cdk.json says of no table that ${stage} was restored to.\n\n${USAGE}`);
  }
  const before = { client: table.client, name: restored.of };
  const { ended, purges } = await finish({ table, now, progress }, { from: new Date(restored.to), before });
  console.log(
    `${ended} subscriptions that had ended were ended again; ${purges} purges were requested again.`,
  );
}

function words(): { stage: string; to: Date | undefined } {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, to: { type: 'string' }, finish: { type: 'boolean' } },
  });
  const { stage, to, finish: isFinish = false } = values;
  if (!stage || isFinish === (to !== undefined)) throw new Error('One of both is needed');
  if (to !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(to)) throw new Error(to);
  const instant = to === undefined ? undefined : new Date(to);
  // Refuses a date that does not exist, such as February 31.
  if (instant && instant.toISOString().slice(0, 19) !== to?.slice(0, 19)) throw new Error(to);
  return { stage, to: instant };
}
