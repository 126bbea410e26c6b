import type { AutomationContent } from '../../../../shared/automation-content.ts';
import { PARTS, REQUIRED_PARTS } from '../../../../shared/email/content.ts';
import { formatNumber, plural } from '../../lib/format.ts';

/** The emails of one automation and day are chosen from so many combinations of assets at most. */
const MOST_OF_DAY = 1_000;

/** How many different emails there are, and of what each consists. */
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
    combinations > MOST_OF_DAY ? ` In one day it sends at most ${formatNumber(MOST_OF_DAY)} of them.` : '';
  return combinations === 1
    ? 'Every email is the same: there is one asset of each type.'
    : `${plural(combinations, 'combination')}: each email has one asset of each type, chosen at random.${many}`;
}

/** The required types of which there is no active asset; none where a template makes them unnecessary. */
export const missingTypes = ({ active }: AutomationContent): string[] =>
  active.templates > 0 ? [] : REQUIRED_PARTS.filter(part => !active.assets[part]).map(part => PARTS[part]);

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
export const listed = (names: readonly string[]) => AND.format(names);
