import { Badge, chakra, Flex } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { Tooltip } from '#web/components/tooltip.tsx';
import {
  eligibilityText,
  listLines,
  listsText,
  multipleSends,
  SENDS_MEAN,
  scheduleTexts,
  shortSchedule,
} from './automation-texts.ts';

/** A badge with a tooltip that opens on hover, on focus and when it is pressed. */
function BadgeWithTooltip({
  text,
  more,
  isWrong = false,
}: {
  text: string;
  more: string;
  isWrong?: boolean;
}) {
  return (
    <Tooltip text={more} onPress>
      <Badge asChild {...(isWrong && { color: 'fg.warning', borderColor: 'brand.line', bg: 'brand.wash' })}>
        <button type="button">{text}</button>
      </Badge>
    </Tooltip>
  );
}

export function Lists({ email_lists }: Pick<Automation, 'email_lists'>) {
  const text = listsText(email_lists.length);
  if (email_lists.length === 0) return <Badge>{text}</Badge>;
  return <BadgeWithTooltip text={text} more={listLines(email_lists)} />;
}

export function EligibilityBadge({ email_eligibility }: Partial<Pick<Automation, 'email_eligibility'>>) {
  if (!email_eligibility) return <Badge>No eligibility data</Badge>;
  const { is_eligible } = email_eligibility;
  return (
    <BadgeWithTooltip
      text={is_eligible ? 'Eligible' : 'Not Eligible'}
      more={eligibilityText(email_eligibility)}
      isWrong={!is_eligible}
    />
  );
}

/** When an automation sends, and how many emails at once: shortened to one line, with the whole text in a tooltip. */
export function ScheduleCell(automation: Automation) {
  const sends = multipleSends(automation);
  const [first, ...others] = sends;
  const more = [...Object.values(scheduleTexts(automation)), ...sends, ...(first ? [SENDS_MEAN] : [])].join(
    '\n',
  );
  return (
    <Flex wrap="wrap" align="center" columnGap="2">
      <Tooltip text={more} onPress>
        <chakra.button type="button" textAlign="start">
          {shortSchedule(automation)}
        </chakra.button>
      </Tooltip>
      {first && <Badge>{others.length > 0 ? `${first} + ${others.length}` : first}</Badge>}
    </Flex>
  );
}
