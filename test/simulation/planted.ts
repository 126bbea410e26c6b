import { TIMES } from './planted-times.ts';
import { TRACKING } from './planted-tracking.ts';

type Fault = {
  name: string;
  /** Occurs in the file exactly once. */
  find: string;
  /** Nothing by default. */
  replace?: string;
  /** The invariant that must find the fault. */
  caughtBy: string;
};
export type ByFile = Record<string, Fault[]>;

const TWICE = 'no occurrence is mailed twice to a person';
const LOST = 'every occurrence is claimed or skipped with a reason';
const FORGOTTEN = 'what was queued is claimed or skipped';
const LEFT = 'nothing is left claimed';
const BACKFILL = 'what fell due before a member was stored is claimed or skipped';
const OFF = 'what is off is posted for no longer than five seconds';
const WAITS = 'a list waits that the provider refuses';
const REASON = 'every skip has its reason';
const STAYS = 'what became of a batch stays';

/** Planted when the module is loaded; the file does not change. */
const SENDING: ByFile = {
  'core/sending/sweep/sweep.store.ts': [
    {
      name: 'the watermark is written without a condition',
      find: "condition: 'holder = :mine',",
      replace: "condition: 'holder = :mine OR holder <> :mine',",
      caughtBy: 'the watermark never moves back',
    },
    {
      name: 'the lease is taken from a run that has it',
      find: 'until < now.toISOString();',
      replace: 'until < now.toISOString() || until > now.toISOString();',
      caughtBy: 'a run keeps its lease until it ends',
    },
  ],
  'core/storage/projection.ts': [
    {
      name: 'the position of the stream is not compared',
      find: "unchanged(from, ['sequence', 'ahead']),",
      replace: 'undefined,',
      caughtBy: 'the counts of a list are those of its members',
    },
  ],
  'core/sending/sweep/sweep.ts': [
    {
      name: 'the watermark moves before the queue has accepted the packs',
      find: 'if (packs.length > 0) await queue(packs);',
      replace: 'if (packs.length > 0) queue(packs).catch(() => {});',
      caughtBy: LOST,
    },
    {
      name: 'an organization that could not be swept is passed over',
      find: 'await inParallel(left, MOST_AT_ONCE, organization => storeBehind(table, run, organization));',
      caughtBy: LOST,
    },
    {
      name: 'a sweep ignores since when something is on',
      find: '.filter(since => since >= after)',
      replace: '.filter(() => after < 0)',
      caughtBy: LOST,
    },
  ],
  'core/automation/automation.store.ts': [
    {
      name: 'a list that is added to an automation is not swept for it',
      find: '...to.filter(source => !isIn(from)(source)).map(source => sourceWrite(table, source, now)),',
      caughtBy: 'the sources of the sweep are the lists of active automations',
    },
  ],
  'core/sending/sweep/part.ts': [
    {
      name: 'a part begins after the column where the last one ended',
      find: 'if (!source || (left && column < left.column)) continue;',
      replace: 'if (!source || (left && column <= left.column)) continue;',
      caughtBy: LOST,
    },
  ],
  'core/storage/write.store.ts': [
    {
      name: 'an insert counts as done where an item has its key',
      find: "if (code === 'DuplicateItem' || code === 'TransactionConflict') return false;",
      replace:
        "if (code === 'TransactionConflict') return false;\n    if (code === 'DuplicateItem') return true;",
      caughtBy: 'every mail has a claim that is not released',
    },
    {
      name: 'a request of inserts is answered in another order',
      find: 'codes.set(item, Responses[at]?.Error?.Code);',
      replace: 'codes.set(item, Responses[Responses.length - 1 - at]?.Error?.Code);',
      caughtBy: 'every mail has a claim that is not released',
    },
  ],
  'core/recipient/claim.ts': [
    {
      name: 'a claim replaces the entry that has its number',
      find: 'return this.#insert({ ...entryKey(key, claim.seq), ...claim });',
      replace: `const { batchWrite } = await import('#core/storage/table.store.ts');
    await batchWrite(this.#table, { puts: [{ ...entryKey(key, claim.seq), ...claim }] });
    return true;`,
      caughtBy: 'the entries of a journal stay',
    },
    {
      name: 'what was released counts',
      find: "entry.type === 'send' && !('released' in entry)",
      replace: "entry.type === 'send'",
      caughtBy: REASON,
    },
  ],
  'core/organization/safeguards.ts': [
    {
      name: 'the caps count calendar days',
      find: 'instant > at - length && instant <= at',
      replace: 'instant >= at - (at % length) && instant <= at',
      caughtBy: 'no rolling window is over its cap',
    },
  ],
  'core/recipient/recipient.ts': [
    {
      name: 'an erased person loses the newest entry of their journal',
      find: "journal.entryWrite(table, key, { type: 'erased', seq: seq + 1, at }),",
      replace: 'deleteWrite(table, journal.entryKey(key, seq)),',
      caughtBy: 'the entries of a journal stay',
    },
  ],
  'core/sending/claim/decide.ts': [
    {
      name: 'a copy goes without the first email',
      find: "if (!first || first.at > due.toISOString()) return 'no_first';",
      caughtBy: 'a copy follows its first email',
    },
    {
      name: 'who has unsubscribed is claimed',
      find: "if (membership?.status !== 'subscribed') return { reason: 'not_subscribed' };",
      replace: "if (!membership) return { reason: 'not_subscribed' };",
      caughtBy: 'nobody is claimed who unsubscribed or is suppressed',
    },
    {
      name: 'who is suppressed is claimed',
      find: "if (person.suppression) return { reason: 'suppressed' };",
      caughtBy: 'nobody is claimed who unsubscribed or is suppressed',
    },
    {
      name: 'an automation mails a person twice a day who is on two of its lists',
      find: 'const taken = claims.find(({ key }) => key === occurrence.key);',
      replace:
        'const taken = claims.find(({ key, list_id }) => key === occurrence.key && list_id === membership.list_id);',
      caughtBy: TWICE,
    },
    {
      name: 'a claim that is about to be released ends the pack after it',
      find: 'decision.isReleasing ||= isReleasing(pack, taken);',
      replace: ';',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'nothing is superseded',
      find: "if (isSuperseded) return { reason: 'superseded' };",
      replace: "if (isSuperseded && now < minute) return { reason: 'superseded' };",
      caughtBy: 'nothing is sent that is superseded',
    },
    {
      name: 'the copies of an occurrence supersede its first email',
      find: 'newer.k > occurrence.k ||',
      replace: 'newer.k >= occurrence.k ||',
      caughtBy: REASON,
    },
  ],
  'core/sending/claim/claim.ts': [
    {
      name: 'an email is posted while its claim is being written',
      find: 'isOvertaken = !(await writer.write(key, claim, first));',
      replace: 'writer.write(key, claim, first).catch(() => {});',
      caughtBy: 'every mail has a claim that is not released',
    },
    {
      name: 'a claim whose answer was lost gets other content than it says',
      find: 'combinations.read(needs.table, pack.organization, email.claim.combination)',
      replace: 'combinations.choice(context.linked.get(email.automation.id) ?? {}, String(claimedAt))',
      caughtBy: 'every mail has the content of its claim',
    },
    {
      name: 'a skip is decided by a stale read',
      find: 'if (attempt === 1 && isPassedOver) continue;',
      caughtBy: REASON,
    },
  ],
  'providers/mailgun/mailgun.ts': [
    {
      name: 'what is unknown is posted again at once, as SDKs do',
      find: 'return meaningOf(await request(access, form, POST_TIMEOUT));',
      replace:
        "const first = meaningOf(await request(access, form, POST_TIMEOUT));\n    return first.kind === 'unknown' ? meaningOf(await request(access, form, POST_TIMEOUT)) : first;",
      caughtBy: TWICE,
    },
    {
      name: 'what is unknown is released and sent again',
      find: "return error instanceof NotConnected ? notSent('unreachable') : { kind: 'unknown' };",
      replace: "return notSent('unreachable');",
      caughtBy: TWICE,
    },
  ],
  'core/sending/delivery/delivery.ts': [
    {
      name: 'a pack that is delivered again is sent again',
      find: 'if (run.number === 1 && !isDead)',
      replace: 'if (!isDead)',
      caughtBy: LEFT,
    },
    {
      name: 'a process that was given up deletes the message of the one after it',
      find: 'if (!(await markDone(table, pack, holder))) throw',
      replace: 'await markDone(table, pack, holder); void',
      caughtBy: LEFT,
    },
    {
      name: 'who waits for their list is forgotten',
      find: 'if (!pack.isEarly) await requeue(needs, pack, waiting, { seconds });',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'who a process did not come to is forgotten',
      find: 'await requeue(needs, pack, ready, { seconds: isDead ? LONGEST_DELAY : 0 });',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'who could not be claimed is forgotten',
      find: 'await needs.queue(next, isDelayed ? delayOf(next) : 0);',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'what a dead process was posting stays so',
      find: "if (head.state === 'posting') await batchStore.end(table, pack.organization, head, { event: 'orphaned' });",
      caughtBy: LEFT,
    },
    {
      name: 'a dead pack is left as it is',
      find: 'else await resumeRedelivered(needs, pack, { state, isDead });',
      replace: 'else if (!isDead) await resumeRedelivered(needs, pack, { state, isDead });',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'claims that are in no batch are kept',
      find: 'else await releaseBatch(needs, { pack, batch, claims }, { retry_after: 0 });',
      caughtBy: LEFT,
    },
    {
      name: 'nobody looks after a process that was only paused',
      find: '  await queueRecheck(needs, pack);\n}',
      replace: '}',
      caughtBy: LEFT,
    },
  ],
  'core/timeouts.ts': [
    {
      name: 'what was looked at before the claims is not looked at again',
      find: 'export const FRESH = 5 * SECOND;',
      replace: 'export const FRESH = 500 * SECOND;',
      caughtBy: OFF,
    },
    {
      name: 'emails that go late count from their minute',
      find: 'export const PUNCTUAL = 2 * MINUTE;',
      replace: 'export const PUNCTUAL = 200 * MINUTE;',
      caughtBy: 'every claim counts from its instant',
    },
    {
      name: 'the dispatcher looks back one minute',
      find: 'export const BACKFILL = HOUR;',
      replace: 'export const BACKFILL = MINUTE;',
      caughtBy: BACKFILL,
    },
  ],
  'core/sending/batch/batch.store.ts': [
    {
      name: 'a batch that has ended ends again',
      find: "const only = unchanged({ state: from }, ['state']);",
      replace: 'const only = PRESENT;',
      caughtBy: STAYS,
    },
    {
      name: 'an end whose answer was lost is taken for that of another process',
      find: 'return (await readHead(table, organization, batch))?.state === to;',
      replace: 'return false;',
      caughtBy: 'the counters are those of the ledger',
    },
  ],
  'core/sending/delivery/release.ts': [
    {
      name: 'what was released is not queued again',
      find: 'await requeue(needs, pack, candidatesOwed(pack, owed), { seconds, releasing: batch });',
      replace: ';',
      caughtBy: FORGOTTEN,
    },
    {
      name: 'a request to resend that cannot be fulfilled stays',
      find: 'await sent.dropResend(table, { organization, hash }, pack.resend.seq, pack.resend.request);',
      caughtBy: 'no request to resend is forgotten',
    },
  ],
  'core/sending/delivery/post-batch.ts': [
    {
      name: 'emails are posted after the lease has ended',
      find: 'timeLeft() > SPARE && now().getTime() + SPARE <= until.getTime();',
      replace: 'timeLeft() > SPARE || until > now();',
      caughtBy: 'a claim is posted soon or never',
    },
    {
      name: '429 pauses nothing',
      find: 'if (seconds > 0) await sendingKey.pause(',
      replace: 'if (seconds < 0) await sendingKey.pause(',
      caughtBy: WAITS,
    },
    {
      name: 'a key that is denied stops nothing',
      find: 'await sendingKey.markDenied({ table, now: now() }, list);',
      caughtBy: WAITS,
    },
    {
      name: 'sends are counted by batches',
      find: '(counts[day][claim.combination] ?? 0) + 1',
      replace: '1',
      caughtBy: 'a batch counts what it sent',
    },
  ],
  'core/sending/state.ts': [
    {
      name: 'a list that waits is posted to',
      find: 'return until && until > now ? until : undefined;',
      replace: 'return until && until < now ? until : undefined;',
      caughtBy: 'nothing is posted to a list that waits',
    },
    {
      name: 'what was due while it was off is sent',
      find: 'if (!list?.active || wasOff(list, due))',
      replace: 'if (!list?.active)',
      caughtBy: 'what was off stays unsent',
    },
  ],
  'core/recipient/suppression.ts': [
    {
      name: 'who leaves before the post is not seen',
      find: 'stopped.list === list ? [stopped.hash] : []',
      replace: 'stopped.list === stopped.hash ? [stopped.hash] : []',
      caughtBy: OFF,
    },
  ],
  'core/sending/delivery/render.ts': [
    {
      name: 'all emails of a batch get the content of one',
      find: 'composed.get(content.id) ??',
      replace: 'composed.values().next().value ??',
      caughtBy: 'every mail has the content of its claim',
    },
    {
      name: 'all assets of a batch are taken from its first person',
      find: 'composed.get(content.id) ??',
      replace: "composed.get(content.template_id ? content.id : [...composed.keys()][0] ?? '') ??",
      caughtBy: 'every mail has the content of its claim',
    },
  ],
  'core/sending/backfill.ts': [
    {
      name: 'a late dispatcher looks back from when it runs',
      find: 'written.getTime() - BACKFILL',
      replace: 'now.getTime() - BACKFILL',
      caughtBy: BACKFILL,
    },
    {
      name: 'the dispatcher ignores who gets another date',
      find: 'if (!before) return true;',
      replace: 'return !before;',
      caughtBy: BACKFILL,
    },
  ],
  'core/parallel.ts': [
    {
      name: 'what the dispatcher could not queue is not tried again',
      find: 'if (failures.length > 0) throw failures[0];\n}',
      replace: '}',
      caughtBy: BACKFILL,
    },
  ],
  'core/operations/purge.ts': [
    {
      name: 'a purge leaves the skips',
      find: 'whileMore(() => skip.purgeSome(table, id)),',
      caughtBy: 'nothing is left of a deleted organization',
    },
  ],
  'core/sending/log/sent-rows.ts': [
    {
      name: 'the log takes no note of what the provider told later',
      find: 'const outcome = outcomeStore.settledOutcome(candidate.outcome, claim) ?? candidate.outcome;',
      replace: 'const { outcome } = candidate;',
      caughtBy: 'the log shows what became of each email',
    },
  ],
};

/** A fault in the product. */
export type Planted = Required<Fault> & { file: string };

export const PLANTED: Planted[] = [SENDING, TIMES, TRACKING].flatMap(byFile =>
  Object.entries(byFile).flatMap(([file, faults]) =>
    faults.map(fault => ({ replace: '', ...fault, file: `functions/${file}` })),
  ),
);
