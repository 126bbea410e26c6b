import type {
  AutomationContent,
  LinkedAsset,
  LinkedTemplate,
} from '../../../../shared/automation-content.ts';
import { PART_NAMES, type Part, REQUIRED_PARTS } from '../../../../shared/email/content.ts';
import type { Draft } from '../../entities/email/sample-email.ts';

/** What an email is chosen from: templates, or the assets of a type. */
export type KindChoice = { kind: 'template' | Part; items: (LinkedTemplate | LinkedAsset)[] };
/** Which one of each choice. */
export type Place = readonly number[];

/** What the emails of an automation are chosen from, as a sender does: its templates where it has any. Empty where there is nothing. */
export function choicesOf({ active, templates, assets }: AutomationContent): KindChoice[] {
  if (active.templates > 0) {
    return [{ kind: 'template', items: templates.filter(one => one.is_active && one.texts) }];
  }
  const choices = PART_NAMES.map(kind => ({
    kind,
    items: assets.filter(one => one.type === kind && one.is_active && one.value !== null),
  }));
  const isWhole = REQUIRED_PARTS.every(part =>
    choices.some(({ kind, items }) => kind === part && items.length > 0),
  );
  return isWhole ? choices.filter(({ items }) => items.length > 0) : [];
}

export const firstPlace = (choices: readonly KindChoice[]): Place => choices.map(() => 0);

export const emailCount = (choices: readonly KindChoice[]) =>
  choices.reduce((product, { items }) => product * items.length, Math.min(1, choices.length));

/** Where it stands among all of them, from 1 on. */
export const positionOf = (choices: readonly KindChoice[], place: Place) =>
  choices.reduceRight((position, { items }, at) => position * items.length + (place[at] ?? 0), 0) + 1;

/** The next one, or the one before: the first choice changes with each step, the next one when all of it were there. */
export function stepped(choices: readonly KindChoice[], place: Place, by: 1 | -1): Place {
  const next = [...place];
  for (const [at, { items }] of choices.entries()) {
    const { length } = items;
    const moved = (next[at] ?? 0) + by;
    next[at] = (moved + length) % length;
    if (next[at] === moved) break;
  }
  return next;
}

export const anyPlace = (choices: readonly KindChoice[], random = Math.random): Place =>
  choices.map(({ items }) => Math.floor(random() * items.length));

/** The one with this content, and all else as it is. */
export function placeWith(choices: readonly KindChoice[], place: Place, id: string): Place {
  return choices.map(({ items }, at) => {
    const found = items.findIndex(item => item.id === id);
    return found >= 0 ? found : (place[at] ?? 0);
  });
}

export const shownIds = (choices: readonly KindChoice[], place: Place): string[] =>
  choices.flatMap(({ items }, at) => items[place[at] ?? 0]?.id ?? []);

/** The email there, and its language: assets have none of their own. */
export function emailAt(choices: readonly KindChoice[], place: Place): { content: Draft; language: string } {
  const chosen = choices.flatMap(({ items }, at) => items[place[at] ?? 0] ?? []);
  const [template] = chosen;
  if (template && 'texts' in template) {
    return { content: template.texts ?? {}, language: template.language_code };
  }
  const assets = chosen as LinkedAsset[];
  return { content: Object.fromEntries(assets.map(({ type, value }) => [type, value])), language: 'en' };
}
