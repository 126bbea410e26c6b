// npm run sign-in -- [--stage dev] <address>
import { parseArgs } from 'node:util';
import * as login from '#core/account/login.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { Refusal } from '#core/refusal.ts';
import { normalizeAddress } from '#shared/address.ts';
import { chooseTable, clockOf } from './environment.ts';

const USAGE = `Usage: npm run sign-in -- [--stage <stage>] <address>

Prints a login code for an address, for a stage that cannot mail it. It works once, for ten minutes.
Without --stage it is a code of the local stack, which must be running.`;

try {
  const { stage, email } = words();
  chooseTable(stage, USAGE);
  const now = (await clockOf(stage, USAGE))();
  // Imported late, since the client of the table reads the environment.
  const { table } = await import('../functions/platform/table.ts');
  const { code, minutes } = await login.issueCode({ table, now, isInvited }, email).catch(error => {
    throw hinted(error, stage);
  });
  console.error(`The login code of ${email}, which works once, for ${minutes} minutes:`);
  console.log(code);
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

function words(): { stage: string | undefined; email: string } {
  try {
    const { values, positionals } = parseArgs({
      options: { stage: { type: 'string' } },
      allowPositionals: true,
    });
    const [address = '', ...others] = positionals;
    const email = normalizeAddress(address);
    if (!email || others.length > 0) throw new Error(address);
    return { stage: values.stage, email };
  } catch {
    throw new Refusal('invalid', USAGE);
  }
}

/** Adds the advice to allow the domain, if the address may not register. */
function hinted(error: unknown, stage: string | undefined): unknown {
  if (!(error instanceof Refusal && error.reason === 'forbidden')) return error;
  const ofStage = stage ? `--stage ${stage} ` : '';
  const hint = `To allow its domain: npm run whitelist -- ${ofStage}add <domain>`;
  return new Refusal('forbidden', `${error.message}\n${hint}`);
}
