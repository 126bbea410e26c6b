import type { Automation, Eligibility } from '#shared/automation.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import { type MultipleSends, neverSends, OCCURRENCES, ORDINALS, type Schedule } from '#shared/schedule.ts';
import type { SendTimes } from '#shared/send-times.ts';
import { NEVER_SENDS, NO_LISTS, NOTHING_TO_SEND } from '#web/entities/automation/obstacles.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { hasDaysOff, sendTimesText } from './send-times-texts.ts';

type Days = Omit<Schedule, keyof MultipleSends>;

export const scheduleTexts = ({ every_x_days, delay_days, stop_after_days, ...times }: Days) => ({
  starts: delay_days === 0 ? 'Starts immediately' : `Starts after ${plural(delay_days, 'day')}`,
  runs: `Runs every ${plural(every_x_days, 'day')}`,
  stops:
    stop_after_days === null
      ? 'No stop date defined, sends indefinitely'
      : `Stops sending after ${plural(stop_after_days, 'day')}`,
  ...timesTexts(times),
});

/** Empty if emails go every day at the time of the date. */
function timesTexts(times: Partial<SendTimes>): { times?: string } {
  const text = sendTimesText(times);
  return text === undefined ? {} : { times: `Sends ${text}` };
}

/** The schedule in a few words, without defaults: "Every 7 days, from day 14 to 90, at 09:00". */
export function shortSchedule({ every_x_days, delay_days, stop_after_days, ...times }: Days): string {
  const every = every_x_days === 1 ? 'Every day' : `Every ${plural(every_x_days, 'day')}`;
  const from = delay_days === 0 ? [] : [`from day ${formatNumber(delay_days)}`];
  const to = stop_after_days === null ? [] : [`to day ${formatNumber(stop_after_days)}`];
  const days =
    from.length > 0 && to.length > 0
      ? [`${from} to ${formatNumber(stop_after_days ?? 0)}`]
      : [...from, ...to];
  const at = times.send_at ? [`at ${times.send_at}`] : [];
  return [every, ...days, ...at, ...(hasDaysOff(times) ? ['with days off'] : [])].join(', ');
}

const KINDS = { Double: 'double_send', Triple: 'triple_send' } as const;

/** The occurrences that send two emails, then those that send three: "Double 1st". */
export const multipleSends = (automation: MultipleSends): string[] =>
  Object.entries(KINDS).flatMap(([name, flag]) =>
    OCCURRENCES.filter(nth => automation[`${flag}_${nth}`]).map(nth => `${name} ${ORDINALS[nth]}`),
  );

export const missingParts = (eligibility: Eligibility): string[] =>
  REQUIRED_PARTS.filter(part => !eligibility[part]).map(part => PARTS[part]);

export const ELIGIBLE_MEANS =
  'An automation is eligible if it has an active template, or active assets of all required types. Not Eligible: it has nothing to send.';
export const SENDS_MEAN =
  'Double sends two emails, Triple sends three, on the occurrence that is named: 1st is the first time that the automation runs for a member.';

/** A line for each required type with its state, and what that means. */
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
      : 'For no subscribed member of its active lists does an email fall due in this time.';

const MOST_LINES = 20;

/** The names of lists, one per line: as many as fit above or below a badge. */
export function listLines(lists: readonly { name: string }[]): string {
  const more = lists.length - MOST_LINES;
  const lines = lists.slice(0, MOST_LINES).map(({ name }) => name);
  return [...lines, ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])].join('\n');
}

const MOST_NAMES = 3;

/** "Ada, Ben and 4 more". */
export function namesText(of: readonly (string | { name: string })[]): string {
  const names = of.map(one => (typeof one === 'string' ? one : one.name));
  const [last = '', ...others] = names.slice(0, MOST_NAMES).reverse();
  const more = names.length - MOST_NAMES;
  if (more > 0) return `${names.slice(0, MOST_NAMES).join(', ')} and ${formatNumber(more)} more`;
  return others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last;
}
