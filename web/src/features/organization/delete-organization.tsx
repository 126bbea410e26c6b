import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Organization } from '#shared/organization.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { api } from '#web/lib/api.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { toast } from '#web/lib/toasts.ts';
import { useOrganizations } from './use-organizations.ts';

/** Shown to the owner only, and disabled for their default organization. */
export function DeleteOrganization({ organization }: { organization: Organization }) {
  const { id, name, is_default } = organization;
  const { removeFromCache } = useOrganizations();
  const [asking, setAsking] = useState(false);

  async function remove() {
    await api('DELETE /api/organizations/{organization}', organizationInput(id));
    toast(`${name} was deleted.`);
    await removeFromCache(id);
  }

  return (
    <Section title="Delete organization">
      <Panel display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="3" p="4">
        <Text id="why-delete" maxWidth="60ch" color="fg.muted">
          {is_default
            ? 'This is your default organization. The default organization cannot be deleted.'
            : 'Its lists, automations, content and reports are deleted for all its members. This cannot be undone.'}
        </Text>
        <Button disabled={is_default} aria-describedby="why-delete" onClick={() => setAsking(true)}>
          Delete organization
        </Button>
      </Panel>
      {asking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete organization"
          loadingText="Deleting..."
          failure="Failed to delete organization"
          typed={name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          Everything in it is deleted for all its members. This cannot be undone.
        </ConfirmDialog>
      )}
    </Section>
  );
}
