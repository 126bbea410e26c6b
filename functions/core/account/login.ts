import { timingSafeEqual } from 'node:crypto';
import { letter, type Mailer } from '#core/mail.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { randomText, sha256 } from '#core/secret.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, optimistically, type Write } from '#core/storage/write.store.ts';
import { PRODUCT } from '#shared/brand.ts';
import {
  CODE_ALPHABET,
  CODE_LENGTH,
  CODE_USED_UP,
  DOMAIN_NOT_ALLOWED,
  WRONG_CODE,
} from '#shared/login-code.ts';
import { MINUTE } from '#shared/time.ts';
import type { User } from '#shared/user.ts';
import * as store from './login.store.ts';
import * as session from './session.ts';
import * as user from './user.ts';
import * as whitelist from './whitelist.ts';

type Needs = { table: Table; now: Date };

export type Admission = {
  isInvited: (table: Table, email: string, now: Date) => Promise<boolean>;
  prepareAccount: (needs: Needs, email: string) => Promise<{ account: user.StoredUser; writes: Write[] }>;
};
type Invited = Needs & Pick<Admission, 'isInvited'>;

const VALID_MINUTES = 10;
const MOST_TRIES = 5;
const MOST_MAILS = 5;
const MAILS_WINDOW = 15 * MINUTE;

/** The response is the same if the address was mailed too often. False in a stage that sends no mails. */
export async function requestCode(
  needs: Invited & { mailer: Mailer | undefined },
  email: string,
): Promise<boolean> {
  await requireAdmitted(needs, email);
  if (!needs.mailer) return false;
  const code = newCode();
  if (await issue(needs, email, code, { isMailed: true }))
    await needs.mailer.send(email, codeLetter(code, VALID_MINUTES));
  return true;
}

/** Issues a code that the operator hands over instead of a mail. Their number is not limited, as none is mailed. */
export async function issueCode(needs: Invited, email: string): Promise<{ code: string; minutes: number }> {
  await requireAdmitted(needs, email);
  const code = newCode();
  await issue(needs, email, code, { isMailed: false });
  return { code, minutes: VALID_MINUTES };
}

const newCode = () => randomText(CODE_ALPHABET, CODE_LENGTH);

/** Replaces the code of an address. Returns false if the address was mailed too often. */
async function issue(
  { table, now }: Needs,
  email: string,
  code: string,
  { isMailed }: { isMailed: boolean },
): Promise<boolean> {
  return optimistically({
    read: () => store.read(table, email),
    write: async before => {
      const since = now.getTime() - MAILS_WINDOW;
      const lately = (before?.mailed ?? []).filter(at => new Date(at).getTime() > since);
      if (isMailed && lately.length >= MOST_MAILS) return false;
      const next = {
        hash: hashOf(email, code),
        expires_at: expiryFrom(now),
        tries: 0,
        mailed: isMailed ? [...lately, now.toISOString()] : lately,
      };
      const forget = new Date(now.getTime() + MAILS_WINDOW);
      return (await store.replace(table, email, before, next, forget)) || undefined;
    },
    conflict: 'Another request for this address is under way. Please try again.',
  });
}

/** All three items are read for every address, so that the duration does not show which of them exist. */
async function requireAdmitted({ table, now, isInvited }: Invited, email: string): Promise<void> {
  const reasons = await Promise.all([
    whitelist.allows({ table }, email),
    user.idOf(table, email),
    isInvited(table, email, now),
  ]);
  if (!reasons.some(Boolean)) throw new Refusal('forbidden', DOMAIN_NOT_ALLOWED);
}

/** Exchanges a code for a session. The first sign-in also creates an account and an organization. */
export async function signIn(
  needs: Needs & Pick<Admission, 'prepareAccount'>,
  { email, code, userAgent }: { email: string; code: string; userAgent: string },
): Promise<{ token: string; user: User }> {
  const { table, now } = needs;
  const issued = await store.countTry(table, email, now, MOST_TRIES);
  if (!issued) throw await refusalWithoutCode(needs, email);
  const hash = hashOf(email, code);
  if (!issued.hash || !timingSafeEqual(Buffer.from(issued.hash), Buffer.from(hash))) {
    throw issued.tries < MOST_TRIES ? wrongCode() : codeUsedUp();
  }

  const { account, writes } = await accountOf(needs, email);
  const opened = session.newSession(needs, account.id, userAgent);
  const exchange = [store.codeUseWrite(table, email, hash), ...writes, ...opened.writes];
  if (!(await conditionsHeld(commit(table, exchange)))) throw wrongCode();
  await session.endOldest(needs, account.id);
  return { token: opened.token, user: user.shown(account) };
}

/** Its tries are counted too: otherwise the response would show for which addresses a code was requested. */
async function refusalWithoutCode({ table, now }: Needs, email: string): Promise<Refusal> {
  const before = await store.read(table, email);
  if (before && before.expires_at > now.toISOString()) {
    return before.tries < MOST_TRIES ? wrongCode() : codeUsedUp();
  }
  const first = { expires_at: expiryFrom(now), tries: 1, mailed: before?.mailed ?? [] };
  await store.replace(table, email, before, first, new Date(now.getTime() + MAILS_WINDOW));
  return wrongCode();
}

async function accountOf(
  { prepareAccount, ...needs }: Needs & Pick<Admission, 'prepareAccount'>,
  email: string,
): ReturnType<Admission['prepareAccount']> {
  const id = await user.idOf(needs.table, email);
  return id ? { account: await user.find(needs, id), writes: [] } : prepareAccount(needs, email);
}

/** The hash includes the address with its plus tag: a code is valid only for the address for which it was requested. */
const hashOf = (email: string, code: string) => sha256(`${email} ${code}`);

const expiryFrom = (now: Date) => new Date(now.getTime() + VALID_MINUTES * MINUTE).toISOString();

const wrongCode = () => invalid('code', WRONG_CODE);
const codeUsedUp = () => invalid('code', CODE_USED_UP);

export const codeLetter = (code: string, minutes: number) =>
  letter(`Your ${PRODUCT} login code`, [
    { paragraph: `Enter this code to sign in to ${PRODUCT}:` },
    { code },
    { paragraph: `It is valid for ${minutes} minutes and works once.` },
    {
      paragraph: 'If you did not ask for it, you can ignore this mail: nobody can sign in without the code.',
    },
  ]);
