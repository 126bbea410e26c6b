import * as listMember from '#core/list/list-member/list-member.ts';
import * as organizations from '#core/organization/organization.store.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { Refusal } from '#core/refusal.ts';
import * as stops from '#core/sending/stop.ts';
import * as position from '#core/sending/sweep/sweep.store.ts';
import * as sweeps from '#core/sending/sweep/sweep.ts';
import type { Table } from '#core/storage/table.store.ts';
import { CLOCK_SKEW, MEMBERSHIP_WRITER_TIMEOUT, POSTING } from '#core/timeouts.ts';
import * as purge from './purge.ts';

export type Backups = {
  /** Begins to make a copy with a name. Does nothing if it has begun already. */
  begin: (name: string, to: Date) => Promise<void>;
  isReady: (name: string) => Promise<boolean>;
  open: (name: string) => Table;
  /** Gives the copy a stream, expiry, backups and protection like those of its table. Returns its stream. */
  complete: (name: string) => Promise<{ stream: string }>;
};

type Needs = {
  table: Table;
  now: () => Date;
  backups: Backups;
  pause: () => Promise<void>;
  progress: (line: string) => void;
};

/** The copy sends nothing that may have been sent since. A repetition resumes where the run before ended. */
export async function restore(
  needs: Needs,
  { to, name }: { to: Date; name: string },
): Promise<{ stream: string }> {
  const { table, now, backups, pause, progress } = needs;
  if (name === table.name) throw new Refusal('invalid', `${name} is the table that is in use.`);
  if (to >= now()) throw new Refusal('invalid', 'A table can only be restored to an instant in the past.');
  const { stopped_since } = await stops.stop({ table, now: now() });
  progress(`sending is stopped since ${stopped_since}`);
  await backups.begin(name, to);
  progress(`${name} is being restored`);
  while (!(await backups.isReady(name))) await pause();
  const stopped = await stops.status({ table });
  if (!stopped.stopped_since || stopped.stopped_since !== stopped_since) {
    throw new Refusal('conflict', 'Sending was started meanwhile. Run this again, with another instant.');
  }
  const copy = backups.open(name);
  await makeSafe({ table: copy, now: now() }, { from: to, stopped: new Date(stopped_since) });
  await organizations.skipIds(copy, (await organizations.newestId(table)) + LEAST_IDS_LEFT);
  progress(`${name} sends nothing, until it is started`);
  return backups.complete(name);
}

/** The latest end of the last request to the provider. The operator's clock may be some seconds behind. */
const lastPosted = (stopped: Date) => new Date(stopped.getTime() + POSTING);

/** So many may be created before the copy is used: links and messages with the numbers of lost ones still arrive. */
const LEAST_IDS_LEFT = 1_000;

/** Makes a copy safe to send from, before anything else reads it. Repeating it changes nothing. */
export async function makeSafe(
  { table, now }: { table: Table; now: Date },
  { from, stopped }: { from: Date; stopped: Date },
): Promise<void> {
  // This comes first, so that whatever uses the table from now on sends nothing.
  await stops.recordRestored({ table, now }, { from, until: lastPosted(stopped), stopped });
  // Emails that fell due before sending starts again are not sent, so sweeping that time would be wasted.
  await sweeps.skipTo({ table }, position.lastClosedMinute(now));
}

// The end of a subscription is stored with the time at which its process began.
const STORED_WITHIN = MEMBERSHIP_WRITER_TIMEOUT + 2 * CLOCK_SKEW;

/** Ends what has ended since in the table before, which keeps that for a day, and requests the open purges again. */
export async function finish(
  { table, now, progress }: Pick<Needs, 'now' | 'progress'> & { table: Table },
  { from, before }: { from: Date; before: Table },
): Promise<{ ended: number; purges: number }> {
  await recordSentSince({ table, now, progress }, { from, before });
  let ended = 0;
  const since = new Date(from.getTime() - STORED_WITHIN);
  const newest = await organizations.newestId(table);
  for (let id = 1; id <= newest; id++) {
    for (const one of await suppressions.allStoppedSince(before, id, since)) {
      if (await end({ table, now: now() }, id, one)) ended++;
    }
    if (id % 1_000 === 0) progress(`${id} of ${newest} organizations`);
  }
  return { ended, purges: await purge.requestAgain(table, now()) };
}

/** If sending was started again in the table before, the copy does not have what was sent. */
async function recordSentSince(
  { table, now, progress }: Pick<Needs, 'table' | 'now' | 'progress'>,
  { from, before }: { from: Date; before: Table },
): Promise<void> {
  const { stopped_since = '' } = await stops.stop({ table: before, now: now() });
  const stopped = new Date(stopped_since);
  const until = lastPosted(stopped);
  const { restored = [] } = await stops.readStage(table);
  if (stops.isLost({ restored }, until) || until <= from) return;
  await stops.recordRestored({ table, now: now() }, { from, until, stopped });
  progress(`sending is stopped: it had been started in ${before.name} after this table was made of it`);
}

async function end(
  needs: { table: Table; now: Date },
  organization: number,
  { hash, list }: { hash: string; list: string },
): Promise<boolean> {
  try {
    const member = await listMember.find(needs, organization, recipientKey.memberId(list, hash));
    if (member.state.membership.status !== 'subscribed') return false;
    await listMember.change(needs, member, { is_subscribed: false });
    return true;
  } catch (error) {
    // The list did not exist at that time, or had no member with that address.
    if (error instanceof Refusal && error.reason === 'not-found') return false;
    throw error;
  }
}
