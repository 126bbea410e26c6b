import type { AutomationContent } from '#shared/automation-content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import { formatNumber, plural } from '#web/lib/format.ts';

/** The number of different emails, and what they consist of. */
export function combinationsText({ active, combinations }: AutomationContent): string {
  const { templates, assets } = active;
  if (templates > 0) {
    const what =
      templates === 1
        ? 'Every email is its one active template.'
        : `Each email is one of its ${formatNumber(templates)} active templates, chosen at random.`;
    const unused = Object.values(assets).some(count => count > 0);
    return unused ? `${what} Its assets are used only while it has no active template.` : what;
  }
  const many =
    combinations > MOST_COMBINATIONS
      ? ` Each day chooses from ${formatNumber(MOST_COMBINATIONS)} of them, and the next day from others.`
      : '';
  return combinations === 1
    ? 'Every email is the same: there is one asset of each type.'
    : `${plural(combinations, 'combination')}: each email has one asset of each type, chosen at random.${many}`;
}

/** "2 active, 1 inactive". */
export function activeText(items: readonly { is_active: boolean }[], active: number): string {
  const inactive = items.filter(({ is_active }) => !is_active).length;
  return [
    `${formatNumber(active)} active`,
    ...(inactive > 0 ? [`${formatNumber(inactive)} inactive`] : []),
  ].join(', ');
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

export const needsText = (columns: readonly string[]) => `Needs ${AND.format(columns)}`;
