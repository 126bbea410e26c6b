import { beforeAll, describe, expect, it } from 'vitest';
import * as whitelist from '#core/account/whitelist.ts';
import { freshTable } from '#test/support/engine.ts';

const table = freshTable();

describe('the listed domains', () => {
  beforeAll(async () => {
    await whitelist.add({ table }, ['Example.com', 'mail.example.org']);
  });

  it.each(['anna@example.com', 'anna@mail.example.org'])('allow %s', async address => {
    expect(await whitelist.allows({ table }, address)).toBe(true);
  });

  it.each([
    'anna@mail.example.com',
    'anna@notexample.com',
    'anna@example.com.example.net',
    'anna@example.org',
    'anna@com',
    'example.com@example.net',
  ])('do not allow %s', async address => {
    expect(await whitelist.allows({ table }, address)).toBe(false);
  });

  it('allow everybody where there is a star, until it is removed', async () => {
    await whitelist.add({ table }, ['*']);
    expect(await whitelist.allows({ table }, 'anna@example.net')).toBe(true);
    await whitelist.remove({ table }, ['*']);
    expect(await whitelist.allows({ table }, 'anna@example.net')).toBe(false);
    expect(await whitelist.list({ table })).toEqual(['example.com', 'mail.example.org']);
  });
});
