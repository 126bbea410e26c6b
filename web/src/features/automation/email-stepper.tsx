import { Flex, Text } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, Shuffle } from 'lucide-react';
import type { AutomationContent, LinkedAsset, LinkedTemplate } from '#shared/automation-content.ts';
import { PART_NAMES, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { EmailPreview } from '#web/entities/email/email-and-more.tsx';
import type { Draft } from '#web/entities/email/parts.tsx';
import { formatNumber } from '#web/lib/format.ts';

export type KindChoice = { kind: 'template' | Part; items: (LinkedTemplate | LinkedAsset)[] };
/** The index of the chosen candidate of each kind. */
export type Place = readonly number[];

type Props = {
  automation: string;
  choices: readonly KindChoice[];
  /** The number of emails. It is larger than what can be shown if not all content is listed. */
  combinations: number;
  place: Place;
  onStep: (place: Place) => void;
};

export function EmailStepper({ automation, choices, combinations, place, onStep }: Props) {
  const count = emailCount(choices);
  const position = positionOf(choices, place);
  // Larger numbers are not exact.
  const isCounted = count === combinations && Number.isSafeInteger(count);
  return (
    <section aria-label="Email">
      {count > 1 && (
        <Flex wrap="wrap" align="center" gap="2" mb="3">
          <IconButton label="Previous email" onClick={() => onStep(stepped(choices, place, -1))}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Next email" onClick={() => onStep(stepped(choices, place, 1))}>
            <ChevronRight aria-hidden />
          </IconButton>
          <Text flex="1" minWidth="0" fontSize="sm" fontVariantNumeric="tabular-nums" aria-live="polite">
            {isCounted
              ? `Email ${formatNumber(position)} of ${formatNumber(count)}`
              : `An example of ${formatNumber(combinations)}`}
          </Text>
          {count > 2 && (
            <Button onClick={() => onStep(anyPlace(choices))}>
              <Shuffle aria-hidden />
              Random email
            </Button>
          )}
        </Flex>
      )}
      <EmailPreview {...emailAt(choices, place)} automations={[automation]} />
    </section>
  );
}

/** As the sender chooses them: templates, if there are any, else assets. Empty if nothing can be sent. */
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

/** The number of this email among all combinations, counted from 1. */
export const positionOf = (choices: readonly KindChoice[], place: Place) =>
  choices.reduceRight((position, { items }, at) => position * items.length + (place[at] ?? 0), 0) + 1;

/** Each step changes the first kind; each other kind changes after all of the kind before it. */
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

export function placeWith(choices: readonly KindChoice[], place: Place, id: string): Place {
  return choices.map(({ items }, at) => {
    const found = items.findIndex(item => item.id === id);
    return found >= 0 ? found : (place[at] ?? 0);
  });
}

export const shownIds = (choices: readonly KindChoice[], place: Place): string[] =>
  choices.flatMap(({ items }, at) => items[place[at] ?? 0]?.id ?? []);

/** The content of an email, and its language, which assets do not have. */
export function emailAt(choices: readonly KindChoice[], place: Place): { content: Draft; language: string } {
  const chosen = choices.flatMap(({ items }, at) => items[place[at] ?? 0] ?? []);
  const [template] = chosen;
  if (template && 'texts' in template) {
    return { content: template.texts ?? {}, language: template.language_code };
  }
  const assets = chosen as LinkedAsset[];
  return { content: Object.fromEntries(assets.map(({ type, value }) => [type, value])), language: 'en' };
}
