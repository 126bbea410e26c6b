import * as combinations from '#core/content/combination.ts';
import * as claimStore from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as triggers from '#core/recipient/trigger.ts';
import type { Table } from '#core/storage/table.store.ts';
import { STALE } from '#core/timeouts.ts';
import { ownValues, valuesFor } from '#shared/email/own-values.ts';
import type { MetadataValue } from '#shared/metadata.ts';
import type { Skipped } from '#shared/send-status.ts';
import { batchPrefix } from '../batch/batch.store.ts';
import type { MailboxOf } from '../mailbox.ts';
import { type Candidate, instantOf, type Pack } from '../pack.ts';
import type { Skip } from '../skip.store.ts';
import type { SendingContext } from '../state.ts';
import { decide, type EmailToSend, reachOf } from './decide.ts';

type Needs = { table: Table; now: () => Date; mailboxOf?: MailboxOf | undefined };

export type Claimed = EmailToSend & {
  content: combinations.EmailContent;
  /** Taken before the read that found the recipient due. */
  claimedAt: Date;
};

export type ClaimRef = Pick<Claimed, 'hash' | 'claim'>;

export type Claims = {
  claimed: Claimed[];
  skips: Skip[];
  /** One of their claims is about to be released: the person is retried after that. */
  isReleasing: boolean;
};

export const isStale = ({ minute }: Pick<Pack, 'minute'>, now: Date) =>
  now.getTime() - instantOf(minute).getTime() > STALE;

/**
 * Reasons that depend on a person's items, which an eventually consistent read may return in an old version. Such a version
 * can only miss that a claim was released, and then the person is queued again half a minute later at the earliest.
 */
const PERSON_REASONS: Skipped[] = [
  'not_due',
  'not_subscribed',
  'suppressed',
  'unreadable',
  'no_first',
  'superseded',
];

// More than there are automations that claim for one person at the same time.
export const MOST_ATTEMPTS = 20;
export const lostEachAttempt = () =>
  new Error(`Claim lost the conditional write on all ${MOST_ATTEMPTS} attempts`);

/** Appends to the person's journal. Of two packs that append at the same time, one reads the person again. */
export async function claimFor(
  needs: Needs,
  context: SendingContext,
  pack: Pack,
  candidate: Candidate,
  writer: claimStore.ClaimWriter,
): Promise<Claims> {
  const [hash, dues] = candidate;
  const key = { organization: pack.organization, hash };
  const isForExisting = pack.sources.some(({ existing }) => existing !== undefined);
  const claimed: Claimed[] = [];
  const take = ({ claim }: EmailToSend, emails: 1 | -1) => context.take?.(claim.list_id, emails);
  let taken: EmailToSend[] = [];
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    // Before the read, whose answer may be late: who was stopped since this instant is checked before posting.
    const claimedAt = needs.now();
    const consistent = attempt > 1 || isForExisting;
    const person = await readPerson(needs, context, pack, candidate, consistent);
    // What was taken in an attempt before is decided on anew. Nothing is awaited in between, so nobody else takes it.
    for (const email of taken.splice(0)) take(email, -1);
    const decision = decide(context, pack, { candidate, person }, claimedAt);
    const { isReleasing, skips } = decision;
    // The first read is eventually consistent. A claim needs no other, as its write fails if the journal has changed.
    const isPassedOver =
      decision.isTaken ||
      decision.leftOut.length > 0 ||
      skips.some(({ reason }) => PERSON_REASONS.includes(reason));
    if (!consistent && isPassedOver) continue;
    if (isReleasing) return { claimed, skips: [], isReleasing };
    taken = [...decision.adopted, ...decision.emails];
    for (const email of taken) take(email, 1);
    for (const email of decision.adopted) {
      if (claimed.some(({ claim }) => claim.seq === email.claim.seq)) continue;
      const choice = await combinations.read(needs.table, pack.organization, email.claim.combination);
      claimed.push({ ...email, content: await contentOf(context, choice), claimedAt });
    }
    let { hasHead } = person;
    let isOvertaken = false;
    for (const { choice, ...email } of decision.emails) {
      const content = await contentOf(context, choice);
      const mailbox = await needs.mailboxOf?.(email.membership.email);
      const claim = withValues({ ...email, claim: { ...email.claim, ...(mailbox && { mailbox }) } }, content);
      const first = hasHead ? undefined : email.membership;
      isOvertaken = !(await writer.write(key, claim, first));
      if (isOvertaken) break;
      hasHead = true;
      claimed.push({ ...email, claim, content, claimedAt });
    }
    if (isOvertaken) continue;
    // What such a claim took the place of, as by another list, is decided on without it.
    if (await releaseUnwanted(needs, pack, key, person, claimed)) continue;
    await deleteStray(needs, pack, hash, dues, skips);
    return { claimed, skips, isReleasing };
  }
  throw lostEachAttempt();
}

/** Claims of this pack whose write lost its answer, and for which the person has changed since. Returns whether there were any. */
async function releaseUnwanted(
  { table }: Needs,
  pack: Pack,
  key: recipientKey.RecipientKey,
  { claims }: claimStore.Person,
  claimed: Claimed[],
): Promise<boolean> {
  const unwanted = claims.filter(
    ({ batch, seq }) =>
      batch.startsWith(batchPrefix(pack)) && !claimed.some(({ claim }) => claim.seq === seq),
  );
  for (const { seq } of unwanted) await claimStore.releaseClaim(table, key, seq);
  return unwanted.length > 0;
}

/** The content is stored before a claim names it. Without it the claim is released, and the person decided on anew. */
async function contentOf(
  { contents }: SendingContext,
  choice: combinations.Choice | undefined,
): Promise<combinations.EmailContent> {
  const content = choice && (await contents.ofChoice(choice));
  if (!content) throw new Error(`The content ${choice?.id ?? 'of a claim'} is not stored`);
  return content;
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
const UNIT = 1024;
// The bytes of the item's key, and of the names and lengths of its fields.
const OVERHEAD = 250;

export function placeholderValues(
  { hash, claim, membership, automation, days }: EmailToSend,
  { id: combination, template_id: template }: Pick<combinations.EmailContent, 'id' | 'template_id'>,
) {
  const { email, metadata } = membership;
  return valuesFor(
    metadata,
    ownValues({
      automation,
      combination,
      template,
      days,
      email,
      send: recipientKey.claimId({ hash, seq: claim.seq }),
    }),
  );
}

/** Adds the placeholder values, to show the email as it was sent, unless they cost another write unit. */
function withValues(email: EmailToSend, content: combinations.EmailContent): journal.Claim {
  const { claim } = email;
  const all = placeholderValues(email, content);
  const values: Record<string, MetadataValue> = {};
  for (const name of content.placeholders) {
    const value = all.get(name);
    if (value !== undefined) values[name] = value;
  }
  const bytes = Buffer.byteLength(JSON.stringify({ ...claim, values }));
  return bytes + OVERHEAD > UNIT ? claim : { ...claim, values };
}

const REASONS_WITHOUT_ROW: Skipped[] = ['not_due', 'not_subscribed', 'suppressed'];

/** Deletes the trigger row of a person who is not due: a process that died may have left it behind. */
async function deleteStray(
  { table, now }: Needs,
  { organization, sources }: Pack,
  hash: string,
  dues: Candidate[1],
  skips: Skip[],
): Promise<void> {
  for (const { source: index, reason } of skips) {
    const source = sources[index];
    const trigger = dues.find(([due]) => due === index)?.[1];
    if (!source || trigger === undefined || !REASONS_WITHOUT_ROW.includes(reason)) continue;
    const key = { organization, hash };
    const row = triggers.triggerRow(source.list, source.column, { hash, ...triggers.readTrigger(trigger) });
    const state = await recipientStore.read(table, key, source.list);
    await triggers.deleteStrayTriggers({ table, now: now() }, { key, listId: source.list, state }, [row]);
  }
}

const readPerson = (
  { table, now }: Needs,
  limits: Parameters<typeof reachOf>[0],
  pack: Pick<Pack, 'organization' | 'minute' | 'sources'>,
  [hash, dues]: Candidate,
  consistent: boolean,
) => {
  const key = { organization: pack.organization, hash };
  return claimStore.readPerson(table, key, { ...reachOf(limits, pack, now(), dues), consistent });
};

export async function claimsOf(needs: Needs, pack: Pack, [hash]: Candidate): Promise<ClaimRef[]> {
  // Read without safeguards: if their limits were lowered since, the read would stop before all of these claims.
  const limits = { safeguards: { enabled: false } } as SendingContext;
  const { claims } = await readPerson(needs, limits, pack, [hash, []], true);
  return claims.filter(({ batch }) => batch.startsWith(batchPrefix(pack))).map(claim => ({ hash, claim }));
}
