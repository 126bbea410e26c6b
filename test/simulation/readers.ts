import { type By, readToken, recordClick, recordOpen, type Token } from '#core/recipient/tracking.ts';
import { recordVisit, subscribeAgain, unsubscribe } from '#core/recipient/unsubscribe.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Environment } from './environment.ts';
import type { Accepted } from './provider.ts';
import type { Random } from './random.ts';
import type { Process } from './scheduler.ts';
import { PUBLIC_URL, TRACKING_KEY } from './sending.ts';
import { refusable } from './users.ts';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;
const TIMEOUT = 10 * SECOND;

/** The token in the List-Unsubscribe header of an email. */
export const unsubscribeTokenIn = (headers: Record<string, string>): Token<'unsubscribe'> | undefined =>
  readToken(
    TRACKING_KEY,
    'unsubscribe',
    (headers['List-Unsubscribe'] ?? '').replace(`<${PUBLIC_URL}/t/u/`, '').replace(/>$/, ''),
  );

type Reading = { needs: { table: Table; now: Date }; email: Token<'unsubscribe'>; random: Random };

const someone = (random: Random): By => (random.chance(0.8) ? 'person' : 'machine');

/** What people and programs do with a received email, with weights. */
const READINGS: Record<string, [weight: number, read: (reading: Reading) => Promise<unknown>]> = {
  open: [8, ({ needs, email, random }) => recordOpen(needs, email, someone(random))],
  click: [
    4,
    ({ needs, email, random }) => {
      const url = `https://shop.example.com/${random.int(2)}`;
      return recordClick(needs, { ...email, url, part: 'cta_url' }, someone(random));
    },
  ],
  lookAtPage: [1, ({ needs, email, random }) => recordVisit(needs, email, someone(random))],
  leave: [1, ({ needs, email, random }) => unsubscribe(needs, email, random.pick(['page', 'one_click']))],
  comeBack: [1, ({ needs, email }) => subscribeAgain(needs, email)],
};
const WEIGHTED = Object.entries(READINGS).map(([name, [weight, run]]) => [weight, { name, run }] as const);

/** People read some of their emails, at once or hours later, and repeat some actions. */
export function runReaders(environment: Environment) {
  const { provider, random } = environment;
  const dice = random.fork('readers');
  const share = dice.pick([0, 0.15, 0.5]);
  let running = 0;
  provider.onAccepted(email => {
    if (!dice.chance(share)) return;
    for (let count = dice.between(1, 3); count > 0; count--) read(email);
  });
  return { isIdle: () => running === 0 };

  function read({ headers, send }: Accepted): void {
    const { scheduler, tableFor, faults } = environment;
    const email = unsubscribeTokenIn(headers);
    if (!email) return;
    const { name, run } = dice.weighted(WEIGHTED);
    const random = dice.fork(`${email.hash} ${email.seq} ${dice.next()}`);
    const delay = dice.int(dice.pick([2 * SECOND, 60 * SECOND, HOUR, 20 * HOUR]));
    for (let times = dice.pick([1, 1, 2]); times > 0; times--) {
      const again = random.fork('');
      scheduler.after(delay + dice.int(2 * SECOND), () => {
        // Nobody gets an email that was rejected later.
        if (faults.isOver || provider.rejected.has(send)) return;
        running++;
        const work = (process: Process) => {
          const needs = { table: tableFor(process), now: scheduler.clockOf(process) };
          return refusable(() => run({ needs, email, random: again }));
        };
        scheduler.start(name, work, { timeout: TIMEOUT }).then(() => running--);
      });
    }
  }
}
