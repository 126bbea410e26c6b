import { beforeEach, describe, expect, it } from 'vitest';
import * as login from '#core/account/login.ts';
import * as whitelist from '#core/account/whitelist.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { listOf, prepareAccount } from '#core/organization/organization.ts';
import { queryPartition, type Table } from '#core/storage/table.store.ts';
import {
  CODE_ALPHABET,
  CODE_USED_UP,
  DOMAIN_NOT_ALLOWED,
  MAILED_TOO_OFTEN,
  MAILED_TOO_OFTEN_TODAY,
  WRONG_CODE,
} from '#shared/login-code.ts';
import { DAY } from '#shared/time.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { postbox } from '#test/support/people.ts';

const table = freshTable();
const START = new Date('2026-03-01T09:00:00Z');
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000);

let { mails, mailer } = postbox();
let email: string;
let count = 0;

beforeEach(async () => {
  ({ mails, mailer } = postbox());
  email = `person${++count}@example.com`;
  await whitelist.add({ table }, ['example.com']);
});

const [HERE, ELSEWHERE] = ['192.0.2', '198.51.100'];
const request = (now = START, to = email, network = HERE) =>
  login.requestCode({ table, mailer, now, isInvited }, to, network);
const signIn = (code: string, now = START, as = email, on: Table = table, network = HERE) =>
  login.signIn({ table: on, now, prepareAccount }, { email: as, code, userAgent: '', network });
const tryElsewhere = (code: string, now: Date) => signIn(code, now, email, table, ELSEWHERE);
const storedCode = async () => (await queryPartition(table, `EMAIL#${email}`, 'CODE'))[0];
const tagged = (tag: string) => email.replace('@', `+${tag}@`);
const mailedCode = (index = mails.length - 1) =>
  new RegExp(`^[${CODE_ALPHABET}]{6}$`, 'm').exec(mails[index]?.letter.text ?? '')?.[0] ?? '';
const wrong = () => [...mailedCode()].map(character => (character === 'A' ? 'B' : 'A')).join('');

describe('a code', () => {
  it('is unbroken in the text and in the HTML of one mail to the address', async () => {
    await request();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toBe(email);
    expect(mailedCode()).toHaveLength(6);
    expect(mails[0]?.letter.html).toContain(`>${mailedCode()}<`);
  });

  it('is one of 31 to the power of six, drawn from letters and digits that do not look alike', async () => {
    for (let i = 0; i < 5; i++) await request();
    const codes = mails.map((_, index) => mailedCode(index)).join('');
    expect(codes).toMatch(/^[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{30}$/);
    expect(codes).toMatch(/[A-Z]/);
    expect(new Set(CODE_ALPHABET).size).toBe(31);
  });

  it('is not stored in plain text', async () => {
    await request();
    expect(JSON.stringify(await queryPartition(table, `EMAIL#${email}`))).not.toContain(mailedCode());
  });

  it('that the operator hands over is mailed to nobody, replaces the one before, and is like any other', async () => {
    await request();
    const codes: string[] = [];
    // As many as are mailed at most, and one more.
    for (let i = 0; i < 6; i++) {
      const { code, minutes } = await login.issueCode({ table, now: later(i), isInvited }, email);
      expect(minutes).toBe(10);
      codes.push(code);
    }
    const code = codes.at(-1) ?? '';
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(await queryPartition(table, `EMAIL#${email}`))).not.toContain(code);
    for (const before of [mailedCode(), codes[0] ?? ''])
      await expect(signIn(before, later(10))).rejects.toThrow(WRONG_CODE);
    await expect(signIn(code, later(10))).resolves.toMatchObject({ user: { email } });
    await expect(signIn(code, later(11))).rejects.toThrow(WRONG_CODE);
    // None of them counts as a mail.
    for (let i = 0; i < 4; i++) await request(later(20 + i), email, ELSEWHERE);
    expect(mails).toHaveLength(5);
    const last = await login.issueCode({ table, now: later(30), isInvited }, email);
    await request(later(31), email, ELSEWHERE);
    expect(mails).toHaveLength(5);
    await expect(signIn(last.code, later(10 * 60 + 30))).rejects.toThrow(WRONG_CODE);
  });

  it('that the operator hands over is refused to the same addresses as a mailed one', async () => {
    const stranger = 'person@elsewhere.example.org';
    await expect(login.issueCode({ table, now: START, isInvited }, stranger)).rejects.toThrow(
      DOMAIN_NOT_ALLOWED,
    );
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

  it('opens no second session for a request that has compared it already', async () => {
    await request();
    const { user } = await signIn(mailedCode());
    await request(later(1));
    const code = mailedCode();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => signIn(code, later(1)));
    await expect(signIn(code, later(1), email, meanwhile)).rejects.toThrow(WRONG_CODE);
    expect(await queryPartition(table, `USER#${user.id}`, 'SESSION#')).toHaveLength(2);
  });

  it('is deleted by DynamoDB no sooner than its mails and its networks stop counting', async () => {
    await request();
    await request(later(60));
    const forgotten = (seconds: number, days: number) => later(seconds + days * 86_400).getTime() / 1000;
    expect((await storedCode())?.ttl).toBe(forgotten(60, 1));
    await expect(signIn('AAAAAA', later(700))).rejects.toThrow(WRONG_CODE);
    expect((await storedCode())?.ttl).toBe(forgotten(700, 1));
    await request(later(800));
    await signIn(mailedCode(), later(900));
    expect((await storedCode())?.ttl).toBe(forgotten(900, 30));
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

  it('is neither stored nor replaced where no emails are sent, and only for who may sign in', async () => {
    const unmailed = (to: string) =>
      login.requestCode({ table, mailer: undefined, isInvited, now: later(1) }, to, HERE);
    expect(await unmailed(email)).toEqual({ mailed: false });
    expect(await storedCode()).toBeUndefined();
    expect(await request()).toEqual({ mailed: true });
    await unmailed(email);
    await expect(signIn(mailedCode(), later(2))).resolves.toBeDefined();
    await expect(unmailed('someone@elsewhere.test')).rejects.toThrow(DOMAIN_NOT_ALLOWED);
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
        tries.push(await tryElsewhere('AAAAAA', now).catch(({ message }: Error) => message));
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
    expect((await storedCode())?.tries).toBe(5);
  });
});

describe('the tags of an address', () => {
  it('have a code each that is valid for no other, nor for the address without a tag', async () => {
    await request(START, tagged('a'));
    const code = mailedCode();
    for (const as of [email, tagged('b')]) {
      await expect(signIn(code, START, as)).rejects.toThrow(WRONG_CODE);
    }
    expect((await signIn(code, START, tagged('a'))).user.email).toBe(tagged('a'));
    await request(later(1));
    await expect(signIn(mailedCode(), later(1), tagged('a'))).rejects.toThrow(WRONG_CODE);
    expect((await signIn(mailedCode(), later(1))).user.email).toBe(email);
  });

  it('have their mails counted together', async () => {
    for (const tag of ['a', 'b', 'c', 'd']) await request(START, tagged(tag));
    await request();
    await request(START, tagged('e'));
    await request();
    expect(mails.map(({ to }) => to)).toEqual([...['a', 'b', 'c', 'd'].map(tagged), email]);
  });

  it('have their mails counted together with those of its forms with dots, which Gmail does not tell apart', async () => {
    const forms = ['anna@gmail.com', 'a.nna@gmail.com', 'an.na+x@gmail.com', 'ann.a@googlemail.com'];
    await whitelist.add({ table }, ['gmail.com', 'googlemail.com']);
    for (const as of [...forms, 'a.n.na@gmail.com', 'a.n.n.a@gmail.com']) await request(START, as);
    expect(mails.map(({ to }) => to)).toEqual([...forms, 'a.n.na@gmail.com']);
  });

  it('have their tries counted together', async () => {
    await request();
    for (const tag of ['a', 'b', 'c', 'd']) {
      await expect(signIn(wrong(), START, tagged(tag))).rejects.toThrow(WRONG_CODE);
    }
    await expect(signIn(wrong(), START, tagged('e'))).rejects.toThrow(CODE_USED_UP);
    await expect(signIn(mailedCode())).rejects.toThrow(CODE_USED_UP);
  });

  it('do not include dots: those are another address', async () => {
    const dotted = email.replace('person', 'per.son');
    for (let i = 0; i < 5; i++) await request(START, dotted);
    await request();
    expect(mails).toHaveLength(6);
  });
});

describe('mails', () => {
  it('are at most five in any fifteen minutes, and a further request says to wait', async () => {
    for (let i = 0; i < 5; i++) await expect(request(later(i))).resolves.toEqual({ mailed: true });
    for (let i = 5; i < 7; i++)
      await expect(request(later(i))).resolves.toEqual({ mailed: true, refusal: MAILED_TOO_OFTEN });
    expect(mails).toHaveLength(5);
    await request(later(15 * 60 - 1));
    expect(mails).toHaveLength(5);
    await request(later(15 * 60));
    expect(mails).toHaveLength(6);
    await request(later(15 * 60));
    expect(mails).toHaveLength(6);
  });

  it('are at most twenty in any day, to all tags of the address together', async () => {
    const quarters = (n: number) => later(n * 16 * 60);
    for (let n = 0; n < 25; n++) await request(quarters(n), n % 2 ? tagged('a') : email);
    expect(mails).toHaveLength(20);
    await expect(request(quarters(26))).resolves.toMatchObject({ refusal: MAILED_TOO_OFTEN_TODAY });
    await request(new Date(START.getTime() + DAY));
    expect(mails).toHaveLength(21);
  });

  it('that strangers request do not count for a network from which the address signed in within 30 days', async () => {
    await request();
    await signIn(mailedCode());
    for (let n = 0; n < 30; n++) await request(later(n), email, ELSEWHERE);
    expect(mails).toHaveLength(5);
    for (let n = 0; n < 7; n++) await request(later(60), email, HERE);
    expect(mails).toHaveLength(10);
    for (let n = 0; n < 5; n++) await tryElsewhere('AAAAAA', later(61)).catch(() => {});
    await expect(tryElsewhere(mailedCode(), later(62))).rejects.toThrow(CODE_USED_UP);
    await expect(signIn(mailedCode(), later(63))).resolves.toMatchObject({ user: { email } });
    const past = (days: number) => new Date(START.getTime() + days * DAY + 63_000);
    for (let n = 0; n < 7; n++) await request(past(29.9), email, ELSEWHERE);
    await request(past(29.9));
    expect(mails).toHaveLength(16);
    for (let n = 0; n < 7; n++) await request(past(31), email, ELSEWHERE);
    await expect(request(past(31))).resolves.toMatchObject({ refusal: MAILED_TOO_OFTEN });
  });

  it('remember the five networks that signed in last', async () => {
    for (let n = 0; n < 7; n++) {
      const now = new Date(START.getTime() + n * DAY);
      await request(now, email, `10.0.${n}`);
      await signIn(mailedCode(), now, email, table, `10.0.${n}`);
    }
    const { networks } = (await storedCode()) as { networks: Record<string, string> };
    expect(Object.values(networks).sort()).toEqual(
      [2, 3, 4, 5, 6].map(n => new Date(START.getTime() + n * DAY).toISOString()),
    );
    expect(JSON.stringify(await storedCode())).not.toContain('10.0.');
  });

  it('are at most five when fifty requests come at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => request()));
    expect(mails).toHaveLength(5);
  });

  it('count also after the code has expired and others were tried', async () => {
    for (let i = 0; i < 5; i++) await request();
    await expect(signIn('AAAAAA', later(600))).rejects.toThrow(WRONG_CODE);
    await request(later(601));
    expect(mails).toHaveLength(5);
  });

  it('count also after a code was used', async () => {
    for (let i = 0; i < 5; i++) await request();
    await signIn(mailedCode());
    await request(later(1), email, ELSEWHERE);
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
});

describe('the first sign-in', () => {
  it('creates the user, named after their address, and an organization that is theirs and their default', async () => {
    await request();
    const { user } = await signIn(mailedCode());
    expect(user).toMatchObject({ name: `person${count}`, email, terms_accepted: false });
    expect(await listOf({ table }, user.id)).toEqual([
      {
        id: expect.any(Number),
        name: `person${count}'s organization`,
        logo: null,
        active: true,
        is_default: true,
        role: 'OWNER',
        currency: null,
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
    expect(await listOf({ table }, first.user.id)).toHaveLength(1);
  });
});
