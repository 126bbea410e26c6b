import { timingSafeEqual } from 'node:crypto';
import { randomText, sha256 } from '#core/id.ts';
import { letter, type Mailer } from '#core/mail.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, optimistically, type Write } from '#core/storage/write.store.ts';
import { mailboxOf } from '#shared/address.ts';
import { PRODUCT } from '#shared/brand.ts';
import {
  CODE_ALPHABET,
  CODE_LENGTH,
  CODE_USED_UP,
  DOMAIN_NOT_ALLOWED,
  MAILED_TOO_OFTEN,
  MAILED_TOO_OFTEN_TODAY,
  WRONG_CODE,
} from '#shared/login-code.ts';
import { DAY, MINUTE } from '#shared/time.ts';
import type { User } from '#shared/user.ts';
import * as store from './login.store.ts';
import * as session from './session.ts';
import * as user from './user.ts';
import * as whitelist from './whitelist.ts';

type Needs = { table: Table; now: Date };

export type Admission = {
  isInvited: (table: Table, email: string, now: Date) => Promise<boolean>;
  prepareAccount: (
    needs: Needs,
    email: string,
    timeZone?: string,
  ) => Promise<{ account: user.StoredUser; writes: Write[] }>;
};
type Invited = Needs & Pick<Admission, 'isInvited'>;

const VALID_MINUTES = 10;
const MOST_TRIES = 5;
/** A network from which the address signed in lately has these limits for itself, so that strangers lock nobody out. */
const MAIL_LIMITS = [
  { most: 5, window: 15 * MINUTE, refusal: MAILED_TOO_OFTEN },
  { most: 20, window: DAY, refusal: MAILED_TOO_OFTEN_TODAY },
];
const KNOWN_FOR = 30 * DAY;
const MOST_NETWORKS = 5;

type Requested = { mailed: boolean; refusal?: string | undefined };

/** The response is the same if the address was mailed too often. False in a stage that sends no mails. */
export async function requestCode(
  needs: Invited & { mailer: Mailer | undefined },
  email: string,
  network: string,
): Promise<Requested> {
  await requireAdmitted(needs, email);
  if (!needs.mailer) return { mailed: false };
  const code = newCode();
  const refusal = await issue(needs, email, code, { network });
  if (refusal === undefined) await needs.mailer.send(email, codeLetter(code, VALID_MINUTES));
  return { mailed: true, refusal };
}

/** Issues a code that the operator hands over instead of a mail. Their number is not limited, as none is mailed. */
export async function issueCode(needs: Invited, email: string): Promise<{ code: string; minutes: number }> {
  await requireAdmitted(needs, email);
  const code = newCode();
  await issue(needs, email, code);
  return { code, minutes: VALID_MINUTES };
}

const newCode = () => randomText(CODE_ALPHABET, CODE_LENGTH);

/** Replaces the code of an address. For a code that is to be mailed, returns why it may not be. */
async function issue(
  { table, now }: Needs,
  email: string,
  code: string,
  mail?: { network: string },
): Promise<string | undefined> {
  const { refusal } = await optimistically({
    read: () => store.read(table, email),
    write: async (before): Promise<{ refusal?: string } | undefined> => {
      const { mailed, networks } = remembered(before, now);
      const hash = mail && networkHash(email, mail.network);
      const known = hash !== undefined && Object.hasOwn(networks, hash) ? { network: hash } : {};
      const own = mailed.filter(({ network }) => network === known.network);
      const limit = MAIL_LIMITS.find(({ most, window }) => {
        const since = new Date(now.getTime() - window).toISOString();
        return own.filter(({ at }) => at > since).length >= most;
      });
      if (mail && limit) return { refusal: limit.refusal };
      const next = {
        hash: hashOf(email, code),
        expires_at: expiryFrom(now),
        tries: 0,
        known_tries: 0,
        mailed: mail ? [...mailed, { at: now.toISOString(), ...known }] : mailed,
        networks,
      };
      return (await store.replace(table, email, before, next, forgetAt(networks, now))) ? {} : undefined;
    },
    conflict: 'Another request for this address is under way. Please try again.',
  });
  return refusal;
}

/** The mails and networks that still count. */
function remembered(code: store.Code | undefined, now: Date): Pick<store.Code, 'mailed' | 'networks'> {
  const since = (length: number) => new Date(now.getTime() - length).toISOString();
  const networks = Object.entries(code?.networks ?? {}).filter(([, at]) => at > since(KNOWN_FOR));
  return {
    mailed: (code?.mailed ?? []).filter(({ at }) => at > since(DAY)),
    networks: Object.fromEntries(networks),
  };
}

function forgetAt(networks: store.Code['networks'], now: Date): Date {
  const known = Object.values(networks).map(at => Date.parse(at) + KNOWN_FOR);
  return new Date(Math.max(now.getTime() + DAY, ...known));
}

/** Without the mailbox, a hash of a network could be looked up in a table of all networks. */
const networkHash = (email: string, network: string) => sha256(`${mailboxOf(email)} ${network}`).slice(0, 22);

/**
 * Throws an error if the address may not sign in. All three items are read for every address, so that the duration does not
 * show which of them exist.
 */
async function requireAdmitted({ table, now, isInvited }: Invited, email: string): Promise<void> {
  const reasons = await Promise.all([
    whitelist.allows({ table }, email),
    user.idOf(table, email),
    isInvited(table, email, now),
  ]);
  if (!reasons.some(Boolean)) throw new Refusal('forbidden', DOMAIN_NOT_ALLOWED);
}

type Attempt = { email: string; code: string; time_zone?: string; userAgent: string; network: string };

/** Exchanges a code for a session. The first sign-in also creates an account and an organization. */
export async function signIn(
  needs: Needs & Pick<Admission, 'prepareAccount'>,
  { email, code, time_zone, userAgent, network }: Attempt,
): Promise<{ token: string; user: User }> {
  const { table, now } = needs;
  const known = { network: networkHash(email, network), since: new Date(now.getTime() - KNOWN_FOR) };
  const issued = await store.countTry(table, email, now, { most: MOST_TRIES, known });
  if (!issued) throw await refusalWithoutCode(needs, email, known.network);
  const hash = hashOf(email, code);
  if (!issued.hash || !timingSafeEqual(Buffer.from(issued.hash), Buffer.from(hash))) {
    throw triesOf(issued, known.network, now) < MOST_TRIES ? wrongCode() : codeUsedUp();
  }

  const { account, writes } = await accountOf(needs, email, time_zone);
  const opened = session.newSession(needs, account.id, userAgent);
  const networks = withNetwork(remembered(issued, now).networks, known.network, now);
  const use = store.codeUseWrite(table, email, hash, networks, forgetAt(networks, now));
  const exchange = [use, ...writes, ...opened.writes];
  if (!(await conditionsHeld(commit(table, exchange)))) throw wrongCode();
  await session.endOldest(needs, account.id);
  return { token: opened.token, user: user.shown(account) };
}

/**
 * The error for an address without a valid code, or without a try left. Its tries are counted too, for as long as a code
 * would be valid: otherwise the response would show for which addresses a code was requested.
 */
async function refusalWithoutCode({ table, now }: Needs, email: string, network: string): Promise<Refusal> {
  const before = await store.read(table, email);
  if (before && before.expires_at > now.toISOString()) {
    return triesOf(before, network, now) < MOST_TRIES ? wrongCode() : codeUsedUp();
  }
  const { mailed, networks } = remembered(before, now);
  const first = { expires_at: expiryFrom(now), tries: 1, known_tries: 1, mailed, networks };
  await store.replace(table, email, before, first, forgetAt(networks, now));
  return wrongCode();
}

const triesOf = (code: store.Code, network: string, now: Date) =>
  Object.hasOwn(remembered(code, now).networks, network) ? code.known_tries : code.tries;

/** The networks with this one, which was used last; the others by their age. */
const withNetwork = (networks: store.Code['networks'], network: string, now: Date) =>
  Object.fromEntries(
    Object.entries({ ...networks, [network]: now.toISOString() })
      .sort(([, a], [, b]) => (a < b ? 1 : -1))
      .slice(0, MOST_NETWORKS),
  );

async function accountOf(
  { prepareAccount, ...needs }: Needs & Pick<Admission, 'prepareAccount'>,
  email: string,
  timeZone?: string,
): ReturnType<Admission['prepareAccount']> {
  const id = await user.idOf(needs.table, email);
  return id ? { account: await user.find(needs, id), writes: [] } : prepareAccount(needs, email, timeZone);
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
