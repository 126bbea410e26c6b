import { Badge, Box, Flex } from '@chakra-ui/react';
import type { Automation } from '../../../../shared/automation.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import { eligibilityText, listLines, listsText, multipleSends, scheduleTexts } from './automation-texts.ts';

/** A badge that says more on hover, on focus and when it is pressed. */
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
      <Badge
        asChild
        my="2px"
        {...(isWrong && { color: 'fg.warning', borderColor: 'brand.line', bg: 'brand.wash' })}
      >
        <button type="button">{text}</button>
      </Badge>
    </Tooltip>
  );
}

export function Lists({ email_lists }: Pick<Automation, 'email_lists'>) {
  const text = listsText(email_lists.length);
  if (email_lists.length === 0) return <Badge my="2px">{text}</Badge>;
  return <BadgeWithTooltip text={text} more={listLines(email_lists)} />;
}

export function EligibilityBadge({ email_eligibility }: Partial<Pick<Automation, 'email_eligibility'>>) {
  if (!email_eligibility) return <Badge my="2px">No eligibility data</Badge>;
  const { is_eligible } = email_eligibility;
  return (
    <BadgeWithTooltip
      text={is_eligible ? 'Eligible' : 'Not Eligible'}
      more={eligibilityText(email_eligibility)}
      isWrong={!is_eligible}
    />
  );
}

/** When an automation sends, and how many emails at once. */
export function ScheduleCell(automation: Automation) {
  const { starts, runs, stops } = scheduleTexts(automation);
  const sends = multipleSends(automation);
  return (
    <Box fontSize="xs" lineHeight="18px" css={{ '& span': { display: 'inline-block' } }}>
      <div>
        <span>{starts}</span> · <span>{runs}</span>
      </div>
      <div>{stops}</div>
      <Flex wrap="wrap" gap="1" mt="1">
        {sends.length === 0 ? (
          <Badge>None configured</Badge>
        ) : (
          sends.map(send => <Badge key={send}>{send}</Badge>)
        )}
      </Flex>
    </Box>
  );
}
