// npm run whitelist -- [--stage dev] list | add <domain>... | remove <domain>...
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Refusal } from '../functions/core/refusal.ts';
import * as whitelist from '../functions/core/whitelist/whitelist.ts';

const USAGE = `Usage: npm run whitelist -- [--stage <stage>] list | add <domain>... | remove <domain>...

The email domains that may register; * means every domain.
Without --stage it changes the local stack, which must be running.`;

const { values, positionals } = parseArgs({ options: { stage: { type: 'string' } }, allowPositionals: true });
const [verb, ...domains] = positionals;

try {
  if (!process.env.TABLE_NAME) Object.assign(process.env, environmentOf(values.stage));
  // Imported now, since the table's client reads the environment.
  const { table } = await import('../functions/platform/table.ts');
  if (verb === 'add' && domains.length > 0) await whitelist.add({ table }, domains);
  else if (verb === 'remove' && domains.length > 0) await whitelist.remove({ table }, domains);
  else if (verb !== 'list') throw new Refusal('invalid', USAGE);
  const listed = await whitelist.list({ table });
  console.log(listed.length > 0 ? listed.join('\n') : 'No domain is allowed to register.');
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

function environmentOf(stage: string | undefined): Record<string, string> {
  if (stage) return { TABLE_NAME: `letterflow-${stage}` };
  const file = join(process.env.DATA_DIR ?? '.local', 'stack.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')).env;
  } catch {
    throw new Refusal(
      'invalid',
      `No local stack is running (there is no ${file}). Run npm start first.\n\n${USAGE}`,
    );
  }
}
