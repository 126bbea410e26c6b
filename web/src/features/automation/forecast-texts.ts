import type { Automation } from '../../../../shared/automation.ts';
import type { Forecast } from '../../../../shared/forecast.ts';
import { obstaclesOf } from './automation-texts.ts';

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 });

/** How far the numbers can be trusted; undefined where all members were counted. */
export function accuracyOf({
  estimated,
  counted_share,
}: Pick<Forecast, 'estimated' | 'counted_share'>): string | undefined {
  const share = PERCENT.format(counted_share);
  if (estimated) {
    return counted_share < 1
      ? `Estimated from ${share} of the members: there are too many to look at all of them at once.`
      : 'Estimated from a part of the members.';
  }
  return counted_share < 1
    ? `Only ${share} of the members were counted, as there are too many to look at all of them at once: more is sent.`
    : undefined;
}

/** Why nothing is forecast, of an automation or, without one, of the organization. */
export function emptinessOf(automation?: Automation): string {
  if (!automation) return 'No active automation has anything to send on these days.';
  const [obstacle] =
    automation.email_lists.length === 0 ? obstaclesOf({ ...automation, active: true }).slice(-1) : [];
  return obstacle ?? 'For no subscribed member of its lists does an email fall due on these days.';
}
