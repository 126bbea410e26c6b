/** Below each invariant the faults that it must find: file, name, and what of the source is replaced. */
export const OF_SENDING = `
the watermark never moves back
core/sending/sweep/sweep.store.ts: the watermark is written without a condition
- condition: 'holder = :mine',
+ condition: 'holder = :mine OR holder <> :mine',

a run keeps its lease until it ends
core/sending/sweep/sweep.store.ts: the lease is taken from a run that has it
- until < now.toISOString();
+ until < now.toISOString() || until > now.toISOString();

the counts of a list are those of its members
core/storage/projection.ts: the position of the stream is not compared
- unchanged(from, ['sequence', 'ahead']),
+ undefined,

every occurrence is claimed or skipped with a reason
core/sending/sweep/sweep.ts: the watermark moves before the queue has accepted the packs
- if (packs.length > 0) await queue(packs);
+ if (packs.length > 0) queue(packs).catch(() => {});
core/sending/sweep/sweep.ts: an organization that could not be swept is passed over
- await inParallel(left, MOST_AT_ONCE, organization => storeBehind(table, run, organization));
core/sending/sweep/sweep.ts: a sweep ignores since when something is on
- filter(({ since }) => since.getTime() >= after);
+ filter(() => after < 0);
core/sending/sweep/queries.ts: the dates whose emails go some minutes later are not looked for
- const delay = shiftOf(timed.automation) + copy;
+ const delay = copy;
core/automation/due/read-plan.ts: the minutes of a delay are forgotten where days off or quiet hours decide
- minuteOfDay(due - shift)
+ minuteOfDay(due)
core/sending/sweep/part.ts: a part begins after the column where the last one ended
- if (!source || (left && column < left.column)) continue;
+ if (!source || (left && column <= left.column)) continue;
core/organization/sending-hours.ts: a change of quiet hours forgets the earlier ones
- hours: [...kept, { since, time_zone, quiet_hours }]
+ hours: [...kept.slice(0, 0), { since, time_zone, quiet_hours }]
core/organization/sending-hours.ts: a change of quiet hours holds at once
- (Math.floor(now.getTime() / MINUTE) + 2) * MINUTE
+ (Math.floor(now.getTime() / MINUTE) - 2) * MINUTE
core/automation/due/read-plan.ts: the members of one time zone are looked for at no time
- for (const zone of TIME_ZONES) add(zone);
+ for (const zone of TIME_ZONES) if (!zone.startsWith('America')) add(zone);
core/automation/due/read-plan.ts: the end of quiet hours is looked for without the minutes that wait for it
- minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due - shift)));
+ if (at === due) minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due - shift)));
core/automation/due/read-plan.ts: the copies of what was held are looked for six hours after its date
- delay === 0 ? first.at : timing.laterThan(first, delay).at
+ delay === 0 ? first.at : timing.laterThan({ ...first, at: first.heldSince ?? first.at }, delay).at
core/recipient/trigger.ts: the row of a member keeps the time zone that it had
- rows.filter(row => !existing.some(isSameKey(row)))
+ rows.filter(row => !existing.some(other => isSameKey(row)(other) || isOfSameDate(row, other)))

the sources of the sweep are the lists of active automations
core/automation/sequence.ts: a change that exceeds a transaction stores no sources
- await commitEach(table, claimed && store.unchangedCheck(table, claimed), added);
core/automation/automation.store.ts: a list that is added to an automation is not swept for it
- .filter(([list, key]) => !isIn(from, key) || passes.includes(list))
+ .filter(([list, key]) => (from.length === 0 && !isIn(from, key)) || passes.includes(list))
core/sending/sweep/part.ts: what a change has left behind that died stays
- sources.filter(source => !isUsed(source) && isOld(source))
+ sources.filter(source => !isUsed(source) && isOld({ ...source, since: now.toISOString() }))

every mail has a claim that is not released
core/storage/write.store.ts: an insert counts as done where an item has its key
- if (code === 'DuplicateItem' || code === 'TransactionConflict') return false;
+ if (code === 'TransactionConflict') return false;
+     if (code === 'DuplicateItem') return true;
core/storage/write.store.ts: a request of inserts is answered in another order
- codes.set(item, Responses[at]?.Error?.Code);
+ codes.set(item, Responses[Responses.length - 1 - at]?.Error?.Code);
core/sending/claim/claim.ts: an email is posted while its claim is being written
- isOvertaken = !(await writer.write(key, claim, first));
+ writer.write(key, claim, first).catch(() => {});

the entries of a journal stay
core/recipient/claim.ts: a claim replaces the entry that has its number
- return this.#insert({ ...entryKey(key, claim.seq), ...claim });
+ const { batchWrite } = await import('#core/storage/table.store.ts');
+     await batchWrite(this.#table, { puts: [{ ...entryKey(key, claim.seq), ...claim }] });
+     return true;
core/recipient/recipient.ts: an erased person loses the newest entry of their journal
- journal.entryWrite(table, key, { type: 'erased', seq: seq + 1, at }),
+ deleteWrite(table, journal.entryKey(key, seq)),
core/recipient/claim.ts: an open takes the place of the one before
-  AND attribute_not_exists(#mark)\`,
+  AND (attribute_not_exists(#mark) OR attribute_exists(#mark))\`,

every skip has its reason
core/recipient/claim.ts: what was released counts
- entry.type === 'send' && !('released' in entry)
+ entry.type === 'send'
core/sending/claim/decide.ts: the copies of an occurrence supersede its first email
- newer.k > occurrence.k ||
+ newer.k >= occurrence.k ||
core/sending/claim/claim.ts: a skip is decided by a stale read
- if (!consistent && isPassedOver) continue;
core/sending/claim/decide.ts: who does not match the conditions is logged
- if (!isMeant) return { isLeftOut: true };
+ if (!isMeant) return { reason: 'not_due' };

core/sending/claim/decide.ts: who is held out comes after the limits
-     // Before whatever counts or reserves: who is held out takes nothing of a limit.
-     if (isHeldOut(context, automation, hash)) {
+     if (capReason(context, claims, new Date(at)) === undefined && isHeldOut(context, automation, hash)) {

nobody is claimed who is held out
core/organization/holdout.ts: who is held out is chosen by another part of the hash
- readUInt32BE()
+ readUInt32BE(8)
core/sending/state.ts: each step of a sequence holds out other people
- holdout.isHeldOut(hash, sequence_id, holdout_percent)
+ holdout.isHeldOut(hash, id || sequence_id, holdout_percent)
core/sending/state.ts: the holdout of an organization holds out nobody
- organization !== undefined &&
+ organization === undefined &&

no rolling window is over its cap
core/organization/safeguards.ts: the caps count calendar days
- instant > at - length && instant <= at
+ instant >= at - (at % length) && instant <= at

what earns most comes first
core/sending/claim/decide.ts: the order by value holds where it is not chosen
- (order === 'value' ? (earnersOn
+ (order !== 'value' ? (earnersOn
core/sending/claim/decide.ts: of what earns most on a day, the least comes first
- place === -1 ? earners.length : place)
+ place === -1 ? earners.length : earners.length - place - 1)
core/sending/state.ts: what earns most on a day is that of the day after
- earnersOn: day => earners[day],
+ earnersOn: day => earners[new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)],

a copy follows its first email
core/sending/claim/decide.ts: a copy goes without the first email
- if (!first || first.at > due.toISOString()) return 'no_first';

nobody gets an email who does not match its conditions
../shared/audience.ts: is is taken for contains
- is: isSame,
+ is: contains,
../shared/audience.ts: what starts with a text may not start with blanks
- lowered(value).startsWith(lowered(to))
+ String(value).toLowerCase().startsWith(lowered(to))
../shared/audience.ts: greater includes the number
- greater: compared((value, to) => value > to),
+ greater: compared((value, to) => value >= to),
../shared/audience.ts: less includes the number
- less: compared((value, to) => value < to),
+ less: compared((value, to) => value <= to),
../shared/audience.ts: not_set is taken for set
- not_set: not(isSet),
+ not_set: isSet,
../shared/audience.ts: before a day includes that day
- dated((instant, { from }) => instant < from),
+ dated((instant, { until }) => instant < until),
../shared/audience.ts: after a day includes that day
- dated((instant, { until }) => instant >= until),
+ dated((instant, { from }) => instant >= from),
../shared/audience.ts: whoever is on a list is not on it
- not_on: not(isOn),
+ not_on: isSet,
core/sending/claim/decide.ts: conditions are not evaluated
- !mismatchOf(context, pair.list, automation, member, minute);
+ true;
core/sending/state.ts: conditions count days in UTC
- whenFor(automation, { organization, list: lists.get(list) }, at)(metadata);
+ whenFor({}, { organization: undefined, list: undefined }, at)(metadata);

nobody is claimed who unsubscribed or is suppressed
core/sending/claim/decide.ts: who has unsubscribed is claimed
- if (membership?.status !== 'subscribed') return { reason: 'not_subscribed' };
+ if (!membership) return { reason: 'not_subscribed' };
core/sending/claim/decide.ts: who is suppressed is claimed
- if (person.suppression) return { reason: 'suppressed' };

no occurrence is mailed twice to a person
core/sending/claim/decide.ts: an automation mails a person twice a day who is on two of its lists
- const taken = takenBy(owed, claims);
+ const taken = takenBy(owed, claims.filter(({ list_id }) => list_id === membership.list_id));
providers/mailgun/mailgun.ts: what is unknown is posted again at once, as SDKs do
- return meaningOf(await request(access, form, POST_TIMEOUT));
+ const first = meaningOf(await request(access, form, POST_TIMEOUT));
+     return first.kind === 'unknown' ? meaningOf(await request(access, form, POST_TIMEOUT)) : first;
providers/ses/ses.ts: an answer of SES that was lost is taken for none
- notSent('unreachable') : UNKNOWN;
+ notSent('unreachable') : status === 0 ? notSent('unreachable') : UNKNOWN;
core/sending/delivery/post-batch.ts: what is unknown goes to the second provider
- const answered = await needs.providers[provider].post(access, emails, mayContinue);
+ const first = await needs.providers[provider].post(access, emails, mayContinue);
+   const other = list.second_provider && first.some(({ kind }) => kind === 'unknown') ? list.second_provider : undefined;
+   const answered = other
+     ? await needs.providers[other].post(await sendingKey.accessOf(needs, list, other), emails, mayContinue)
+     : first;
providers/mailgun/mailgun.ts: what is unknown is released and sent again
- return error instanceof NotConnected ? notSent('unreachable') : { kind: 'unknown' };
+ return notSent('unreachable');

what a batch says is what the provider knows
providers/ses/ses.ts: an email that SES throttles counts as sent
- ACCOUNT_THROTTLED: THROTTLED,
+ ACCOUNT_THROTTLED: ACCEPTED,

the second provider waits for its turn
core/list/providers.ts: a provider is left as soon as it throttles
- const LONGEST_THROTTLING = 15 * MINUTE;
+ const LONGEST_THROTTLING = 0 * MINUTE;

what was queued is claimed or skipped
core/sending/delivery/delivery.ts: who waits for the pace of the provider is forgotten
- await needs.queue(next, Math.min(LONGEST_DELAY, seconds));
+ if (next === undefined) await needs.queue(next, Math.min(LONGEST_DELAY, seconds));
core/sending/claim/decide.ts: a claim that is about to be released ends the pack after it
- decision.isReleasing ||= isReleasing(pack, taken);
+ ;
core/sending/delivery/delivery.ts: who waits for their list is forgotten
- if (!pack.isEarly) await requeue(needs, pack, waiting, { seconds, warm_up_day });
core/sending/delivery/delivery.ts: who a process did not come to is forgotten
- await requeue(needs, pack, ready, { seconds: isDead ? LONGEST_DELAY : 0 });
core/sending/delivery/delivery.ts: who could not be claimed is forgotten
- await needs.queue(next, isDelayed ? delayOf(next) : 0);
core/sending/delivery/delivery.ts: a dead pack is left as it is
- else await resumeRedelivered(needs, pack, { state, isDead });
+ else if (!isDead) await resumeRedelivered(needs, pack, { state, isDead });
core/sending/delivery/release.ts: what was released is not queued again
- await requeue(needs, pack, candidatesOwed(pack, owed), { seconds, releasing: batch });
+ ;
../shared/audience.ts: a missing value matches no is_not
- is_not: not(isSame),
+ is_not: (...input) => input[0] !== undefined && !isSame(...input),
../shared/audience.ts: contains regards case
- lowered(value).includes(lowered(to));
+ String(value).includes(String(to));
../shared/audience.ts: a missing value matches no not_contains
- not_contains: not(contains),
+ not_contains: (...input) => input[0] !== undefined && !contains(...input),
../shared/audience.ts: set matches nobody
- set: isSet,
+ set: isOn,
../shared/audience.ts: numbers are compared as text
- if (isExact && other !== undefined) return number === other;
../shared/audience.ts: of any all must match
- return mismatches.includes(undefined) ? undefined : item;
+ return mismatches.every(one => one === undefined) ? undefined : item;
core/sending/claim/decide.ts: who has unsubscribed from a list is not on it
- lists: person.memberships };
+ lists: new Map([...person.memberships].filter(([, { status }]) => status === 'subscribed')) };
../shared/audience.ts: blank text is set
- return typeof found === 'string' && found.trim() === '' ? undefined : found;
+ return found;

nothing is sent that is superseded
core/sending/claim/decide.ts: nothing is superseded
- if (existing === undefined && isSuperseded) return { reason: 'superseded' };
+ if (existing === undefined && isSuperseded && now < minute) return { reason: 'superseded' };

nothing is left claimed
core/sending/delivery/delivery.ts: a pack that is delivered again is sent again
- if (run.number === 1 && !isDead)
+ if (!isDead)
core/sending/delivery/delivery.ts: a process that was given up deletes the message of the one after it
- if (!(await markDone(table, pack, holder))) throw
+ await markDone(table, pack, holder); void
core/sending/delivery/delivery.ts: what a dead process was posting stays so
- if (head.state === 'posting') await batchStore.end(table, pack.organization, head, { event: 'orphaned' });
core/sending/delivery/delivery.ts: claims that are in no batch are kept
- else await releaseBatch(needs, { pack, batch, claims }, { retry_after: 0 });
core/sending/delivery/delivery.ts: nobody looks after a process that was only paused
-   await queueRecheck(needs, pack);
- }
+ }

what is off is posted for no longer than five seconds
core/timeouts.ts: what was looked at before the claims is not looked at again
- export const FRESH = 5 * SECOND;
+ export const FRESH = 500 * SECOND;
core/recipient/suppression.ts: who leaves before the post is not seen
- stopped.list === list ? [stopped.hash] : []
+ stopped.list === stopped.hash ? [stopped.hash] : []
core/sending/broadcast.ts: what a cancelled broadcast has queued is posted
-     status: 'cancelled',
-     active: false,
+     status: 'cancelled',
+     active: true,

every claim counts from its instant
core/timeouts.ts: emails that go late count from their minute
- export const PUNCTUAL = 2 * MINUTE;
+ export const PUNCTUAL = 200 * MINUTE;

what fell due before a member was stored is claimed or skipped
core/timeouts.ts: the dispatcher looks back one minute
- export const BACKFILL = HOUR;
+ export const BACKFILL = MINUTE;
core/sending/backfill.ts: a late dispatcher looks back from when it runs
- written.getTime() - BACKFILL
+ now.getTime() - BACKFILL
core/sending/backfill.ts: the dispatcher ignores who gets another date
- if (!before) return true;
+ return !before;
core/parallel.ts: what the dispatcher could not queue is not tried again
- if (failures.length > 0) throw failures[0];
- }
+ }
core/sending/backfill.ts: who has just been stored is looked for without their time zone
- ruleFor(state, list, automation, membership.metadata)
+ ruleFor(state, list, automation, {})
core/sending/backfill.ts: the dispatcher ignores who gets another time zone
- timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)
+ before.metadata === membership.metadata

what became of a batch stays
core/sending/batch/batch.store.ts: a batch that has ended ends again
- const only = unchanged({ state: from }, ['state']);
+ const only = PRESENT;

the counters are those of the ledger
core/sending/batch/batch.store.ts: an end whose answer was lost is taken for that of another process
- return (await readHead(table, organization, batch))?.state === to;
+ return false;
core/sending/sending.counters.ts: what an event proves counts twice
- outcome === 'sent' && before.outcome !== 'sent' &&
+ outcome === 'sent' &&

no request to resend is forgotten
core/sending/delivery/release.ts: a request to resend that cannot be fulfilled stays
- await sent.dropResend(table, { organization, hash }, pack.resend.seq, pack.resend.request);

a claim is posted soon or never
core/sending/delivery/post-batch.ts: emails are posted after the lease has ended
- timeLeft() > SPARE && now().getTime() + SPARE <= until.getTime();
+ timeLeft() > SPARE || until > now();

a list waits that the provider refuses
core/sending/delivery/post-batch.ts: 429 pauses nothing
- if (seconds > 0 && !hasOthers)
+ if (seconds < 0 && !hasOthers)
core/sending/delivery/post-batch.ts: a key that is denied stops nothing
- await sendingKey.markDenied({ table, now: now() }, list);

a batch counts what it sent
core/sending/delivery/post-batch.ts: sends are counted by batches
- (counts[day][name] ?? 0) + 1
+ 1

nothing is posted to a list that waits
core/list/providers.ts: a list that waits is posted to
- return instant && instant > now ? instant : undefined;
+ return instant && now < new Date(0) ? instant : undefined;

what was off stays unsent
core/sending/state.ts: what was due while it was off is sent
- if (!list?.active || wasOff(list, due))
+ if (!list?.active)

every mail has the content of its claim
core/sending/claim/claim.ts: a claim whose answer was lost gets other content than it says
- combinations.read(needs.table, pack.organization, email.claim.combination)
+ combinations.choice(context.linked.get(email.automation.id) ?? {}, String(claimedAt))
core/sending/delivery/render.ts: all emails of a batch get the content of one
- composed.get(content.id) ??
+ composed.values().next().value ??
core/sending/delivery/render.ts: all assets of a batch are taken from its first person
- composed.get(content.id) ??
+ composed.get(content.template_id ? content.id : [...composed.keys()][0] ?? '') ??

nothing is left of a deleted organization
core/operations/purge.ts: a purge leaves the skips
- whileMore(() => skip.purgeSome(table, id)),

the log shows what became of each email
core/sending/log/sent-rows.ts: the log takes no note of what the provider told later
- const outcome = outcomeStore.settledOutcome(candidate.outcome, claim) ?? candidate.outcome;
+ const { outcome } = candidate;

nothing is posted in quiet hours but what has just fallen due
core/sending/state.ts: a late pack does not wait for the end of quiet hours
- return end > now.getTime() ? new Date(end) : undefined;
+ return end < 0 ? new Date(end) : undefined;

every claim is of what is due
core/automation/due/occurrences.ts: an import that starts nothing starts by dates before it
- if (!after || repeat !== 'yearly') return !after || trigger > after;
+ if (!after || repeat !== 'yearly') return true;
core/automation/due/occurrences.ts: a yearly email counts from the instant of a date, not from its local day
- repeat === 'yearly' ? dayIfTimed(date, timing) : date
+ date
core/automation/due/occurrences.ts: an automation that mails once mails again
- const stop = repeat === 'once' ? delay : stop_after_days;
+ const stop = stop_after_days;
core/automation/due/occurrences.ts: the day of an email at a time of day is that in UTC
- const key = keyOf(automation.id, first.day, copy);
+ const key = keyOf(automation.id, dayOf(first.at), copy);
core/automation/due/occurrences.ts: all that waits for the same minute goes
- new Map(all.map(occurrence => [occurrence.at.getTime(), occurrence]))
+ new Map(all.map(occurrence => [occurrence.key, occurrence]))
core/automation/due/send-slots.ts: who has no time zone goes by UTC, not by that of the organization
- (time_zone_of !== 'organization' && list?.time_zone) || ofOrganization
+ (time_zone_of !== 'organization' && list?.time_zone) || UTC
core/automation/due/send-slots.ts: the time zone of a list is passed over
- (time_zone_of !== 'organization' && list?.time_zone) || ofOrganization
+ ofOrganization
core/automation/due/send-slots.ts: a date without a time is an instant
- isDate ? due / DAY : this.#dayOf(due, this.sendAt)
+ this.#dayOf(due, this.sendAt)
core/automation/due/send-slots.ts: what falls on a day off goes on the next one, which may be off too
- while (this.isOff(workday)) workday++;
+ workday++;
core/automation/due/send-slots.ts: what was held until a day off goes on it
- const isOff = this.hasDaysOff && this.isOff(dayOf(this.zone.localTime(end)));
+ const isOff = false;
core/automation/due/zone.ts: a time of day that comes twice is taken the second time
- for (const instant of [earliest, latest])
+ for (const instant of [latest, earliest])
core/automation/due/zone.ts: a time of day that is left out goes as if the clocks had not been changed
- return firstMinute(earliest, latest, instant => this.localTime(instant) >= wanted);
+ return latest;
core/automation/due/zone.ts: clocks are changed as a day in UTC begins
- before === after ? end : firstMinute(begin, end, instant => this.#read(instant) === after);
+ before === after ? end : begin;
core/sending/claim/decide.ts: the sender decides without the time zone of the member
- ruleFor(context, pair.list, automation, membership.metadata)
+ ruleFor(context, pair.list, automation, {})

a pack names nobody twice
core/sending/sweep/part.ts: members with a time zone are found by that and without it
- if (zone === undefined && row.zone !== undefined && !isOfAllZones && isByZone(timed)) continue;

what happens to an email is counted once
core/sending/sending.counters.ts: what has happened to an email counts again with each change of its claim
- after.marks.includes(mark) && !before.marks.includes(mark);
  const counts
+ after.marks.includes(mark);
  const counts
core/storage/projection.ts: what has no rollup yet is not counted
- counter.guard && counter.organization !== undefined ? [{ ...counter, guard: undefined }] : []
+ []
core/storage/projection.ts: what was counted is counted again where it is delivered again
- return contributions.filter(({ sequence }) => isAfter(sequence, position) && !ahead.has(sequence));
+ return ahead ? contributions : [];

every click belongs to an email that was clicked
core/recipient/journal.ts: a click is stored without the mark of its email
- updateWrite(table, entryKey(key, seq), { first: { [as]: click.at } }, UNERASED),

whoever unsubscribes by an email is counted for it
core/recipient/recipient.ts: who unsubscribes by an email is not counted for it
- ...(mark ? [markWrite(table, key, mark)] : []),

the trigger rows are those of the members who may be mailed
core/recipient/trigger.ts: who unsubscribes keeps their trigger rows
- ...removed.map(row => deleteWrite(table, row)),
core/recipient/suppression.ts: who is suppressed keeps their trigger rows
- ...rows.map(row => deleteWrite(table, row))

what is counted anew is what was counted
core/operations/rebuild.ts: what is unknown is taken for sent where everything is counted anew
- settledOutcome(outcome, claim)?.status === 'sent'
+ settledOutcome(outcome, claim)?.status !== 'failed'

what an event proves is no longer unknown
stream/records.ts: what events said while a batch was being posted is not looked at when it ends
- isOf(record, 'batch') && OPEN
+ isOf(record, 'manifest') && OPEN

what an event is worth is counted once
core/reporting/value.ts: value counts for another day
- sent_at.slice(0, 10)
+ new Date(Date.parse(sent_at) + 6 * 60 * 60 * 1000).toISOString().slice(0, 10)

what an event is worth stays
core/reporting/value.ts: a value that is posted again replaces the first one
- { ...key(organization, eventId), ...event }, ABSENT)
+ { ...key(organization, eventId), ...event }, { condition: 'attribute_not_exists(nothing)' })

no process fails by its own mistake
core/list/event/event.ts: a key of an event counts at its instant alone
- undefined : { key: idempotency_key, at: happened },
+ undefined : { key: idempotency_key + happened, at: happened },

whoever complains or bounces hard is suppressed
core/recipient/suppression.ts: who complains is not suppressed
- store.suppressionWrite(table, key, why),
`;
