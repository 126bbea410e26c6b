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
`;

export const PLANTED = plantedIn(FAULTS);
