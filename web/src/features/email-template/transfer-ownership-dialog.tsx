import { Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import type { EmailTemplate, EmailTemplateDetail } from '../../../../shared/email-template.ts';
import { NO_MEMBER } from '../../../../shared/email-template.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Field } from '../../components/field.tsx';
import { Modal, ModalActions } from '../../components/modal.tsx';
import { ActionError } from '../../components/notice.tsx';
import { Select } from '../../components/select.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { RESULT_DURATION } from '../../entities/email-template/email-template.ts';
import { useOrganizationCall } from '../../lib/data.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { useUser } from '../../lib/user.ts';
import { useColleagues } from './use-colleagues.ts';

type Props = {
  template: EmailTemplate;
  onDone: (detail: EmailTemplateDetail) => unknown;
  onClose: () => void;
};

/** Chooses the new owner of a template. It stays open until the server has said yes. */
export default function TransferOwnershipDialog({ template, onDone, onClose }: Props) {
  const { members, problem, retry } = useColleagues();
  const user = useUser();
  const call = useOrganizationCall();
  const [chosen, setChosen] = useState('');
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<string>();
  const [working, setWorking] = useState(false);
  const others = members?.filter(({ id }) => id !== user.id);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const member = others?.find(({ id }) => id === chosen);
    setFault(member ? undefined : NO_MEMBER);
    setError(undefined);
    if (!member) return;
    setWorking(true);
    try {
      const detail = await call('PUT /api/email-templates/{emailTemplate}/owner', {
        params: { emailTemplate: template.id },
        body: { user_id: member.id },
      });
      onClose();
      toast(`${member.name} is now the owner of this template.`, 'success', RESULT_DURATION);
      await onDone(detail);
    } catch (refusal) {
      setError(serverMessageOr(refusal, 'Failed to transfer ownership. Please try again.'));
      setWorking(false);
    }
  }

  return (
    <Modal title="Transfer Ownership" onClose={working ? () => undefined : onClose} width="440px">
      {problem && !others ? (
        <Failure problem={problem} fallback="Failed to load organization members" onRetry={retry} />
      ) : !others ? (
        <Spinner />
      ) : (
        <form onSubmit={submit} noValidate>
          <Text mb="3" color="fg.muted" overflowWrap="anywhere">
            The new owner of {template.name} can delete it and transfer it; you no longer can.
          </Text>
          {others.length === 0 ? (
            <p>There is no other member in this organization.</p>
          ) : (
            <Field label="New owner" error={fault}>
              <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
                <option value="">Choose a member</option>
                {others.map(({ id, name, email }) => (
                  <option key={id} value={id}>
                    {name} ({email})
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <ModalActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="solid"
              disabled={others.length === 0}
              loading={working}
              loadingText="Transferring..."
            >
              Transfer
            </Button>
          </ModalActions>
          <ActionError>{error}</ActionError>
        </form>
      )}
    </Modal>
  );
}
