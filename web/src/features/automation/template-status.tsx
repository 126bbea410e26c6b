import { Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { paths } from '#web/lib/paths.ts';
import { missingParts } from './automation-texts.ts';
import { Card } from './card.tsx';

const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));

const ALL_TYPES = REQUIRED_PARTS.map(part => PARTS[part]).join(', ');

type Props = {
  automation: Pick<Automation, 'id' | 'name'> & Partial<Pick<Automation, 'email_eligibility'>>;
  /** Whether its emails consist of assets. */
  isOfAssets?: boolean;
  /** Shown if nothing is linked: what can be linked, and how. */
  children?: ReactNode;
  actions?: ReactNode;
};

/** Whether an automation has something to send, with an example of it for a member. */
export function TemplateStatus({ automation, isOfAssets = false, children, actions }: Props) {
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
          {isOfAssets && (
            <Text mb="3" color="fg.muted">
              It is made of active email assets, one of each type.
            </Text>
          )}
          <Button onClick={() => setPreviewed(true)}>Generate Email Preview</Button>
        </>
      ) : (
        <>
          <Text mb="3">This automation needs at least one active email template.</Text>
          <Text mb="3" color="fg.muted">
            {missing.length < REQUIRED_PARTS.length
              ? `Its email assets would do if these were there too: ${missing.join(', ')}.`
              : `Active email assets do as well, one of each of these types: ${ALL_TYPES}.`}
          </Text>
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
