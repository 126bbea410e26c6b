import { useRef } from 'react';
import { NewOrganization, type Organization } from '../../../../shared/organization.ts';
import { Button } from '../../components/button.tsx';
import { Form, SubmitButton, TextField } from '../../components/form.tsx';
import { Modal, ModalActions } from '../../components/modal.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toasts.ts';
import { useOrganizations } from './use-organizations.ts';

/** Creates an organization and switches to it. */
export default function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { updateInCache, activate } = useOrganizations();
  const created = useRef<Organization>(undefined);

  async function create(body: { name: string }) {
    created.current = await api('POST /api/organizations', { body });
    await updateInCache(created.current);
  }

  function show() {
    if (!created.current) return;
    toast(`${created.current.name} was created.`);
    activate(created.current.id);
    onClose();
  }

  return (
    <Modal title="Create organization" onClose={onClose}>
      <Form
        schema={NewOrganization}
        initial={{ name: '' }}
        save={create}
        onSaved={show}
        failure="Failed to create organization"
      >
        <TextField
          name="name"
          label="Name"
          hint="You will be its owner. Lists, automations and content belong to one organization each."
          autoComplete="organization"
          data-autofocus
        />
        <ModalActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton loadingText="Creating...">Create organization</SubmitButton>
        </ModalActions>
      </Form>
    </Modal>
  );
}
