import { TIMES } from './planted-times.ts';
import { TRACKING } from './planted-tracking.ts';

/** A fault in the product. It is planted when its module is loaded; the file does not change. */
export type Planted = {
  name: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  /** The invariant that must find the fault. */
  caughtBy: string;
};

const TWICE = 'no occurrence is mailed twice to a person';
const LOST = 'every occurrence is claimed or skipped with a reason';
const FORGOTTEN = 'what was queued is claimed or skipped';
const LEFT = 'nothing is left claimed';
const BACKFILL = 'what fell due before a member was stored is claimed or skipped';
const OFF = 'what is off is posted for no longer than five seconds';
const WAITS = 'a list waits that the provider refuses';
const REASON = 'every skip has its reason';
const STAYS = 'what became of a batch stays';

const claim = 'functions/core/sending/claim/claim.ts';
const decide = 'functions/core/sending/claim/decide.ts';
const claimStore = 'functions/core/recipient/claim.ts';
const delivery = 'functions/core/sending/delivery/delivery.ts';
const postBatch = 'functions/core/sending/delivery/post-batch.ts';
const release = 'functions/core/sending/delivery/release.ts';
const batchStore = 'functions/core/sending/batch/batch.store.ts';
const state = 'functions/core/sending/state.ts';
const timeouts = 'functions/core/timeouts.ts';
const backfill = 'functions/core/sending/backfill.ts';
const mailgunPost = 'functions/providers/mailgun/mailgun.ts';
const sweep = 'functions/core/sending/sweep/sweep.ts';
const sweepStore = 'functions/core/sending/sweep/sweep.store.ts';

const SENDING: Planted[] = [
  {
    name: 'the watermark is written without a condition',
    file: sweepStore,
    find: "condition: 'holder = :mine',",
    replace: "condition: 'holder = :mine OR holder <> :mine',",
    caughtBy: 'the watermark never moves back',
  },
  {
    name: 'the position of the stream is not compared',
    file: 'functions/core/storage/projection.ts',
    find: "unchanged(from, ['sequence', 'ahead']),",
    replace: 'undefined,',
    caughtBy: 'the counts of a list are those of its members',
  },
  {
    name: 'the watermark moves before the queue has accepted the packs',
    file: 'functions/core/sending/sweep/sweep.ts',
    find: 'if (packs.length > 0) await queue(packs);',
    replace: 'if (packs.length > 0) queue(packs).catch(() => {});',
    caughtBy: LOST,
  },
  {
    name: 'an organization that could not be swept is passed over',
    file: sweep,
    find: 'await inParallel(left, MOST_AT_ONCE, one => storeBehind(table, run, one));',
    replace: '',
    caughtBy: LOST,
  },
  {
    name: 'a sweep ignores since when something is on',
    file: sweep,
    find: '.filter(since => since >= after)',
    replace: '.filter(() => after < 0)',
    caughtBy: LOST,
  },
  {
    name: 'a list that is added to an automation is not swept for it',
    file: 'functions/core/automation/automation.store.ts',
    find: '...to.filter(source => !isIn(from)(source)).map(source => sourceWrite(table, source, now)),',
    replace: '',
    caughtBy: 'the sources of the sweep are the lists of active automations',
  },
  {
    name: 'the lease is taken from a run that has it',
    file: sweepStore,
    find: 'until < now.toISOString();',
    replace: 'until < now.toISOString() || until > now.toISOString();',
    caughtBy: 'a run keeps its lease until it ends',
  },
  {
    name: 'a part begins after the column where the last one ended',
    file: 'functions/core/sending/sweep/part.ts',
    find: 'if (!source || (left && column < left.column)) continue;',
    replace: 'if (!source || (left && column <= left.column)) continue;',
    caughtBy: LOST,
  },
  {
    name: 'a claim replaces the entry that has its number',
    file: claimStore,
    find: 'return putItem(table, { ...entryKey(key, claim.seq), ...claim }, ABSENT);',
    replace:
      "return putItem(table, { ...entryKey(key, claim.seq), ...claim }, { condition: 'attribute_not_exists(nothing)' });",
    caughtBy: 'the entries of a journal stay',
  },
  {
    name: 'the caps count calendar days',
    file: 'functions/core/organization/safeguards.ts',
    find: 'instant > at - length && instant <= at',
    replace: 'instant >= at - (at % length) && instant <= at',
    caughtBy: 'no rolling window is over its cap',
  },
  {
    name: 'what was released counts',
    file: claimStore,
    find: "entry.type === 'send' && !('released' in entry)",
    replace: "entry.type === 'send'",
    caughtBy: REASON,
  },
  {
    name: 'an erased person loses the newest entry of their journal',
    file: 'functions/core/recipient/recipient.ts',
    find: "journal.entryWrite(table, key, { type: 'erased', seq: seq + 1, at }),",
    replace: 'deleteWrite(table, journal.entryKey(key, seq)),',
    caughtBy: 'the entries of a journal stay',
  },
  {
    name: 'a copy goes without the first email',
    file: decide,
    find: "if (!first || first.at > due.toISOString()) return 'no_first';",
    replace: '',
    caughtBy: 'a copy follows its first email',
  },
  {
    name: 'who has unsubscribed is claimed',
    file: decide,
    find: "if (membership?.status !== 'subscribed') return { reason: 'not_subscribed' };",
    replace: "if (!membership) return { reason: 'not_subscribed' };",
    caughtBy: 'nobody is claimed who unsubscribed or is suppressed',
  },
  {
    name: 'who is suppressed is claimed',
    file: decide,
    find: "if (person.suppression) return { reason: 'suppressed' };",
    replace: '',
    caughtBy: 'nobody is claimed who unsubscribed or is suppressed',
  },
  {
    name: 'an automation mails a person twice a day who is on two of its lists',
    file: decide,
    find: 'const taken = claims.find(({ key }) => key === occurrence.key);',
    replace:
      'const taken = claims.find(({ key, list_id }) => key === occurrence.key && list_id === membership.list_id);',
    caughtBy: TWICE,
  },
  {
    name: 'an email is posted while its claim is being written',
    file: claim,
    find: 'isOvertaken = !(await claimStore.writeClaim(needs.table, key, claim, first));',
    replace: 'claimStore.writeClaim(needs.table, key, claim, first).catch(() => {});',
    caughtBy: 'every mail has a claim that is not released',
  },
  {
    name: 'what is unknown is posted again at once, as SDKs do',
    file: mailgunPost,
    find: 'return meaningOf(await request(access, form, POST_TIMEOUT));',
    replace: `const first = meaningOf(await request(access, form, POST_TIMEOUT));
    return first.kind === 'unknown' ? meaningOf(await request(access, form, POST_TIMEOUT)) : first;`,
    caughtBy: TWICE,
  },
  {
    name: 'what is unknown is released and sent again',
    file: mailgunPost,
    find: `return error instanceof NotConnected ? notSent('unreachable') : { kind: 'unknown' };`,
    replace: `return notSent('unreachable');`,
    caughtBy: TWICE,
  },
  {
    name: 'a pack that is delivered again is sent again',
    file: delivery,
    find: 'if (run.number === 1 && !isDead)',
    replace: 'if (!isDead)',
    caughtBy: LEFT,
  },
  {
    name: 'what was looked at before the claims is not looked at again',
    file: timeouts,
    find: 'export const FRESH = 5 * SECOND;',
    replace: 'export const FRESH = 500 * SECOND;',
    caughtBy: OFF,
  },
  {
    name: 'a batch that has ended ends again',
    file: batchStore,
    find: `const only = unchanged({ state: from }, ['state']);`,
    replace: 'const only = PRESENT;',
    caughtBy: STAYS,
  },
  {
    name: 'what was released is not queued again',
    file: release,
    find: 'await requeue(needs, pack, candidatesOwed(pack, owed), { seconds, releasing: batch });',
    replace: ';',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'a claim that is about to be released ends the pack after it',
    file: decide,
    find: 'decision.isReleasing ||= isReleasing(pack, taken);',
    replace: ';',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'a process that was given up deletes the message of the one after it',
    file: delivery,
    find: 'if (!(await markDone(table, pack, holder))) throw',
    replace: 'await markDone(table, pack, holder); void',
    caughtBy: LEFT,
  },
  {
    name: 'who waits for their list is forgotten',
    file: delivery,
    find: 'if (!pack.isEarly) await requeue(needs, pack, waiting, { seconds });',
    replace: '',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'who a process did not come to is forgotten',
    file: delivery,
    find: 'await requeue(needs, pack, ready, { seconds: isDead ? LONGEST_DELAY : 0 });',
    replace: '',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'who could not be claimed is forgotten',
    file: delivery,
    find: 'await needs.queue(next, isDelayed ? delayOf(next) : 0);',
    replace: '',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'what a dead process was posting stays so',
    file: delivery,
    find: `if (head.state === 'posting') await batchStore.end(table, pack.organization, head, { event: 'orphaned' });`,
    replace: '',
    caughtBy: LEFT,
  },
  {
    name: 'a dead pack is left as it is',
    file: delivery,
    find: 'else await resumeRedelivered(needs, pack, { state, isDead });',
    replace: 'else if (!isDead) await resumeRedelivered(needs, pack, { state, isDead });',
    caughtBy: FORGOTTEN,
  },
  {
    name: 'claims that are in no batch are kept',
    file: delivery,
    find: 'else await releaseBatch(needs, { pack, batch, claims }, { retry_after: 0 });',
    replace: '',
    caughtBy: LEFT,
  },
  {
    name: 'nobody looks after a process that was only paused',
    file: delivery,
    find: `  await queueRecheck(needs, pack);
}`,
    replace: '}',
    caughtBy: LEFT,
  },
  {
    name: 'emails are posted after the lease has ended',
    file: postBatch,
    find: 'timeLeft() > SPARE && now().getTime() + SPARE <= until.getTime();',
    replace: 'timeLeft() > SPARE || until > now();',
    caughtBy: 'a claim is posted soon or never',
  },
  {
    name: 'nothing is superseded',
    file: decide,
    find: `if (isSuperseded) return { reason: 'superseded' };`,
    replace: `if (isSuperseded && now < minute) return { reason: 'superseded' };`,
    caughtBy: 'nothing is sent that is superseded',
  },
  {
    name: 'a skip is decided by a stale read',
    file: claim,
    find: 'if (attempt === 1 && isPassedOver) continue;',
    replace: '',
    caughtBy: REASON,
  },
  {
    name: 'a list that waits is posted to',
    file: state,
    find: 'return until && until > now ? until : undefined;',
    replace: 'return until && until < now ? until : undefined;',
    caughtBy: 'nothing is posted to a list that waits',
  },
  {
    name: '429 pauses nothing',
    file: postBatch,
    find: 'if (seconds > 0) await sendingKey.pause(',
    replace: 'if (seconds < 0) await sendingKey.pause(',
    caughtBy: WAITS,
  },
  {
    name: 'a key that is denied stops nothing',
    file: postBatch,
    find: 'await sendingKey.markDenied({ table, now: now() }, list);',
    replace: '',
    caughtBy: WAITS,
  },
  {
    name: 'who leaves before the post is not seen',
    file: 'functions/core/recipient/suppression.ts',
    find: 'of === list ? [hash] : []',
    replace: 'of === hash ? [hash] : []',
    caughtBy: OFF,
  },
  {
    name: 'what was due while it was off is sent',
    file: state,
    find: 'if (!list?.active || wasOff(list, due))',
    replace: 'if (!list?.active)',
    caughtBy: 'what was off stays unsent',
  },
  {
    name: 'emails that go late count from their minute',
    file: timeouts,
    find: 'export const PUNCTUAL = 2 * MINUTE;',
    replace: 'export const PUNCTUAL = 200 * MINUTE;',
    caughtBy: 'every claim counts from its instant',
  },
  {
    name: 'all emails of a batch get the content of one',
    file: 'functions/core/sending/delivery/render.ts',
    find: 'composed.get(content.id) ??',
    replace: 'composed.values().next().value ??',
    caughtBy: 'every mail has the content of its claim',
  },
  {
    name: 'a late dispatcher looks back from when it runs',
    file: backfill,
    find: 'written.getTime() - BACKFILL',
    replace: 'now.getTime() - BACKFILL',
    caughtBy: BACKFILL,
  },
  {
    name: 'the dispatcher looks back one minute',
    file: timeouts,
    find: 'export const BACKFILL = HOUR;',
    replace: 'export const BACKFILL = MINUTE;',
    caughtBy: BACKFILL,
  },
  {
    name: 'the dispatcher ignores who gets another date',
    file: backfill,
    find: 'if (!before) return true;',
    replace: 'return !before;',
    caughtBy: BACKFILL,
  },
  {
    name: 'what the dispatcher could not queue is not tried again',
    file: 'functions/core/parallel.ts',
    find: `if (failures.length > 0) throw failures[0];
}`,
    replace: '}',
    caughtBy: BACKFILL,
  },
  {
    name: 'sends are counted by batches',
    file: postBatch,
    find: '(counts[day][claim.combination] ?? 0) + 1',
    replace: '1',
    caughtBy: 'a batch counts what it sent',
  },
  {
    name: 'an end whose answer was lost is taken for that of another process',
    file: batchStore,
    find: 'return (await readHead(table, organization, batch))?.state === to;',
    replace: 'return false;',
    caughtBy: 'the counters are those of the ledger',
  },
  {
    name: 'a request to resend that cannot be fulfilled stays',
    file: release,
    find: 'await sent.dropResend(table, { organization, hash }, pack.resend.seq, pack.resend.request);',
    replace: '',
    caughtBy: 'no request to resend is forgotten',
  },
  {
    name: 'a purge leaves the skips',
    file: 'functions/core/operations/purge.ts',
    find: 'whileMore(() => skip.purgeSome(table, id)),',
    replace: '',
    caughtBy: 'nothing is left of a deleted organization',
  },
  {
    name: 'the log takes no note of what the provider told later',
    file: 'functions/core/sending/log/sent-rows.ts',
    find: 'const outcome = outcomeStore.settledOutcome(candidate.outcome, claim) ?? candidate.outcome;',
    replace: 'const { outcome } = candidate;',
    caughtBy: 'the log shows what became of each email',
  },
  {
    name: 'the copies of an occurrence supersede its first email',
    file: decide,
    find: 'newer.k > occurrence.k ||',
    replace: 'newer.k >= occurrence.k ||',
    caughtBy: REASON,
  },
  {
    name: 'all assets of a batch are taken from its first person',
    file: 'functions/core/sending/delivery/render.ts',
    find: 'composed.get(content.id) ??',
    replace: "composed.get(content.template_id ? content.id : [...composed.keys()][0] ?? '') ??",
    caughtBy: 'every mail has the content of its claim',
  },
];

export const PLANTED = [...SENDING, ...TIMES, ...TRACKING];
