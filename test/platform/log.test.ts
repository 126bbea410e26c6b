import { describe, expect, it } from 'vitest';
import { described, redacting } from '#functions/platform/log.ts';

const token = 'Zk3_'.repeat(11);

describe('an unexpected error in the log', () => {
  it('has its words without addresses, codes and secrets, and the place where it was thrown', () => {
    const logged = described(new RangeError(`<anna@example.com> (token ${token}), code ABC234`));
    expect(logged.name).toBe('RangeError');
    expect(logged.message).toBe('<[address]> (token [secret]), code [code]');
    expect(logged.stack).toMatch(/^ +at .*log\.test\.ts:\d+:\d+/);
  });

  it.each([
    '"john doe"@example.com',
    "o'brien@example.com",
    "'quoted'@example.com",
    'anna/@example.com',
    'anna/home@example.com',
  ])('has nothing of the address %s', address => {
    expect(described(new Error(`No ${address} here`)).message).toBe('No [address] here');
  });

  it('has none of the values that the request named', () => {
    const { message } = described(new Error('No token my program of 7'), ['my', 'my program', '7']);
    expect(message).toBe('No token [hidden] of 7');
  });

  it('has its causes, each without secrets, and no more than three', () => {
    const refused = new AggregateError([new Error('connect ECONNREFUSED for anna@example.com')]);
    const error = new Error('The table does not answer', { cause: refused });
    expect(described(error)).toMatchObject({
      message: 'The table does not answer',
      cause: { name: 'AggregateError', cause: { message: 'connect ECONNREFUSED for [address]' } },
    });
    const endless = new Error('again');
    endless.cause = endless;
    expect(JSON.stringify(described(endless)).match(/again/g)).toHaveLength(4);
  });

  it('is of bounded length', () => {
    const error = new Error('words '.repeat(10_000));
    error.stack = `Error: words\n${'    at f (a.ts:1:1)\n'.repeat(10_000)}`;
    const { message, stack } = described(error);
    expect(message).toHaveLength(501);
    expect(stack.split('\n')).toHaveLength(20);
  });

  it('keeps the names of packages, and takes no line of its message for a place', () => {
    const error = new Error(
      `Cannot find module '/var/task/node_modules/@aws-sdk/x'\n    at ${token} (a.ts:1:1)`,
    );
    const { message, stack } = described(error);
    expect(message).toContain('node_modules/@aws-sdk/x');
    expect(message + stack).not.toContain(token);
  });

  it('keeps the names of functions, however long', () => {
    const answersWhatTheTableHasReadForAllOfThem = () => new Error();
    expect(described(answersWhatTheTableHasReadForAllOfThem()).stack).toContain('ForAllOfThem');
  });

  it('may be no error at all', () => {
    expect(described('anna@example.com')).toEqual({ name: 'Unknown', message: '[address]', stack: '' });
  });
});

describe('a handler whose errors may be logged', () => {
  const failing = redacting(async (name: string) => {
    const cause = new Error(`${token} was refused`);
    throw Object.assign(new TypeError(`${name} is no member`, { cause }), { name: 'Odd', item: name });
  });

  it('fails with the words and the place of its error, and nothing else of it', async () => {
    const error: Error = await failing('anna@example.com').catch(thrown => thrown);
    expect(error).toMatchObject({ name: 'Odd', message: '[address] is no member' });
    expect(error.stack).toMatch(
      /^Odd: \[address\] is no member\n +at .*log\.test\.ts.*\nCaused by Error: \[secret\] was refused\n/s,
    );
    expect(error).not.toHaveProperty('item');
  });

  it('answers what it answers', async () => {
    expect(await redacting(async (one: number, other: number) => one + other)(1, 2)).toBe(3);
  });
});
