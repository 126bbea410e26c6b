import { plantedIn } from '../simulation/planted.ts';

/** Faults in the product, by what of the model must differ from them: file, name, and what of the source is replaced. */
const FAULTS = `
automations
core/automation/due/occurrences.ts: an import that starts nothing starts what is due at its instant
- return !after || trigger > after;
+ return !after || trigger >= after;
core/sending/claim/decide.ts: who is there already is mailed on the day on which the next email is due
- return others.length > 0 || isDueToo ? others : undefined;
+ return others.length > 0 ? others : undefined;
core/organization/safeguards.ts: an email that is as old as a window still counts
- instant > at - length &&
+ instant >= at - length &&
core/sending/claim/decide.ts: who is held out for the second copy has to get the first one
-     if (isHeldOut(context, automation, hash)) {
+     if (occurrence.copy === 1 && isHeldOut(context, automation, hash)) {
core/sending/claim/decide.ts: what earns least comes first
- const place = earners.indexOf(automation);
+ const place = earners.toReversed().indexOf(automation);
core/sending/claim/decide.ts: what earns nothing comes before what earns more
- place === -1 ? earners.length : place
+ place
core/sending/claim/decide.ts: what earns most is that of the first day
- earnersOn?.(at.slice(0, 10))
+ earnersOn?.('')
core/sending/state.ts: one holdout is that of all automations
- holdout.isHeldOut(hash, sequence_id, holdout_percent)
+ holdout.isHeldOut(hash, '', holdout_percent)

sequences that have begun
core/automation/due/occurrences.ts: who joins when a sequence begins has begun it
- || membership.created_at >= ofList.since) return
+ || membership.created_at > ofList.since) return
core/automation/due/occurrences.ts: who would begin a sequence in that minute has begun it
- shiftOf(first) < startOfMinute(Date.parse(since));
+ shiftOf(first) <= startOfMinute(Date.parse(since));
core/sending/claim/decide.ts: who is on the way by another list begins at once
- if (isFound && isOnTheirWay(context, automation, membership, person, minute)) return { isLeftOut: true };
core/sending/claim/decide.ts: who starts nothing on another list is on the way by it
- next => isStarted(other, own, rule, next)
+ () => true
core/sending/claim/decide.ts: a step is sent to who has got it before their date was changed
- automation.sequence_id ? new Date(automation.created_at) : begun;
+ begun;

broadcasts at a local time
core/sending/broadcast.ts: a broadcast at a local time goes by the time zone of the list
- time_zone_of: 'member' as const
+ time_zone_of: 'list' as const
core/automation/due/occurrences.ts: who joins in quiet hours gets what waits for their end
- (first.heldSince ?? first.at).toISOString();
+ first.at.toISOString();

broadcasts to the rest
core/sending/claim/decide.ts: the rest of a broadcast are all of its people
- const claims = [...person.claims];
+ const claims = person.claims.filter(({ automation_id }) => !automation_id.startsWith('B'));
core/sending/state.ts: a broadcast asks what was on when it was due
- ? new Date(Math.max(now.getTime(), instantOf(minute).getTime()))
+ ? instantOf(minute)

events
core/sending/backfill.ts: an event older than an hour starts what a delay made due within it
- trigger.getTime() < since ? written.getTime() : since
+ since
core/list/event/event.ts: an older event moves the date back
- return before.toISOString() < at;
+ return before.toISOString() !== at;
core/sending/backfill.ts: who moves to another time zone is not due by that at once
- timeZoneOf(before.metadata) !== timeZoneOf(membership.metadata)
+ false
core/sending/claim/decide.ts: an email that is late counts from when it was due
- const at = (isPunctual ? due : now).toISOString();
+ const at = due.toISOString();

lists in warm-up
shared/warm-up.ts: a day of which just half was sent does not count
- sent >= USED * allowanceOf
+ sent > USED * allowanceOf
shared/warm-up.ts: a day on which the guard found something counts
- !is_held && sent
+ sent
core/sending/warm-up-shares.ts: what the guard finds before the first pack of a day is about the last one alone
- ...(warmUpAt({ ...warmUp, is_held: true }, now) ?? warmUp),
+ ...warmUp,
core/sending/warm-up-shares.ts: a broadcast uses up the last twentieth of a day
- || leftOf(warmUp) < WORTHWHILE * allowanceOf(warmUp);
+ ;
core/sending/claim/decide.ts: two emails of one person need one share
- hash, before.length)
+ hash, 0)
core/sending/claim/decide.ts: a warm-up is the reason before any other
- (skipReason(context, occurrence, claims, at) ??
+ ((mayMail ? undefined : ('warm_up' as const)) ?? skipReason(context, occurrence, claims, at) ??

pauses of the guard
core/sending/state.ts: a pause of the guard is any switch
- return automation?.paused ? 'guard_off' : 'automation_off';
+ return 'automation_off';
core/sending/claim/decide.ts: what fell due while the guard had paused it is sent later
- automation && wasOff(automation, minute)
+ automation && !automation.resumes && wasOff(automation, minute)
core/sending/claim/decide.ts: what is sent after a pause counts with what was sent before
- ...(automation.resumes && { resumes: automation.resumes }),

the rule of the guard
shared/guard.ts: the hour a day ago counts as one
- count => ageOf(count) < DAY / HOUR
+ count => ageOf(count) <= DAY / HOUR
shared/guard.ts: a window grows to seven days and an hour
- age >= LONGEST_WINDOW_HOURS
+ age > LONGEST_WINDOW_HOURS
shared/guard.ts: a window goes on growing
- (age >= DAY / HOUR && window.sent >= least)
+ false
shared/guard.ts: at its share, it does nothing yet
- >= rate * (1 - 1e-12)
+ > rate
shared/guard.ts: a smaller percentage of an owner changes nothing
- (rule[is] * pauseAt[rule.kind])
+ (rule[is] * PAUSE_AT_PERCENT[rule.kind])
shared/guard.ts: a warning hides a reason to pause
- ['pause', 'warn'] as const
+ ['warn', 'pause'] as const
`;

export const PLANTED = plantedIn(FAULTS);
