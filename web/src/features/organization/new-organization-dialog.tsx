import type * as z from 'zod/mini';
import { NewOrganization, type Organization } from '#shared/organization.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { api } from '#web/lib/api.ts';
import { toast } from '#web/lib/toasts.ts';
import { ownZone } from '#web/lib/zones.ts';
import { useOrganizations } from './use-organizations.ts';

const { TextField } = fieldsOf<z.input<typeof NewOrganization>>();

export default function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { updateInCache, activate } = useOrganizations();

  async function create(body: { name: string }) {
    const created = await api('POST /api/organizations', { body: { ...body, time_zone: ownZone() } });
    await updateInCache(created);
    return created;
  }

  function show({ id, name }: Organization) {
    toast(`${name} was created.`);
    activate(id);
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
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Creating...">Create organization</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}
