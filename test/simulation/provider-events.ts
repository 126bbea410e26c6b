import type { Meaning, ProviderEvent } from '#core/provider.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import type { Environment } from './environment.ts';
import type { Accepted } from './provider.ts';
import { hash, type Random } from './random.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const TIMEOUT = 10 * SECOND;
const MOST_TRIES = 8;

/** What can happen to an accepted email, with weights. */
const ENDS: [number, Meaning[]][] = [
  [12, ['accepted']],
  [3, ['accepted', 'complaint']],
  [2, ['accepted', 'unsubscribed']],
  [2, ['hard']],
  [2, ['soft']],
  [1, ['soft', 'complaint']],
  [1, ['rejected']],
];
/** One of this many people has a full mailbox. */
const FULL = 4;

/** The provider posts events about emails: late, in any order, several times, and again until there is a response. */
export function runEvents({ provider, random, scheduler, tableFor, faults }: Environment) {
  const dice = random.fork('events');
  const share = dice.pick([0, 0, 0.4, 1]);
  const salt = dice.int(1e9);
  let running = 0;

  const meaningsOf = ({ to }: Accepted): Meaning[] =>
    hash(to, salt) % FULL === 0 ? ['soft'] : dice.weighted(ENDS);

  const tell = (list: { organization: number; id: string }, event: ProviderEvent, left = MOST_TRIES) => {
    running++;
    scheduler
      .start(
        event.meaning,
        process => applyEvent({ table: tableFor(process), now: scheduler.clockOf(process) }, list, event),
        { timeout: TIMEOUT },
      )
      .then(({ state }) => {
        running--;
        if (state !== 'ended' && left > 1) {
          scheduler.after(dice.between(10, 600) * SECOND, () => tell(list, event, left - 1));
        }
      });
  };

  provider.onAccepted(email => {
    if (!dice.chance(share)) return;
    const [, organization, id = ''] = /^key-(\d+)-(\w+)-/.exec(email.key) ?? [];
    const { send } = email;
    for (const meaning of meaningsOf(email)) {
      if (meaning === 'rejected') provider.rejected.add(send);
      for (let times = dice.pick([1, 1, 2]); times > 0; times--) {
        scheduler.after(delay(dice), () => {
          if (!faults.isOver)
            tell({ organization: Number(organization), id }, { meaning, send, reason: 'mailbox full' });
        });
      }
    }
  });
  return { isIdle: () => running === 0 };
}

// Some events arrive before the response to the call that has posted the email.
const delay = (dice: Random) =>
  dice.int(dice.pick([50, 2 * SECOND, 30 * SECOND, 5 * MINUTE, 10 * 60 * MINUTE]));
