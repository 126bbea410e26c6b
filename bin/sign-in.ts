// npm run sign-in -- [--stage dev] <address>
import { parseArgs } from 'node:util';
import * as login from '#core/account/login.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { Refusal } from '#core/refusal.ts';
import { normalizeAddress } from '#shared/address.ts';
import { command } from './command.ts';
import { clockOf, tableOf } from './environment.ts';

const USAGE = `Usage: npm run sign-in -- [--stage <stage>] <address>

Prints a login code for an address, for a stage that cannot mail it. It works once, for ten minutes.
Without --stage it is a code of the local stack, which must be running.`;

await command(
  USAGE,
  () => {
    const { values, positionals } = parseArgs({
      options: { stage: { type: 'string' } },
      allowPositionals: true,
    });
    const [address = '', ...others] = positionals;
    const email = normalizeAddress(address);
    if (!email || others.length > 0) throw new Error(address);
    return { stage: values.stage, email };
  },
  async ({ stage, email }) => {
    const table = await tableOf(stage, USAGE);
    const now = (await clockOf(stage, USAGE))();
    const { code, minutes } = await login.issueCode({ table, now, isInvited }, email).catch(error => {
      throw hinted(error, stage);
    });
    console.error(`The login code of ${email}, which works once, for ${minutes} minutes:`);
    console.log(code);
  },
);

/** Adds the advice to allow the domain, if the address may not register. */
function hinted(error: unknown, stage: string | undefined): unknown {
  if (!(error instanceof Refusal && error.reason === 'forbidden')) return error;
  const ofStage = stage ? `--stage ${stage} ` : '';
  const hint = `To allow its domain: npm run whitelist -- ${ofStage}add <domain>`;
  return new Refusal('forbidden', `${error.message}\n${hint}`);
}
