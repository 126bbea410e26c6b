import type * as z from 'zod/mini';
import { MemberInvite } from '#shared/member.ts';
import type { Organization } from '#shared/organization.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { api } from '#web/lib/api.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { toast } from '#web/lib/toasts.ts';
import { ROLE_OPTIONS } from './use-organizations.ts';

const { TextField, SelectField } = fieldsOf<z.input<typeof MemberInvite>>();

type Props = { organization: Organization; onInvited: () => Promise<unknown>; onClose: () => void };

export default function InviteDialog({ organization: { id, name }, onInvited, onClose }: Props) {
  async function invite(body: z.output<typeof MemberInvite>) {
    await api('POST /api/organizations/{organization}/members', { ...organizationInput(id), body });
    await onInvited();
    return body.email;
  }

  return (
    <Modal title={`Invite a member to ${name}`} onClose={onClose}>
      <Form
        schema={MemberInvite}
        initial={{ email: '', role: 'USER' }}
        save={invite}
        failure="Failed to send invitation"
        onSaved={invited => {
          toast(`Invitation sent to ${invited}.`);
          onClose();
        }}
      >
        <TextField name="email" label="Email" type="email" data-autofocus />
        <SelectField
          name="role"
          label="Role"
          hint="Viewers only read. Users change lists, content and automations; admins also the organization and its members."
          options={ROLE_OPTIONS}
        />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Sending...">Send invitation</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}
