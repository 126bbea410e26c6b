/** As those of sending, for lists in warm-up. */
export const OF_WARM_UPS = `
no list sends more in a day than its warm up allows
core/sending/warm-up-shares.ts: the share of a warm-up is not reserved
- sent: warmUp.sent + emails, sent_at
+ sent: warmUp.sent, sent_at
core/sending/claim/claim.ts: what is claimed of a warm-up does not count for who is decided on at the same time
- for (const email of taken) take(email, 1);

everybody of a broadcast is mailed or skipped
core/sending/sweep/passes.ts: a broadcast forgets the rest when a warm-up has nothing left
- to: { ...place, due, days: days + later } };
+ to: undefined };
`;
