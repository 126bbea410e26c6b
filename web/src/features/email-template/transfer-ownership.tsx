import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailTemplate, EmailTemplateDetail } from '#shared/email-template.ts';
import { Button } from '#web/components/button.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';

const TransferOwnershipDialog = onDemand(() => import('./transfer-ownership-dialog.tsx'));

type Props = { template: EmailTemplate; onDone: (detail: EmailTemplateDetail) => unknown };

/** Lets the owner of a template make another member of the organization its owner. */
export function TransferOwnership({ template, onDone }: Props) {
  const [choosing, setChoosing] = useState(false);
  return (
    <Section
      title="Ownership"
      actions={<Button onClick={() => setChoosing(true)}>Transfer Ownership</Button>}
    >
      <Text fontSize="sm" color="fg.muted">
        You own this template. Only its owner can delete it or transfer it.
      </Text>
      {choosing && (
        <TransferOwnershipDialog template={template} onDone={onDone} onClose={() => setChoosing(false)} />
      )}
    </Section>
  );
}
