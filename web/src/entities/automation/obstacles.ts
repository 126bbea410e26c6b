import type { Automation } from '../../../../shared/automation.ts';
import { neverSends } from '../../../../shared/schedule.ts';

export const NO_LISTS = 'No email list is connected: nothing is sent until there is one.';
export const NEVER_SENDS = 'Its schedule stops before it starts: nothing is ever sent.';

/** What mends that an automation is not eligible: said in these words wherever it is. */
export const NOTHING_TO_SEND =
  'Nothing to send: link an active template, or one active asset of each of five types.';

/** Why an automation sends nothing, whatever is due. */
export function obstaclesOf(automation: Automation): string[] {
  const { active, email_eligibility, email_lists } = automation;
  return [
    !active && 'This automation is inactive: nothing is sent until it is activated.',
    !email_eligibility?.is_eligible && NOTHING_TO_SEND,
    email_lists.length === 0 && NO_LISTS,
    neverSends(automation) && NEVER_SENDS,
  ].filter(text => text !== false);
}
