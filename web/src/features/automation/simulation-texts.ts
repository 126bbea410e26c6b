import type { Automation } from '#shared/automation.ts';
import type { Organization } from '#shared/organization.ts';
import { WINDOWS } from '#shared/safeguards.ts';
import { NOT_SENT, type NotSent } from '#shared/send-status.ts';
import type { Simulation } from '#shared/simulation.ts';
import { obstaclesOf, pausedBy } from '#web/entities/automation/obstacles.ts';
import { formatNumber, formatUtc, formatUtcMoment, formatUtcTime, plural } from '#web/lib/format.ts';
import { namesText } from './automation-texts.ts';

export function cautionsOf(
  automation: Automation,
  { counted_until, until, left_out, inactive_lists }: Simulation,
  organization?: Organization,
): string[] {
  const { metadata_trigger } = automation;
  return [
    ...obstaclesOf(automation, organization).map(({ text }) => text),
    inactive_lists.length > 0 &&
      pausedBy(automation) === undefined &&
      `Nothing is sent to ${namesText(inactive_lists)} until ${inactive_lists.length === 1 ? 'this list is' : 'these lists are'} activated.`,
    isCutShort({ counted_until, until }) &&
      `Counted until ${formatUtcMoment(counted_until, '')} only: there are too many members to look at all 24 hours at once.`,
    left_out !== null &&
      left_out > 0 &&
      `${plural(left_out, 'subscribed member')} ${left_out === 1 ? 'has' : 'have'} no readable date${metadata_trigger === null ? '' : ` in ${metadata_trigger}`}, and ${left_out === 1 ? 'gets' : 'get'} no email.`,
  ].filter(text => text !== false);
}

export const isCutShort = ({ counted_until, until }: Pick<Simulation, 'counted_until' | 'until'>) =>
  new Date(counted_until) < new Date(until);

/** A date in UTC, as automations use it; any other value unchanged. */
export function triggerText(value: string): string {
  const instant = new Date(value);
  return /^\d{4}-/.test(value) && !Number.isNaN(instant.getTime()) ? formatUtc(instant, '') : value;
}

const CAUSES = {
  stopped: 'sending is stopped by the operator of this service',
  organization_off: 'the organization is not active',
  no_key: 'its lists have no sending key',
  not_verified: 'the domains of its lists are not verified at Amazon SES',
  key_refused: 'the mail provider does not take the sending key of its lists',
  no_content: 'it has no active content',
} satisfies Partial<Record<NotSent, string>>;

/** "Nothing will be sent: its lists have no sending key."; undefined if anything is sent. */
export function nothingText(simulation: Pick<Simulation, 'will_send' | 'skipped'>): string | undefined {
  const { will_send, skipped } = simulation;
  if (will_send > 0 || dueOf(simulation) === 0) return undefined;
  const causes = Object.entries(CAUSES).flatMap(([reason, text]) =>
    skipped[reason as NotSent] ? [text] : [],
  );
  const others = Object.keys(skipped).every(reason => reason.startsWith('capped:'))
    ? 'the limits of the safeguards hold all of it back'
    : 'none of what is due is left';
  return `Nothing will be sent: ${causes.length > 0 ? causes.join(', and ') : others}.`;
}

const dueOf = ({ will_send, skipped }: Pick<Simulation, 'will_send' | 'skipped'>) =>
  Object.values(skipped).reduce((sum, count) => sum + count, will_send);

/** "60 due · 32 sent · 28 held back by the limit of one in 5 minutes". */
export const outcomeText = (simulation: Pick<Simulation, 'will_send' | 'skipped' | 'safeguards'>): string =>
  [
    `${formatNumber(dueOf(simulation))} due`,
    `${formatNumber(simulation.will_send)} sent`,
    ...(Object.keys(NOT_SENT) as NotSent[]).flatMap(reason => {
      const count = simulation.skipped[reason] ?? 0;
      return count > 0 ? [`${formatNumber(count)} ${notSentText(reason, simulation.safeguards)}`] : [];
    }),
  ].join(' · ');

function notSentText(reason: NotSent, safeguards: Simulation['safeguards']): string {
  const window = WINDOWS.find(({ field }) => reason === `capped:${field}`);
  if (window) {
    const limit = safeguards[window.field];
    return `held back by the limit of ${limit === 1 ? 'one' : formatNumber(limit)} in ${window.label}`;
  }
  if (reason === 'held_out') return 'held out';
  if (reason === 'no_first') return 'left out, as the first email is not sent';
  return `not sent: ${NOT_SENT[reason].toLowerCase()}`;
}

export const heldText = ({ held }: Pick<Simulation, 'held'>): string | undefined =>
  held > 0
    ? `${formatNumber(held)} of these ${held === 1 ? 'waits' : 'wait'} for quiet hours to end.`
    : undefined;

const DAY = 24 * 60 * 60 * 1000;

/** Shown below the UTC time at which the email is sent. The date is included unless it is obvious. */
export function waitsText(since: string, until: string): string {
  const isLong = Date.parse(until) - Date.parse(since) >= DAY;
  const moment = isLong ? formatUtcMoment(since, '') : formatUtcTime(since);
  return `waits since ${moment} for the end of quiet hours`;
}

export const insteadText = ({ instead_of }: Pick<Simulation, 'instead_of'>): string | undefined =>
  instead_of.length > 0
    ? `${namesText(instead_of.map(({ name }) => name))} ${instead_of.length === 1 ? 'takes' : 'take'} the place of what is held back.`
    : undefined;
