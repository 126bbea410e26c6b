import { beforeEach, describe, expect, it } from 'vitest';
import type { Letter } from '../../functions/core/letter.ts';
import * as login from '../../functions/core/login/login.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { extend } from '../../functions/core/session/session.store.ts';
import * as session from '../../functions/core/session/session.ts';
import { queryPartition } from '../../functions/core/table.store.ts';
import * as whitelist from '../../functions/core/whitelist/whitelist.ts';
import { LostRace } from '../../functions/core/write.store.ts';
import { CODE_ALPHABET, CODE_USED_UP, DOMAIN_NOT_ALLOWED, WRONG_CODE } from '../../shared/login-code.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);

let mails: { to: string; letter: Letter }[];
let email: string;
let count = 0;
const mailer = {
  send: async (to: string, letter: Letter) => {
    mails.push({ to, letter });
  },
};

beforeEach(async () => {
  mails = [];
  email = `person${++count}@example.com`;
  await whitelist.add({ table }, ['example.com']);
});

const request = (now = START, to = email) => login.requestCode({ table, mailer, now }, to);
const signIn = (code: string, now = START) => login.signIn({ table, now }, { email, code, userAgent: '' });
const mailedCode = (index = mails.length - 1) =>
  new RegExp(`^[${CODE_ALPHABET}]{6}$`, 'm').exec(mails[index]?.letter.text ?? '')?.[0] ?? '';
/** A code that differs from the mailed one. */
const wrong = () => [...mailedCode()].map(character => (character === 'A' ? 'B' : 'A')).join('');

describe('a code', () => {
  it('is unbroken in the text and in the HTML of one mail to the address', async () => {
    await request();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toBe(email);
    expect(mailedCode()).toHaveLength(6);
    expect(mails[0]?.letter.html).toContain(`>${mailedCode()}<`);
  });

  it('is not stored in plain text', async () => {
    await request();
    expect(JSON.stringify(await queryPartition(table, `EMAIL#${email}`))).not.toContain(mailedCode());
  });

  it('opens a session once', async () => {
    await request();
    await expect(signIn(mailedCode())).resolves.toMatchObject({ user: { email } });
    await expect(signIn(mailedCode())).rejects.toThrow(WRONG_CODE);
  });

  it('opens one session when several requests use it at once', async () => {
    await request();
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => signIn(mailedCode())));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { value } = tries.find(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<{
      user: { id: string };
    }>;
    expect(await queryPartition(table, `USER#${value.user.id}`, 'SESSION#')).toHaveLength(1);
    expect(await queryPartition(table, `USER#${value.user.id}`, 'ORG#')).toHaveLength(1);
  });

  it('is valid for ten minutes', async () => {
    await request();
    await expect(signIn(mailedCode(), later(599))).resolves.toBeDefined();
    await request(later(600));
    await expect(signIn(mailedCode(), later(1201))).rejects.toThrow(WRONG_CODE);
  });

  it('is no longer valid when another one is sent', async () => {
    await request();
    await request(later(1));
    expect(mailedCode(0)).not.toBe(mailedCode(1));
    await expect(signIn(mailedCode(0), later(2))).rejects.toThrow(WRONG_CODE);
    await expect(signIn(mailedCode(1), later(2))).resolves.toBeDefined();
  });

  it('is refused after five wrong tries, even when it is right, until another is requested', async () => {
    await request();
    for (let i = 0; i < 4; i++) await expect(signIn(wrong())).rejects.toThrow(WRONG_CODE);
    await expect(signIn(wrong())).rejects.toThrow(CODE_USED_UP);
    await expect(signIn(mailedCode())).rejects.toThrow(CODE_USED_UP);
    await request();
    await expect(signIn(mailedCode())).resolves.toBeDefined();
  });

  it('has its tries counted alike whether it was requested, used, has expired or never was', async () => {
    const answers = async (now: Date) => {
      const tries = [];
      for (let i = 0; i < 6; i++)
        tries.push(await signIn('AAAAAA', now).catch(({ message }: Error) => message));
      return tries;
    };
    const counted = [...Array(4).fill(WRONG_CODE), CODE_USED_UP, CODE_USED_UP];
    expect(await answers(START)).toEqual(counted);
    expect(await answers(later(599))).not.toContain(WRONG_CODE);
    expect(await answers(later(600))).toEqual(counted);
    await request(later(600));
    expect(await answers(later(600))).toEqual(counted);
    await request(later(1200));
    expect(await answers(later(1801))).toEqual(counted);
    await request(later(2500));
    await signIn(mailedCode(), later(2500));
    expect((await answers(later(2500))).slice(-3)).toEqual([CODE_USED_UP, CODE_USED_UP, CODE_USED_UP]);
  });

  it('is compared at most five times, however many requests guess at once', async () => {
    await request();
    const guesses = await Promise.allSettled(Array.from({ length: 200 }, () => signIn(wrong())));
    expect(guesses.every(({ status }) => status === 'rejected')).toBe(true);
    const [code] = await queryPartition(table, `EMAIL#${email}`, 'CODE');
    expect(code?.tries).toBe(5);
  });

  it('of one address is not valid for another', async () => {
    await request();
    const code = mailedCode();
    email = `other${count}@example.com`;
    await expect(signIn(code)).rejects.toThrow(WRONG_CODE);
  });
});

describe('mails', () => {
  it('are at most five in any fifteen minutes, and a further request is answered alike', async () => {
    for (let i = 0; i < 7; i++) await expect(request(later(i))).resolves.toBeUndefined();
    expect(mails).toHaveLength(5);
    await request(later(15 * 60 - 1));
    expect(mails).toHaveLength(5);
    await request(later(15 * 60));
    expect(mails).toHaveLength(6);
    await request(later(15 * 60));
    expect(mails).toHaveLength(6);
  });

  it('are at most five when fifty requests come at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => request()));
    expect(mails).toHaveLength(5);
  });

  it('count also after a code was used', async () => {
    for (let i = 0; i < 5; i++) await request();
    await signIn(mailedCode());
    await request(later(1));
    expect(mails).toHaveLength(5);
  });
});

describe('an address', () => {
  it('of a domain that is not listed is refused, and nothing is stored or sent', async () => {
    await expect(request(START, 'someone@elsewhere.test')).rejects.toThrow(DOMAIN_NOT_ALLOWED);
    expect(mails).toEqual([]);
    expect(await queryPartition(table, 'EMAIL#someone@elsewhere.test')).toEqual([]);
  });

  it('that has an account may sign in when its domain is not listed any more', async () => {
    await request();
    await signIn(mailedCode());
    await whitelist.remove({ table }, ['example.com']);
    await request(later(1));
    expect(mails).toHaveLength(2);
  });

  it('of any domain may register where * is listed', async () => {
    await whitelist.add({ table }, ['*']);
    await request(START, `anyone${count}@elsewhere.test`);
    expect(mails).toHaveLength(1);
    await whitelist.remove({ table }, ['*']);
  });
});

describe('the first sign-in', () => {
  it('creates the user, named after their address, and an organization that is theirs and their default', async () => {
    await request();
    const { user } = await signIn(mailedCode());
    expect(user).toMatchObject({ name: `person${count}`, email, terms_accepted: false });
    expect(await organization.listOf({ table }, user.id)).toEqual([
      {
        id: expect.any(Number),
        name: `person${count}'s organization`,
        logo: null,
        active: true,
        is_default: true,
        role: 'OWNER',
      },
    ]);
  });

  it('creates them once: the next sign-in finds the same account', async () => {
    await request();
    const first = await signIn(mailedCode());
    await request(later(1));
    const second = await signIn(mailedCode(), later(1));
    expect(second.user).toEqual(first.user);
    expect(second.token).not.toBe(first.token);
    expect(await organization.listOf({ table }, first.user.id)).toHaveLength(1);
  });
});

describe('a session', () => {
  const DAY = 24 * 60 * 60;

  async function open(now = START) {
    await request(now);
    const { token } = await signIn(mailedCode(), now);
    const found = await session.authenticate({ table, now }, token);
    if (!found) throw new Error('The session did not open');
    return { token, found };
  }

  it('lasts thirty days after its last use', async () => {
    const { token } = await open();
    expect(await session.authenticate({ table, now: later(29 * DAY) }, token)).toBeDefined();
    expect(await session.authenticate({ table, now: later(58 * DAY) }, token)).toBeDefined();
    expect(await session.authenticate({ table, now: later(88 * DAY) }, token)).toBeUndefined();
  });

  it('is extended once when several requests use it at once', async () => {
    const { token, found } = await open();
    const uses = Array.from({ length: 10 }, () =>
      session.authenticate({ table, now: later(2 * DAY) }, token),
    );
    for (const used of await Promise.all(uses)) expect(used).toMatchObject({ hash: found.hash });
    const version = { ...found, last_used_at: found.created_at };
    await expect(extend(table, version.last_used_at, found)).rejects.toThrow(LostRace);
  });

  it('is extended once a day at most', async () => {
    const { token, found } = await open();
    const used = await session.authenticate({ table, now: later(DAY - 1) }, token);
    expect(used).toEqual(found);
  });

  it('stays ended when it is ended while another request extends it', async () => {
    const { token, found } = await open();
    const [used] = await Promise.all([
      session.authenticate({ table, now: later(2 * DAY) }, token),
      session.end({ table }, found),
    ]);
    expect(used === undefined || used.hash === found.hash).toBe(true);
    expect(await session.authenticate({ table, now: later(2 * DAY) }, token)).toBeUndefined();
    expect(await queryPartition(table, `USER#${found.user_id}`, 'SESSION#')).toEqual([]);
  });

  it('can end all others of its user', async () => {
    const one = await open();
    const two = await open(later(1));
    await session.endOthers({ table }, two.found);
    expect(await session.authenticate({ table, now: later(2) }, one.token)).toBeUndefined();
    expect(await session.listed({ table, now: later(2) }, two.found)).toMatchObject([{ current: true }]);
  });

  it('of another user cannot be ended', async () => {
    const mine = await open();
    email = `stranger${count}@example.com`;
    const theirs = await open();
    await expect(session.endOne({ table }, theirs.found, mine.found.hash)).rejects.toThrow('ended already');
    expect(await session.authenticate({ table, now: START }, mine.token)).toBeDefined();
  });
});
