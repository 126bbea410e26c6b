import { TRACKING } from './planted-tracking.ts';

/** A fault in the product, planted as its module is loaded: the file itself stays as it is. */
export type Planted = {
  name: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  /** The invariant that must find it. */
  caughtBy: string;
};

const TWICE = 'no occurrence is mailed twice to a person';
const LOST = 'every occurrence is claimed or skipped with a reason';
const LEFT = 'nothing is left claimed';
const NEWLY_DUE = 'what fell due before a member was stored is claimed or skipped';
const OFF = 'what is off is posted for no longer than five seconds';

const claim = 'functions/core/sending/claim/claim.ts';
const decide = 'functions/core/sending/claim/decide.ts';
const claimStore = 'functions/core/recipient/recipient/claim.store.ts';
const delivery = 'functions/core/sending/delivery/delivery.ts';
const group = 'functions/core/sending/delivery/group.ts';
const release = 'functions/core/sending/delivery/release.ts';
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
    file: 'functions/core/storage/projection/projection.store.ts',
    find: "unchanged(from === undefined ? undefined : { sequence: from }, ['sequence']),",
    replace: 'undefined,',
    caughtBy: 'the counts of a list are those of its members',
  },
  {
    name: 'the watermark moves before the queue has accepted the packs',
    file: 'functions/core/sending/sweep/turns.ts',
    find: 'if (packs.length > 0) await queue(packs);',
    replace: 'if (packs.length > 0) queue(packs).catch(() => {});',
    caughtBy: LOST,
  },
  {
    name: 'an organization that could not be swept is passed over',
    file: sweep,
    find: 'await inParallel(left, MOST_AT_ONCE, one => noteBehind(table, shard, one));',
    replace: '',
    caughtBy: LOST,
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
    name: 'an email is posted while its claim is being written',
    file: claim,
    find: 'isOvertaken = !(await recipient.writeClaim(needs.table, key, next.claim, first));',
    replace: 'recipient.writeClaim(needs.table, key, next.claim, first).catch(() => {});',
    caughtBy: 'every mail has a claim that is not released',
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
    name: 'each attempt has a batch of its own',
    file: delivery,
    find: 'await postGroup(needs, world, pack, batch, { claimed: posted, held: some });',
    replace:
      "await postGroup(needs, world, pack, batch.concat('.', Math.random().toString(36).slice(2, 8)), { claimed: posted, held: some });",
    caughtBy: TWICE,
  },
  {
    name: 'what is unknown is posted again at once, as SDKs do',
    file: group,
    find: '? needs.post(access, some === current ? message : messageFor(sender, some))',
    replace:
      "? needs.post(access, messageFor(sender, some)).then(answer => answer.kind === 'unknown' ? needs.post(access, messageFor(sender, some)) : answer)",
    caughtBy: TWICE,
  },
  {
    name: 'what is unknown is released and sent again',
    file: 'functions/core/sending/delivery/post.ts',
    find: "return 'unknown';",
    replace: 'return { seconds: NO_WAIT };',
    caughtBy: TWICE,
  },
  {
    name: 'the caps count calendar days',
    file: 'functions/core/organization/safeguards/caps.ts',
    find: 'instant > at - length && instant <= at',
    replace: 'instant >= at - (at % length) && instant <= at',
    caughtBy: 'no rolling window is over its cap',
  },
  {
    name: 'what was released counts',
    file: claimStore,
    find: "entry.type === 'send' && !('released' in entry)",
    replace: "entry.type === 'send'",
    caughtBy: LOST,
  },
  {
    name: 'a pack that is delivered again is taken for a new one',
    file: delivery,
    find: 'if (heads.length > 0) return settle(needs, pack, heads);',
    replace: '',
    caughtBy: LEFT,
  },
  {
    name: 'what was looked at before the claims is not looked at again',
    file: group,
    find: 'const SEEN_WITHIN = 5 * SECOND;',
    replace: 'const SEEN_WITHIN = 500 * SECOND;',
    caughtBy: OFF,
  },
  {
    name: 'what was switched off since the claims is not looked at again',
    file: group,
    find: 'const switches = await read();',
    replace: 'const switches = world;',
    caughtBy: OFF,
  },
  {
    name: 'an erased person loses the newest entry of their journal',
    file: 'functions/core/recipient/recipient/recipient.ts',
    find: "journal.entryWrite(table, key, { type: 'erased', seq: seq + 1, at }),",
    replace: 'deleteWrite(table, journal.entryKey(key, seq)),',
    caughtBy: 'the entries of a journal stay',
  },
  {
    name: 'a batch begins whether or not it has begun',
    file: 'functions/core/sending/batch/batch.store.ts',
    find: `{ ...headKey(organization, head.batch), ...head, ...recentSends(organization, head) },
        ABSENT,
      ),
      putWrite(table, { ...manifestKey(organization, head.batch), sends: packed(sends) }, ABSENT),`,
    replace: `{ ...headKey(organization, head.batch), ...head, ...recentSends(organization, head) },
      ),
      putWrite(table, { ...manifestKey(organization, head.batch), sends: packed(sends) }),`,
    caughtBy: TWICE,
  },
  {
    name: 'who lost a batch keeps the claims that it does not name',
    file: release,
    find: 'await releaseLeft(needs, pack, batch, others);',
    replace: '',
    caughtBy: LEFT,
  },
  {
    name: 'what was released is not queued again',
    file: release,
    find: 'await queueAgain(needs, pack, head.batch, sends, head.retry_after);',
    replace: ';',
    caughtBy: LOST,
  },
  {
    name: 'who waits for their list is forgotten',
    file: delivery,
    find: 'await needs.queue(again, delayOf(again, seconds));',
    replace: '',
    caughtBy: LOST,
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
    name: 'what a dead process was posting stays so',
    file: 'functions/core/sending/delivery/settle.ts',
    find: 'if (isOld) await batches.markUnknown(table, organization, head.batch);',
    replace: 'if (isOld) isPosting = false;',
    caughtBy: LEFT,
  },
  {
    name: 'a dead pack keeps its claims',
    file: delivery,
    find: 'const { batched } = await releaseOf(needs, pack, heads, { isDead: true });',
    replace: 'const batched = new Set<string>(heads.map(({ batch }) => batch));',
    caughtBy: LEFT,
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
    name: 'a late dispatcher looks back from when it runs',
    file: 'functions/core/sending/newly-due/newly-due.ts',
    find: 'written.getTime() - LOOKED_BACK',
    replace: 'now.getTime() - LOOKED_BACK',
    caughtBy: NEWLY_DUE,
  },
  {
    name: 'what the dispatcher could not queue is not tried again',
    file: 'functions/core/parallel.ts',
    find: 'if (failures.length > 0) throw failures[0];',
    replace: '',
    caughtBy: NEWLY_DUE,
  },
  {
    name: 'sends are counted by batches',
    file: 'functions/core/sending/batch/batch.store.ts',
    find: '[day, { sent: some.length }]',
    replace: '[day, { sent: Math.min(some.length, 1) }]',
    caughtBy: 'the counters are those of the ledger',
  },
];

export const PLANTED = [...SENDING, ...TRACKING];
