// npm run whitelist -- [--stage dev] list | add <domain>... | remove <domain>...
import { parseArgs } from 'node:util';
import * as whitelist from '#core/account/whitelist.ts';
import { Refusal } from '#core/refusal.ts';
import { chooseTable } from './environment.ts';

const USAGE = `Usage: npm run whitelist -- [--stage <stage>] list | add <domain>... | remove <domain>...

The email domains that may register; * means every domain.
Without --stage it changes the local stack, which must be running.`;

const { values, positionals } = parseArgs({ options: { stage: { type: 'string' } }, allowPositionals: true });
const [verb, ...domains] = positionals;

try {
  chooseTable(values.stage, USAGE);
  // Imported late, since the client of the table reads the environment.
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
