import { Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { Automation } from '../../../../shared/automation.ts';
import { REQUIRED_PARTS } from '../../../../shared/email/content.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PreviewDialog } from '../../entities/email/preview-dialog.tsx';
import { paths } from '../../lib/paths.ts';
import { missingParts } from './automation-texts.ts';
import { Card } from './card.tsx';

type Props = {
  automation: Pick<Automation, 'id' | 'name'> & Partial<Pick<Automation, 'email_eligibility'>>;
  /** Where nothing is linked: what may be, and how. */
  children?: ReactNode;
  actions?: ReactNode;
};

/** Whether an automation has something to send, with an example of it for a member. */
export function TemplateStatus({ automation, children, actions }: Props) {
  const [isPreviewed, setPreviewed] = useState(false);
  const { email_eligibility: eligibility } = automation;
  const missing = eligibility ? missingParts(eligibility) : [];
  return (
    <Card title="Email Template Status" isPart>
      {!eligibility ? (
        <Text color="fg.muted">Eligibility information not available.</Text>
      ) : eligibility.is_eligible ? (
        <>
          <Text mb="3">This automation has at least one active email template.</Text>
          <Button onClick={() => setPreviewed(true)}>Generate Email Preview</Button>
        </>
      ) : (
        <>
          <Text mb="3">This automation needs at least one active email template.</Text>
          {missing.length < REQUIRED_PARTS.length && (
            <Text mb="3" color="fg.muted">
              Its email assets would do if these were there too: {missing.join(', ')}.
            </Text>
          )}
          {children}
          <Flex wrap="wrap" gap="2">
            {actions}
            <ButtonLink to={paths.emailTemplates()}>Go to Email Templates</ButtonLink>
          </Flex>
        </>
      )}
      {isPreviewed && <PreviewDialog automation={automation} onClose={() => setPreviewed(false)} />}
    </Card>
  );
}
