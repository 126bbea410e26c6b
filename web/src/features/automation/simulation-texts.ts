import type { Automation } from '../../../../shared/automation.ts';
import type { Simulation } from '../../../../shared/simulation.ts';
import { obstaclesOf } from '../../entities/automation/obstacles.ts';
import { formatMoment, formatUtc, plural } from '../../lib/format.ts';
import { namesText } from './automation-texts.ts';

/** What limits the numbers of a simulation, or keeps its emails from being sent. */
export function cautionsOf(
  automation: Automation,
  { counted_until, until, left_out, inactive_lists }: Simulation,
): string[] {
  const { metadata_trigger } = automation;
  return [
    ...obstaclesOf(automation),
    inactive_lists.length > 0 &&
      `Nothing is sent to ${namesText(inactive_lists)} until ${inactive_lists.length === 1 ? 'this list is' : 'these lists are'} activated.`,
    isCutShort({ counted_until, until }) &&
      `Counted until ${formatMoment(counted_until)} only: there are too many members to look at all 24 hours at once.`,
    left_out !== null &&
      left_out > 0 &&
      `${plural(left_out, 'subscribed member')} ${left_out === 1 ? 'has' : 'have'} no readable date${metadata_trigger === null ? '' : ` in ${metadata_trigger}`}, and ${left_out === 1 ? 'gets' : 'get'} no email.`,
  ].filter(text => text !== false);
}

export const isCutShort = ({ counted_until, until }: Pick<Simulation, 'counted_until' | 'until'>) =>
  new Date(counted_until) < new Date(until);

/** A date as automations use it, in UTC; any other value as it is. */
export function triggerText(value: string): string {
  const instant = new Date(value);
  return /^\d{4}-/.test(value) && !Number.isNaN(instant.getTime()) ? formatUtc(instant) : value;
}
