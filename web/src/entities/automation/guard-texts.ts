import type { Automation } from '#shared/automation.ts';
import { PRODUCT } from '#shared/brand.ts';
import type { Paused } from '#shared/guard.ts';
import { titleOf } from '#shared/providers.ts';
import { GUARDED_WORDS, guardShare, guardWindow } from '#shared/send-status.ts';
import { DAY } from '#shared/time.ts';
import { formatMoment, formatNumber, plural } from '#web/lib/format.ts';
import { logPath } from '#web/lib/paths.ts';
import type { Obstacle } from './obstacles.ts';

/** A warning is for the day on which it was found. */
const isRecent = (warned: Automation['warned']): warned is Paused =>
  warned != null && Date.now() - Date.parse(warned.at) < DAY;

export function guardObstacle(
  { id, active }: Pick<Automation, 'id' | 'active'>,
  found: Paused,
  isBroadcast = false,
): Obstacle {
  const { kind, sent, events, hours, provider, combination_id } = found;
  const content = combination_id
    ? ` Most of the complaints are about the combination ${combination_id}.`
    : '';
  const [did, then] = isBroadcast
    ? ['stopped this broadcast', '']
    : ['paused this automation', ', then activate it again'];
  const numbers = `of ${plural(sent, 'email')} that went by ${titleOf(provider)} ${guardWindow(hours)}, ${formatNumber(events)} ${GUARDED_WORDS[kind]} (${guardShare(found)})`;
  return {
    text: active
      ? `Careful: ${numbers}. If that goes on, ${PRODUCT} pauses this automation.`
      : `${PRODUCT} ${did} on ${formatMoment(found.at)}: ${numbers}.${content} Look at where these addresses come from${then}.`,
    mend: { label: `See what ${kind}`, to: logPath({ automation: id, status: kind }) },
    isWrong: !active,
  };
}

/** What the guard has paused, or will if it goes on like that. */
export function guardObstacles(automation: Automation): Obstacle[] {
  const { active, paused, warned } = automation;
  if (!active) return paused ? [guardObstacle(automation, paused)] : [];
  return isRecent(warned) ? [guardObstacle(automation, warned)] : [];
}
