/** As those of sending, for broadcasts, sequences and people who were there before. */
export const OF_BROADCASTS_AND_SEQUENCES = `
who is included gets the first email that was due
core/sending/claim/decide.ts: who is there already is mailed whatever they got before
- return others.length > 0 || isDueToo
+ return isDueToo
core/sending/claim/decide.ts: who is there already is mailed on a day on which they are due anyway
- return others.length > 0 || isDueToo ? others : undefined;
+ return others.length > 0 ? others : undefined;

nobody gets two emails of a broadcast
core/sending/claim/decide.ts: a broadcast forgets whom it has mailed
- const claims = [...person.claims];
+ const claims = person.claims.filter(({ automation_id }) => !automation_id.startsWith('B'));

a broadcast goes at its instant to who was there
core/automation/due/occurrences.ts: a broadcast goes to who joins in its minute
- return membership.created_at < joinedBefore ? [first] : [];
+ return membership.created_at.slice(0, 16) <= joinedBefore.slice(0, 16) ? [first] : [];

a broadcast that has begun ends
core/automation/broadcast.store.ts: a broadcast stays scheduled once its last page is queued
- ...(left.length === 0 && { status
+ ...(left.length < 0 && { status

everybody of a broadcast is mailed or skipped
core/sending/sweep/passes.ts: a pass moves on before the queue has accepted its page
- if (packs.length > 0) await needs.queue(packs);
+ if (packs.length > 0) needs.queue(packs).catch(() => {});
core/sending/sweep/passes.ts: a broadcast passes all time zones at once
- if (isFixed && at + MINUTE > now.getTime()) {
+ if (isFixed && at + MINUTE > now.getTime() && !zone) {
core/sending/delivery/release.ts: what a broadcast skips does not stop it
- await stop({ table: needs.table, now: needs.now() }, pack.organization, automation, reason);
core/automation/broadcast.store.ts: a broadcast without content goes on
-   no_content: 'no_content',
core/sending/sweep/passes.ts: who is added at the instant of a broadcast is not waited for
- startOfMinute(added + STORED_LATER)
+ startOfMinute(added)
core/sending/sweep/passes.ts: a pass keeps its order of time zones while quiet hours change it
- pass.zone === undefined || pass.hours === hours;
+ true;

the instant of a broadcast stays once it has begun
core/sending/broadcast.ts: the rest gets a broadcast by the instant at which that is asked for
- return rest;
+ return { ...rest, ...scheduleOf({ at: now.toISOString() }) };

the quota counts what is active
core/automation/sequence.ts: a sequence that is deleted keeps its places among the active automations
- automations: -steps.length, active_automations: -activeOf(steps) };
+ automations: -steps.length };
core/automation/broadcast.store.ts: a broadcast that is sent keeps its place among the active automations
- Number(after?.status === 'scheduled') - Number(before?.status === 'scheduled')
+ Number(after?.status === 'scheduled') - Number(before?.status === 'scheduled' && after?.status !== 'sent')

no step is posted while its sequence is off
core/automation/sequence.ts: who switches a sequence off does not switch its steps off
- const active = isOn && isWanted;
+ const active = (isOn || stored?.active === true) && isWanted;

nobody who was there gets a step twice
core/sending/claim/decide.ts: whoever had a step before its day gets it again when its sequence begins again
- const claimsSince = automation.sequence_id ? new Date(automation.created_at) : begun;
+ const claimsSince = occurrence.at;

who was there is mailed each later step or skipped
core/automation/due/occurrences.ts: people who were there get a later step by their own date
- return !startsNothing && isBegunBefore(own, ofList) ? dateIn(ofList.since) : undefined;
+ return !startsNothing && isBegunBefore(own, ofList) ? own : undefined;

the steps of a sequence are what it says
core/automation/sequence.ts: a step that is on keeps what it had
- if (isDeepStrictEqual(automation, stored)) return stored;
+ if (stored.active && automation.active) return stored;

every step is in its sequence
core/automation/sequence.ts: a step that is removed stays
- ...deletions.map(([own]) => own),

a broadcast without an instant goes at the one of its scheduling
core/sending/broadcast.ts: a broadcast that goes at once goes with the next minute
- const when = draft.broadcast ?? { at: now.toISOString() };
+ const when = draft.broadcast ?? { at: new Date(Math.ceil(now.getTime() / MINUTE) * MINUTE).toISOString() };
`;
