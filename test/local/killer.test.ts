import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool, type Pool } from '#local/functions/pool.ts';
import { mailgunAlone } from './fixture/mailgun.ts';

const pools: Pool[] = [];
const { mailgun, messages, killer } = mailgunAlone(() => pools);
let sender: Pool;
let other: Pool;

const pool = (entry: string, name: string) =>
  createPool({
    entry,
    mostAtOnce: () => 2,
    patience: 1,
    launch: {
      file: join(import.meta.dirname, 'fixture/process/post.mjs'),
      exported: 'handler',
      name,
      arn: name,
      environment: { PATH: process.env.PATH ?? '', MAILGUN_US_URL: mailgun().urlOf(name, 'mailgun-us') },
      timeoutSeconds: 10,
    },
    offset: () => 0,
    log: () => {},
    invoked: () => () => {},
    failed: () => {},
  });

beforeAll(() => {
  sender = pool('functions/sending/sender.ts', 'sender');
  other = pool('functions/api/list.ts', 'list');
  pools.push(sender, other);
});
afterAll(() => {
  for (const one of pools) one.close();
});

const texts = () => messages().map(({ text }) => text);
const KILLED = { failure: { kind: 'crashed' } };

it('a sender is killed as its call arrives, before that is accepted: once, and no other function', async () => {
  killer.set('before_post');
  expect(await other.invoke('from another')).toMatchObject({ result: '200' });
  expect(await sender.invoke('first')).toMatchObject(KILLED);
  expect(await sender.invoke('second')).toMatchObject({ result: '200' });
  expect(texts()).toEqual(['second', 'from another']);
});

it('a sender is killed after its call was accepted, and gets no answer', async () => {
  killer.set('after_post');
  expect(await sender.invoke('third')).toMatchObject(KILLED);
  expect(await sender.invoke('fourth')).toMatchObject({ result: '200' });
  expect(texts()).toEqual(['fourth', 'third']);
});

it('of several processes at work only the one that calls is killed', async () => {
  killer.set('after_post');
  const both = await Promise.all([sender.invoke('fifth'), sender.invoke('sixth')]);
  expect(both.filter(outcome => 'failure' in outcome)).toHaveLength(1);
  expect(texts().sort()).toEqual(['fifth', 'sixth']);
});

it('nobody is killed any more once that is called off', async () => {
  killer.set('before_post');
  killer.set(null);
  expect(await sender.invoke('seventh')).toMatchObject({ result: '200' });
});
