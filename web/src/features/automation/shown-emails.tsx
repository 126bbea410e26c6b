import { Flex, Text } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, Shuffle } from 'lucide-react';
import { Button, IconButton } from '#web/components/button.tsx';
import { EmailPreview } from '#web/entities/email/email-and-more.tsx';
import { formatNumber } from '#web/lib/format.ts';
import {
  anyPlace,
  emailAt,
  emailCount,
  type KindChoice,
  type Place,
  positionOf,
  stepped,
} from './shown-email.ts';

type Props = {
  automation: string;
  choices: readonly KindChoice[];
  /** The number of emails. It is larger than what can be shown if not all content is listed. */
  combinations: number;
  place: Place;
  onStep: (place: Place) => void;
};

/** The emails that an automation sends, one at a time, as a recipient sees them. */
export function ShownEmails({ automation, choices, combinations, place, onStep }: Props) {
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
