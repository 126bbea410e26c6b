import { Text } from '@chakra-ui/react';
import type { Automation } from '../../../../shared/automation.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { unlessMissing } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { obstaclesOf, RESULT_DURATION } from './automation-texts.ts';
import { useConfirmedActivation } from './use-activation.ts';
import { removeAutomationFromCache } from './use-automations.ts';

type Props = { automation: Automation; onClose: () => void };

/** Asks before an automation is activated or deactivated, and says what that does. */
export function ActivateAutomation({ automation, onClose }: Props) {
  const setActive = useConfirmedActivation();
  const verb = automation.active ? 'Deactivate' : 'Activate';
  return (
    <ConfirmDialog
      title={`${verb} ${automation.name}?`}
      confirm={verb}
      loadingText={verb.replace(/e$/, 'ing...')}
      danger={false}
      onConfirm={() => setActive(automation, !automation.active)}
      onClose={onClose}
    >
      {automation.active ? (
        'It sends nothing while it is inactive. What falls due in that time is not sent later.'
      ) : (
        <>
          It sends what falls due from now on. What was due before is not sent.
          {obstaclesOf({ ...automation, active: true }).map(obstacle => (
            <Text key={obstacle} mt="2">
              {obstacle}
            </Text>
          ))}
        </>
      )}
    </ConfirmDialog>
  );
}

export function DeleteAutomation({ automation, onDeleted, onClose }: Props & { onDeleted?: () => unknown }) {
  const call = useOrganizationCall();
  const { id, name } = automation;

  async function remove() {
    await call('DELETE /api/automations/{automation}', { params: { automation: id } }).catch(unlessMissing);
    await onDeleted?.();
    await removeAutomationFromCache(id);
    toast(`${name} was deleted.`, 'success', RESULT_DURATION);
  }

  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm="Delete Automation"
      loadingText="Deleting..."
      failure="Failed to delete automation. Please try again."
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Are you sure you want to delete this automation?</p>
      <Text mt="2">It sends nothing more. Its lists and its content stay. This cannot be undone.</Text>
    </ConfirmDialog>
  );
}
