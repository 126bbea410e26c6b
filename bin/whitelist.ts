// npm run whitelist -- [--stage dev] list | add <domain>... | remove <domain>...
import { parseArgs } from 'node:util';
import * as whitelist from '#core/account/whitelist.ts';
import { command } from './command.ts';
import { tableOf } from './environment.ts';

const USAGE = `Usage: npm run whitelist -- [--stage <stage>] list | add <domain>... | remove <domain>...

The email domains that may register; * means every domain.
Without --stage it changes the local stack, which must be running.`;

const VERBS = { list: () => {}, add: whitelist.add, remove: whitelist.remove };

await command(
  USAGE,
  () => {
    const { values, positionals } = parseArgs({
      options: { stage: { type: 'string' } },
      allowPositionals: true,
    });
    const [verb = '', ...domains] = positionals;
    if (!Object.hasOwn(VERBS, verb) || (verb !== 'list' && domains.length === 0)) throw new Error(verb);
    return { stage: values.stage, verb: verb as keyof typeof VERBS, domains };
  },
  async ({ stage, verb, domains }) => {
    const table = await tableOf(stage, USAGE);
    await VERBS[verb]({ table }, domains);
    const listed = await whitelist.list({ table });
    console.log(listed.length > 0 ? listed.join('\n') : 'No domain is allowed to register.');
  },
);
