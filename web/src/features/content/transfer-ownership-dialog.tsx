import { Text } from '@chakra-ui/react';
import useSWR from 'swr';
import type * as z from 'zod/mini';
import { type EmailTemplate, type EmailTemplateDetail, NewOwner } from '#shared/email-template.ts';
import type { Member } from '#shared/member.ts';
import { may } from '#shared/permissions.ts';
import { Failure } from '#web/components/failure.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { RESULT_DURATION } from '#web/entities/content/content.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { useUser } from '#web/lib/session.ts';
import { toast } from '#web/lib/toasts.ts';

const { SelectField } = fieldsOf<z.input<typeof NewOwner>>();

type Props = {
  template: EmailTemplate;
  onDone: (detail: EmailTemplateDetail) => unknown;
  onClose: () => void;
};

export default function TransferOwnershipDialog({ template, onDone, onClose }: Props) {
  const { data: members, error, mutate } = useColleagues();
  const user = useUser();
  const call = useOrganizationCall();
  const others = members?.filter(({ id, role }) => id !== user.id && may(role, 'content:edit'));

  async function transfer(body: z.output<typeof NewOwner>) {
    const params = { emailTemplate: template.id };
    const detail = await call('PUT /api/email-templates/{emailTemplate}/owner', { params, body });
    return { detail, owner: others?.find(({ id }) => id === body.user_id) };
  }

  function close({ detail, owner }: Awaited<ReturnType<typeof transfer>>) {
    onClose();
    if (owner) toast(`${owner.name} is now the owner of this template.`, 'success', RESULT_DURATION);
    onDone(detail);
  }

  return (
    <Modal title="Transfer ownership" onClose={onClose} width="440px">
      {error && !others ? (
        <Failure problem={error} fallback="Failed to load organization members" onRetry={mutate} />
      ) : !others ? (
        <Loading shape={['line', 'line', 'field', 'button']} />
      ) : (
        <Form
          schema={NewOwner}
          initial={{ user_id: '' }}
          save={transfer}
          onSaved={close}
          failure="Failed to transfer ownership. Please try again."
        >
          <Text mb="3" color="fg.muted" overflowWrap="anywhere">
            The new owner of {template.name} can delete it and transfer it; you no longer can.
          </Text>
          {others.length === 0 ? (
            <p>There is no other member in this organization who may edit templates.</p>
          ) : (
            <SelectField
              name="user_id"
              label="New owner"
              options={[
                { value: '', label: 'Choose a member' },
                ...others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
              ]}
            />
          )}
          <FormActions>
            <CancelButton onClick={onClose} />
            <SubmitButton loadingText="Transferring..." disabled={others.length === 0}>
              Transfer
            </SubmitButton>
          </FormActions>
        </Form>
      )}
    </Modal>
  );
}

function useColleagues() {
  const organization = useOrganization()?.id;
  const call = useOrganizationCall();
  return useSWR(['all members', organization], async () => {
    const params = { organization: String(organization) };
    const members: Member[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | null | undefined; ; ) {
      const query = cursor ? { cursor } : {};
      const page = await call('GET /api/organizations/{organization}/members', { params, query });
      members.push(...page.members);
      cursor = page.next_cursor;
      // A repeated cursor would make an endless loop.
      if (!cursor || cursors.has(cursor)) return members;
      cursors.add(cursor);
    }
  });
}
