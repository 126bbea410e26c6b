import { ownValues, valuesFor } from '../../../../shared/email/own-values.ts';
import type { MetadataValue } from '../../../../shared/metadata.ts';
import type { Skipped } from '../../../../shared/send-status.ts';
import type * as combination from '../../content/combination/combination.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import { batchPrefix } from '../batch/batch.ts';
import { type Candidate, instantOf, type Pack } from '../pack/pack.ts';
import type { Skip } from '../skip/skip.ts';
import { STALE } from '../times.ts';
import type { Claimed, ClaimRef, Claims } from './claimed.ts';
import type { SendingContext } from './context.ts';
import { decide, reachOf, type Wanted } from './decide.ts';

export type { Claimed, ClaimRef } from './claimed.ts';
export { readContext, type SendingContext } from './context.ts';
export { decide } from './decide.ts';
export { claimResend, resendKey, resendRefusal } from './resend.ts';

type Needs = { table: Table; now: () => Date };

export const isStale = ({ minute }: Pick<Pack, 'minute'>, now: Date) =>
  now.getTime() - instantOf(minute).getTime() > STALE;

/**
 * Reasons that follow from a person's stored data, which an eventually consistent read may show too old. The safeguards
 * are not among them: only a release undoes one, and it is queued again half a minute later at the earliest.
 */
const OF_PERSON: Skipped[] = [
  'not_due',
  'not_subscribed',
  'suppressed',
  'unreadable',
  'no_first',
  'superseded',
];

// More than the automations that mail one person at once.
const MOST_TRIES = 20;

/** Claims what is due for one person by appending to their journal: of two packs at once, one fails and reads again. */
export async function claimFor(
  needs: Needs,
  context: SendingContext,
  pack: Pack,
  candidate: Candidate,
): Promise<Claims> {
  const [hash, dues] = candidate;
  const key = { organization: pack.organization, hash };
  const claimed: Claimed[] = [];
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    // Taken before the read, whose answer may be late.
    const claimedAt = needs.now();
    const person = await readPerson(needs, context, pack, hash, { consistent: attempt > 1 });
    const { wanted, adopted, isTaken, isReleasing, skips } = decide(
      context,
      pack,
      { candidate, person },
      claimedAt,
    );
    // The first read is eventually consistent, so a person is only skipped after a consistent one. A claim needs none: it
    // fails where the journal has changed.
    const isPassedOver = isTaken || skips.some(({ reason }) => OF_PERSON.includes(reason));
    if (attempt === 1 && isPassedOver) continue;
    if (isReleasing) return { claimed, skips: [], isReleasing };
    for (const one of adopted) {
      const isKnown = claimed.some(({ claim }) => claim.seq === one.claim.seq);
      if (!isKnown) claimed.push({ ...one, content: await contentOf(context, one), claimedAt });
    }
    let { hasHead } = person;
    let isOvertaken = false;
    for (const next of wanted) {
      const content = await contentOf(context, next);
      const claim = withValues(next, content);
      const first = hasHead ? undefined : next.membership;
      isOvertaken = !(await recipient.writeClaim(needs.table, key, claim, first));
      if (isOvertaken) break;
      hasHead = true;
      claimed.push({ ...next, claim, content, claimedAt });
    }
    if (isOvertaken) continue;
    await releaseUnwanted(needs, pack, key, person, claimed);
    await deleteStray(needs, pack, hash, dues, skips);
    return { claimed, skips, isReleasing };
  }
  throw new Error('Another sender was faster each time');
}

/** Releases this pack's claims that are not wanted: the write's answer was lost, and then the person changed. */
async function releaseUnwanted(
  { table }: Needs,
  pack: Pack,
  key: recipient.RecipientKey,
  { claims }: recipient.Person,
  claimed: Claimed[],
): Promise<void> {
  for (const { batch, seq } of claims) {
    const isWanted = claimed.some(({ claim }) => claim.seq === seq);
    if (!isWanted && batch.startsWith(batchPrefix(pack))) await recipient.releaseClaim(table, key, seq);
  }
}

/** The content of a choice, which is stored before a claim refers to it. */
async function contentOf({ contents }: SendingContext, { choice }: Wanted): Promise<combination.Content> {
  const content = await contents.ofChoice(choice);
  if (!content) throw new Error(`The content ${choice.id} is not stored`);
  return content;
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
const UNIT = 1024;
// The bytes of the item's key, and of the names and lengths of its fields.
const OVERHEAD = 250;

/** Adds the placeholder values, to show the email as it was sent, unless they cost another write unit. */
function withValues(
  { claim, membership, automation, days }: Wanted,
  content: combination.Content,
): recipient.Claim {
  const own = ownValues({
    ...{ automation, combination: content.id, template: content.template_id, days },
    email: membership.email,
  });
  const all = valuesFor(membership.metadata, own);
  const values: Record<string, MetadataValue> = {};
  for (const name of content.placeholders) {
    const value = all.get(name);
    if (value !== undefined) values[name] = value;
  }
  const bytes = Buffer.byteLength(JSON.stringify({ ...claim, values }));
  return bytes + OVERHEAD > UNIT ? claim : { ...claim, values };
}

const WITHOUT_ROW: Skipped[] = ['not_due', 'not_subscribed', 'suppressed'];

/** Deletes the trigger row of a person who is not due: a process that died may have left it behind. */
async function deleteStray(
  { table, now }: Needs,
  { organization, sources }: Pack,
  hash: string,
  dues: Candidate[1],
  skips: Skip[],
): Promise<void> {
  for (const { source, reason } of skips) {
    const of = sources[source];
    const trigger = dues.find(([place]) => place === source)?.[1];
    if (!of || trigger === undefined || !WITHOUT_ROW.includes(reason)) continue;
    const key = { organization, hash };
    const row = recipient.triggerRow(of.list, of.column, { hash, ...recipient.readTrigger(trigger) });
    const state = await recipient.read(table, key, of.list);
    await recipient.deleteStrayTriggers({ table, now: now() }, { key, listId: of.list, state }, [row]);
  }
}

/** As far back as matters. */
export const readPerson = (
  { table, now }: Needs,
  limits: Pick<SendingContext, 'safeguards'>,
  pack: Pick<Pack, 'organization' | 'minute'>,
  hash: string,
  { consistent, besides = 0 }: { consistent: boolean; besides?: number },
) => {
  const { since, enough } = reachOf(limits, pack, now());
  const key = { organization: pack.organization, hash };
  return recipient.readPerson(table, key, { since, enough: enough + besides, consistent });
};

/** A person's claims that a pack made and that are not released. */
export async function claimsOf(needs: Needs, pack: Pack, candidate: Candidate): Promise<ClaimRef[]> {
  const [hash] = candidate;
  // Without the safeguards, whose limits may have been lowered since.
  const limits = { safeguards: { enabled: false } } as Pick<SendingContext, 'safeguards'>;
  const { claims } = await readPerson(needs, limits, pack, hash, { consistent: true });
  return claims.filter(({ batch }) => batch.startsWith(batchPrefix(pack))).map(claim => ({ hash, claim }));
}
