import { savedCounts } from '../bench/counts.ts';
import { plus, times, type Use } from './prices.ts';

export const MILLION = 1_000_000;

/** Of a million emails. */
export const ASSUMED = {
  opens: 400_000,
  clicks: 30_000,
  unsubscribes: 2_000,
  /** Permanent failures, complaints and unsubscribes: see docs/sending.md. */
  events: 20_000,
};

/** What no count of the bench says. */
export const GUESSED = {
  /** Of a pack of 1,000, and of 500 changes in the projector. */
  packSeconds: 5,
  projectorSeconds: 1,
  /** Of a visit, on a function of 256 MB, and of an event, on one of 512 MB. */
  visitSeconds: 0.03,
  eventSeconds: 0.05,
  /** A line of the access log, which is all that is logged of a visit; one of a function. */
  accessBytes: 200,
  loggedBytes: 400,
  /** What an answer takes with its headers. */
  answerBytes: 1_000,
  /** Of an event, or an unsubscribe: a transaction on the head, the journal, the membership and its trigger rows. */
  changeWriteUnits: 14,
};

const SENDER_GB = 1_769 / 1_024;
const GB = 1e9;

function counted(title: string, what: string): number {
  const count = savedCounts()[title]?.[what];
  if (count !== undefined) return count;
  throw new Error(`The bench has not saved “${what}” of “${title}”: npm run bench -- mails --save`);
}

const PACK = 'An email of a pack of 1,000, 1 combination';
const VISITS = 'An open and a click';

/** Three requests of a queue move a pack: it is sent, received and deleted. */
function emails(): Use {
  const packs = MILLION / 1_000;
  const batches = MILLION / 500;
  return {
    writeUnit: MILLION * counted(PACK, 'write units'),
    readUnit: MILLION * counted(PACK, 'read units'),
    queueRequest: 3 * packs,
    invocation: packs + batches,
    gigabyteSecond: packs * GUESSED.packSeconds * SENDER_GB + batches * GUESSED.projectorSeconds * 0.5,
    logGigabyte: ((packs + batches) * GUESSED.loggedBytes) / GB,
  };
}

/** From the edge to the function, without the table. */
const call = (gigabyteSeconds: number, hasFirewall: boolean): Use => ({
  edgeRequest: 1,
  apiRequest: 1,
  ...(hasFirewall && { firewallRequest: 1 }),
  invocation: 1,
  gigabyteSecond: gigabyteSeconds,
  logGigabyte: GUESSED.accessBytes / GB,
  edgeGigabyte: GUESSED.answerBytes / GB,
});

/** What a million emails use, with what follows from them. The provider's own price is not in it. */
export function ofMillion(hasFirewall = true): Record<string, Use> {
  const visit = call(GUESSED.visitSeconds * 0.25, hasFirewall);
  const open = plus(visit, {
    writeUnit: counted(VISITS, 'write units of an open, of 100 in a batch of the stream'),
  });
  const click = plus(visit, {
    writeUnit: counted(VISITS, 'write units of a click, of 100 in a batch of the stream'),
  });
  // A transaction of the claim, the head, the membership and the trigger rows, twice the units each.
  const unsubscribe = plus(times(visit, 2), { writeUnit: GUESSED.changeWriteUnits, readUnit: 4, event: 1 });
  // A key is decrypted once in five minutes and process: too seldom to show.
  const event = plus(call(GUESSED.eventSeconds * 0.5, hasFirewall), {
    readUnit: 4,
    writeUnit: GUESSED.changeWriteUnits,
    event: 1,
    logGigabyte: GUESSED.loggedBytes / GB,
  });
  return {
    'a million emails': emails(),
    [`${ASSUMED.opens.toLocaleString('en-US')} opens`]: times(open, ASSUMED.opens),
    [`${ASSUMED.clicks.toLocaleString('en-US')} clicks`]: times(click, ASSUMED.clicks),
    [`${ASSUMED.unsubscribes.toLocaleString('en-US')} unsubscribes`]: times(
      unsubscribe,
      ASSUMED.unsubscribes,
    ),
    [`${ASSUMED.events.toLocaleString('en-US')} events of the provider`]: times(event, ASSUMED.events),
  };
}
