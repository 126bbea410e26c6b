import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Automation } from '#shared/automation.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import { ActiveStatus, Status } from '#web/components/status.tsx';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import { formatDate, plural } from '#web/lib/format.ts';
import { ELIGIBLE_MEANS, multipleSends, SENDS_MEAN } from './automation-texts.ts';
import { Card } from './card.tsx';
import { SendTimesFacts } from './send-times-facts.tsx';

const NO_MULTIPLE_SENDS = 'No multiple sends are configured for this automation.';

/** The state and the schedule of an automation. */
export function AutomationDetails({ automation }: { automation: Automation }) {
  const { active, every_x_days, delay_days, stop_after_days, metadata_trigger, created_at } = automation;
  const sends = multipleSends(automation);
  return (
    <Card title="Details" isPart>
      <Facts>
        <Fact name="Status">
          <ActiveStatus active={active} />
        </Fact>
        <Fact name={<WithHelpTip word="Email Eligibility">{ELIGIBLE_MEANS}</WithHelpTip>}>
          <EligibilityStatus automation={automation} />
        </Fact>
        <Fact name="Frequency">Every {plural(every_x_days, 'day')}</Fact>
        <Fact name="Delay">{delay_days === 0 ? 'None, starts immediately' : plural(delay_days, 'day')}</Fact>
        {stop_after_days !== null && <Fact name="Stop After">{plural(stop_after_days, 'day')}</Fact>}
        <SendTimesFacts automation={automation} />
        {metadata_trigger && <Fact name="Trigger">{metadata_trigger}</Fact>}
        <Fact name="Created">{formatDate(created_at)}</Fact>
        {sends.length > 0 && (
          <Fact name={<WithHelpTip word="Multiple Sends">{SENDS_MEAN}</WithHelpTip>}>{sends.join(', ')}</Fact>
        )}
      </Facts>
      {sends.length === 0 && <Note>{NO_MULTIPLE_SENDS}</Note>}
      {!metadata_trigger && <Note>Without a trigger column, it starts when a member was added.</Note>}
    </Card>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <Text mt="3" color="fg.muted">
    {children}
  </Text>
);

function EligibilityStatus({ automation }: { automation: Partial<Pick<Automation, 'email_eligibility'>> }) {
  if (!automation.email_eligibility) return 'Unknown';
  return automation.email_eligibility.is_eligible ? (
    <Status tone="usual">Eligible to send emails</Status>
  ) : (
    <Status tone="attention">Not eligible to send emails</Status>
  );
}
