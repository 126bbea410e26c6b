import type { Automation, Eligibility } from '#shared/automation.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import type { Gain } from '#shared/reporting.ts';
import { neverSends } from '#shared/schedule.ts';
import { NEVER_SENDS, NO_LISTS, NOTHING_TO_SEND } from '#web/entities/automation/obstacles.ts';
import { formatNumber, percentText, plural } from '#web/lib/format.ts';
import { joinNames } from './schedule-texts.ts';

export const missingParts = (eligibility: Eligibility): string[] =>
  REQUIRED_PARTS.filter(part => !eligibility[part]).map(part => PARTS[part]);

export const ELIGIBLE_MEANS =
  'An automation is eligible if it has an active template, or active assets of all required types. Not Eligible: it has nothing to send.';

export const eligibilityText = (eligibility: Eligibility): string =>
  [
    ...REQUIRED_PARTS.map(part => `${PARTS[part]}: ${eligibility[part] ? 'Available' : 'Missing'}`),
    missingParts(eligibility).length === 0
      ? 'All required asset types available.'
      : `Missing one or more required asset types.\n${NOTHING_TO_SEND}`,
  ].join('\n');

export const listsText = (count: number): string => (count === 0 ? 'No lists' : plural(count, 'list'));

/** Why an automation with this schedule has nothing due. */
export const emptinessOf = (automation: Automation): string =>
  automation.email_lists.length === 0
    ? NO_LISTS
    : neverSends(automation)
      ? NEVER_SENDS
      : automation.starts_at === 'event'
        ? 'Nobody has an email due by an event that came already. One that comes later sends it, unless the person has had as many emails as the safeguards allow.'
        : 'No subscribed member of its active lists has an email due in this time.';

const MOST_LINES = 20;

/** The names of lists, one per line: as many as fit above or below a badge. */
export function listLines(lists: readonly { name: string }[]): string {
  const more = lists.length - MOST_LINES;
  const lines = lists.slice(0, MOST_LINES).map(({ name }) => name);
  return [...lines, ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])].join('\n');
}

const MOST_NAMES = 3;

/** "Ada, Ben, Cleo and 4 more". */
export function namesText(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return joinNames(more > 0 ? [...names.slice(0, MOST_NAMES), `${formatNumber(more)} more`] : names);
}

export const intervalText = ({ from, to }: Gain) =>
  `${percentText(from)} to ${percentText(to)}, with a confidence of 95%`;
