import { ownValues, valuesFor } from '../../../../shared/email/own-values.ts';
import type { MetadataValue } from '../../../../shared/metadata.ts';
import type { Skipped } from '../../../../shared/send-status.ts';
import type * as combination from '../../content/combination/combination.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import { batchPrefix } from '../batch/batch.ts';
import { type Candidate, instantOf, type Pack } from '../pack/pack.ts';
import type { Skip } from '../skip/skip.ts';
import { STALE } from '../times.ts';
import type { Claimed, ClaimRef, Claims } from './claimed.ts';
import type { SendingContext } from './context.ts';
import { decide, type Wanted } from './decide.ts';

export type { Claimed, ClaimRef } from './claimed.ts';
export { readContext, type SendingContext } from './context.ts';
export { claimResend, refusalOf } from './resend.ts';

type Needs = { table: Table; now: () => Date };

export const isStale = ({ minute }: Pick<Pack, 'minute'>, now: Date) =>
  now.getTime() - instantOf(minute).getTime() > STALE;

/**
 * Reasons that stand in what is stored of a person. Not the safeguards, which nothing but a release undoes: what is
 * released is queued again half a minute later at the earliest, so it counted a moment ago.
 */
const OF_PERSON: Skipped[] = [
  'not_due',
  'not_subscribed',
  'suppressed',
  'unreadable',
  'no_first',
  'superseded',
];

// Nobody is mailed by so many automations at once.
const MOST_TRIES = 20;

/**
 * Claims what is due for one person, each by appending to their journal: of two packs that want to, one fails, and looks
 * again.
 */
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
    // From before the answer, which may be late.
    const claimedAt = needs.now();
    const person = await readPerson(needs, context, pack, hash, { consistent: attempt > 1 });
    const { wanted, adopted, isTaken, isReleasing, skips } = decide(
      context,
      pack,
      candidate,
      person,
      claimedAt,
    );
    // What was read may be from before a change that makes them due: to pass somebody over takes a look at what is so now.
    // A claim does not: it cannot be written where the journal has gone on.
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

/** Of a claim whose answer was lost, somebody may have become one who is owed nothing. */
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

/** What is chosen is stored before a claim names it, so that it can be found by that name. */
async function contentOf({ contents }: SendingContext, { choice }: Wanted): Promise<combination.Content> {
  const content = await contents.ofChoice(choice);
  if (!content) throw new Error(`The content ${choice.id} is not stored`);
  return content;
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
const UNIT = 1024;
// The key of the item, and the names and lengths of its fields.
const OVERHEAD = 250;

/** With what the placeholders stand for, so that the email can be shown as it went; without it where that costs more. */
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

/** Who is not due may have been found by a trigger row that a dead process left behind. */
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
    const row = recipient.triggerRow(of.list, of.column, instantOf(trigger), hash);
    const state = await recipient.read(table, key, of.list);
    await recipient.deleteStrayTriggers({ table, now: now() }, key, of.list, state, [row]);
  }
}

/** Far enough back for the caps, and for what else may have sent an occurrence that is not stale. */
export const readPerson = (
  { table, now }: Needs,
  { safeguards: limits }: Pick<SendingContext, 'safeguards'>,
  { organization, minute }: Pick<Pack, 'organization' | 'minute'>,
  hash: string,
  { consistent, besides = 0 }: { consistent: boolean; besides?: number },
) => {
  const reach = limits.enabled ? safeguards.LONGEST_WINDOW : 3 * STALE;
  return recipient.readPerson(
    table,
    { organization, hash },
    {
      since: new Date(Math.min(now().getTime(), instantOf(minute).getTime()) - reach),
      enough: limits.enabled ? limits.max_emails_1_week + besides : Number.POSITIVE_INFINITY,
      consistent,
    },
  );
};

/** Those of a person's claims that a pack made, and that are not released. */
export async function claimsOf(needs: Needs, pack: Pack, candidate: Candidate): Promise<ClaimRef[]> {
  const [hash] = candidate;
  // Without regard to the safeguards: they may have been lowered since.
  const limits = { safeguards: { enabled: false } } as Pick<SendingContext, 'safeguards'>;
  const { claims } = await readPerson(needs, limits, pack, hash, { consistent: true });
  return claims.filter(({ batch }) => batch.startsWith(batchPrefix(pack))).map(claim => ({ hash, claim }));
}
