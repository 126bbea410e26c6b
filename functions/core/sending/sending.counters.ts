import type { Claim, Marks } from '#core/recipient/journal.ts';
import type { Counter } from '#core/storage/projection.ts';
import type { ProviderName } from '#shared/providers.ts';
import { listedKey, parseBatchId, rejectedField, type SentCounts } from './batch/batch.store.ts';
import * as eventIndex from './event-index.store.ts';
import { guardCounter } from './guard.store.ts';
import { MARKS } from './log/query.ts';
import { amountCounts, type Counts, rollupCounter, sentIn } from './rollup.ts';

export type BatchChange = {
  organization_id: number;
  batch: string;
  at: string;
  provider: ProviderName | undefined;
  resumes?: number;
  before: SentCounts | undefined;
  after: SentCounts | undefined;
};

/** They may be the first of the day, so no rollup is required to exist. */
export function batchCounters({
  organization_id: organization,
  batch,
  at,
  provider,
  resumes = 0,
  before,
  after,
}: BatchChange): Counter[] {
  if (before || !after) return [];
  const { automation } = parseBatchId(batch);
  const sent = Object.values(after)
    .flatMap(combinations => Object.values(combinations))
    .reduce((sum, count) => sum + count, 0);
  const guarded = provider
    ? [guardCounter({ organization, automation, provider }, { at, resumes }, { sent })]
    : [];
  const counted = Object.entries(after).flatMap(([day, combinations]) =>
    Object.entries(combinations).map(([name, sent]) => ({
      ...rollupCounter(organization, day, { ...sentIn(name), automation }, { sent }),
      organization,
    })),
  );
  return [...counted, ...guarded];
}

/** Clicks of machines are not counted. A sent email is counted from its batch, or from its `outcome`. */
export const COUNTED_MARKS: (keyof Marks)[] = [...Object.values(MARKS), 'converted_at', 'rejected_at'];

/** Webhooks are told when these happened. */
export const TOLD_MARKS = ['received_at', 'opened_at', 'first_clicked_at'] as const satisfies (keyof Marks)[];

const countsOf = (marks: (keyof Marks)[]): Counts =>
  Object.fromEntries(
    Object.entries(MARKS).flatMap(([event, mark]) => (marks.includes(mark) ? [[event, 1]] : [])),
  );

export type CountedClaim = Pick<
  Claim,
  'seq' | 'at' | 'combination' | 'mailbox' | 'batch' | 'outcome' | 'bounce' | 'provider' | 'resumes'
> & {
  weighted?: true;
  hash: string;
  released: boolean;
  marks: (keyof Marks)[];
  /** What its conversions brought in, in ten-thousandths. */
  value?: number;
  /** When what webhooks are told happened. */
  times?: Pick<Marks, (typeof TOLD_MARKS)[number]>;
};

export const countedOf = (
  hash: string,
  { seq, at, combination, mailbox, batch, outcome, bounce, provider, resumes, released, ...claim }: Claim,
): CountedClaim => ({
  hash,
  seq,
  at,
  combination,
  ...(claim.weighted && { weighted: true }),
  batch,
  ...(mailbox && { mailbox }),
  ...(outcome && { outcome }),
  ...(bounce && { bounce }),
  ...(provider && { provider }),
  ...(resumes && { resumes }),
  ...(claim.value !== undefined && { value: claim.value }),
  released: released === true,
  marks: COUNTED_MARKS.filter(mark => claim[mark as keyof typeof claim] !== undefined),
});

export type ClaimChange = {
  organization_id: number;
  before: CountedClaim | undefined;
  after: CountedClaim | undefined;
};

export function claimCounters({ organization_id: organization, before, after }: ClaimChange): Counter[] {
  if (!before || !after || after.released) return [];
  return [
    ...reportedCounters(organization, before, after),
    ...guardedCounters(organization, before, after),
    ...listedCounters(organization, before, after),
  ];
}

/** Of the reports, and of the log of marked emails. One sent email too if an event of the provider has settled that. */
export function reportedCounters(organization: number, before: CountedClaim, after: CountedClaim): Counter[] {
  const { at, outcome } = after;
  const isNew = (mark: keyof Marks) => after.marks.includes(mark) && !before.marks.includes(mark);
  const counts: Counts = {
    ...countsOf(after.marks.filter(isNew)),
    ...(isNew('converted_at') && { conversions: 1 }),
    ...(outcome === 'sent' && before.outcome !== 'sent' && { sent: 1 }),
  };
  const counter = rollupCounter(organization, at.slice(0, 10), sourceOf(after), counts);
  Object.assign(counter.add, amountCounts(after, before.value, after.value));
  return [
    ...(Object.keys(counter.add).length > 0
      ? // The rollup nearly always exists, since it counts the sent email. As the guard, it saves a check of the organization.
        [{ ...counter, guard: counter.key, organization }]
      : []),
    ...eventCounters(counter, organization, after, counts),
  ];
}

/** Bounces for good, of which a soft one may become one, and complaints. */
function guardedCounters(organization: number, before: CountedClaim, after: CountedClaim): Counter[] {
  const { provider, batch } = after;
  const isHard = after.bounce === 'hard' && before.bounce !== 'hard';
  const isComplaint = after.marks.includes('complained_at') && !before.marks.includes('complained_at');
  if (!provider || !(isHard || isComplaint)) return [];
  const { automation } = parseBatchId(batch);
  const add = { ...(isHard && { bounced: 1 }), ...(isComplaint && { complained: 1 }) };
  return [guardCounter({ organization, automation, provider }, after, add)];
}

type Counting = Pick<Claim, 'combination' | 'weighted' | 'mailbox' | 'batch'>;
export const sourceOf = ({ batch, ...claim }: Counting) => ({
  ...claim,
  automation: parseBatchId(batch).automation,
});

/** Written only with the rollup that counts it. */
const eventCounters = (
  { key: guard }: Counter,
  organization: number,
  claim: CountedClaim,
  counts: Counts,
): Counter[] =>
  eventIndex.INDEXED_EVENTS.filter(event => counts[event]).map(event => ({
    key: eventIndex.indexKey(organization, event, claim),
    add: { emails: 1 },
    guard,
    organization,
  }));

/** The log of unknown emails leaves a batch out when all of its emails are settled. */
function listedCounters(organization: number, before: CountedClaim, after: CountedClaim): Counter[] {
  const { batch, outcome } = after;
  const unknown = listedKey(organization, batch, 'unknown');
  const failed = listedKey(organization, batch, 'failed');
  const change = Number(hasFailed(after)) - Number(hasFailed(before));
  // The provider had taken it, so nothing else says that it failed.
  const rejected = outcome ? {} : { [rejectedField(after)]: 1 };
  return [
    ...(outcome && !before.outcome ? [{ key: unknown, add: { settled: 1 }, guard: unknown }] : []),
    // It may be the first of its batch that failed.
    ...(change > 0 ? [{ key: failed, add: { size: 1, ...rejected }, organization }] : []),
    ...(change < 0 ? [{ key: failed, add: { size: -1 }, guard: failed }] : []),
  ];
}

/** `sent` overrides that it was rejected. */
const hasFailed = ({ outcome, marks }: CountedClaim) =>
  outcome ? outcome === 'failed' : marks.includes('rejected_at');
