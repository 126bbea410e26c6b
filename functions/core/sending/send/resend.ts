import { SKIPPED } from '../../../../shared/send.ts';
import { newId } from '../../id.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { Refusal } from '../../refusal.ts';
import { optimistically } from '../../storage/optimistic.ts';
import type { Table } from '../../storage/table.store.ts';
import * as batches from '../batch/batch.ts';
import { minuteOf, type Pack } from '../pack/pack.ts';
import { offReason, readSwitches } from '../switches/switches.ts';
import { type Found, idOf } from './found.ts';

type Needs = {
  table: Table;
  now: Date;
  /** Queues a pack; so many seconds later, it is delivered. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
};

/** Longer than this process lives: whatever it claims is claimed before its pack is delivered. */
const DELAY = 60;

const refused = (message: string) => new Refusal('conflict', message);

/**
 * Sends an email again of which nobody knows whether it was sent, once: as a claim of its own that the email's claim
 * names. Its pack is queued first. Where the claim does not follow, the pack sends nothing.
 */
export async function resend(needs: Needs, found: Found, user: string): Promise<{ id: string }> {
  const { table, now, queue } = needs;
  const { key } = found;
  const { organization, hash } = key;
  const pack: Pack = {
    id: newId(),
    organization,
    minute: minuteOf(now),
    sources: [{ list: found.claim.list_id, column: '', automation: found.claim.automation_id }],
    people: [[hash, [[0, minuteOf(now)]]]],
    isClaimed: true,
  };
  let isQueued = false;
  return optimistically({
    read: () => readAgain(needs, found),
    async write({ claim, person }) {
      if (!isQueued) await queue(pack, DELAY);
      isQueued = true;
      const again = againOf(pack, claim, person, user, now);
      const isWritten = await recipient.writeResend(table, key, claim, again);
      return isWritten ? { id: idOf({ hash, seq: again.seq }) } : undefined;
    },
    conflict: 'This person gets other emails at the moment. Please try again.',
  });
}

/** The email's claim and the person as they are now; refused where it may not be sent again. */
async function readAgain({ table, now }: Needs, { key, claim: { seq, list_id, automation_id } }: Found) {
  const { organization, hash } = key;
  const [limits, switches, [sent]] = await Promise.all([
    safeguards.of(table, organization),
    readSwitches(table, organization, [{ list: list_id, automation: automation_id }]),
    recipient.readSent(table, organization, [{ hash, list: list_id, seq }]),
  ]);
  const claim = sent?.claim;
  if (!claim) throw new Refusal('not-found', 'Email not found');
  const head = await batches.readHead(table, organization, claim.batch);
  const [outcome] = head ? batches.outcomesOf(head, [{ hash, seq }], now) : [];
  if (outcome?.status !== 'unknown') {
    throw refused('Only an email of which nobody knows whether it was sent can be sent again.');
  }
  if (claim.resent !== undefined && !(await isReleased(table, key, list_id, claim.resent))) {
    throw refused('This email was sent again already.');
  }
  const off = offReason(switches, list_id, automation_id, now);
  if (off) throw refused(`${SKIPPED[off]}.`);
  const person = await recipient.readPerson(table, key, {
    since: new Date(now.getTime() - safeguards.LONGEST_WINDOW),
    enough: limits.enabled ? limits.max_emails_1_week : 1,
    consistent: true,
  });
  if (person.suppression) throw refused(`${SKIPPED.suppressed}.`);
  if (person.memberships.get(list_id)?.status !== 'subscribed') throw refused(`${SKIPPED.not_subscribed}.`);
  const instants = person.claims.map(({ at }) => Date.parse(at));
  const window = safeguards.cappedBy(limits, instants, instantAfter(person, now).getTime());
  if (window) throw refused(`${SKIPPED[`capped:${window.field}`]}.`);
  return { claim, person };
}

async function isReleased(table: Table, key: recipient.RecipientKey, list: string, seq: number) {
  const [again] = await recipient.readSent(table, key.organization, [{ hash: key.hash, list, seq }]);
  return again?.claim?.released === true;
}

/** An email counts never before the entry before. */
const instantAfter = ({ last }: recipient.Person, now: Date) =>
  last.at > now.toISOString() ? new Date(last.at) : now;

const againOf = (
  pack: Pack,
  claim: recipient.Claim,
  person: recipient.Person,
  user: string,
  now: Date,
): recipient.Claim => ({
  seq: person.last.seq + 1,
  type: 'send',
  at: instantAfter(person, now).toISOString(),
  list_id: claim.list_id,
  automation_id: claim.automation_id,
  key: `${claim.key}#again`,
  batch: `${pack.minute}#${pack.id}#${claim.batch.split('#')[2]}`,
  combination: claim.combination,
  resent_by: user,
});
