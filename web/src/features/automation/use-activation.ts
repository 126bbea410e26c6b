import type { Automation } from '../../../../shared/automation.ts';
import { revalidate, useOrganizationCall } from '../../lib/data.ts';
import { oneAtATime } from '../../lib/one-at-a-time.ts';
import { isMissing, Problem, serverMessageOr } from '../../lib/problem.ts';
import { dismissToastsAbout, toast, toastUndoable } from '../../lib/toasts.ts';
import { AUTOMATION_MISSING, RESULT_DURATION } from './automation-texts.ts';
import { removeAutomationFromCache, updateAutomationInCache } from './use-automations.ts';

/** Why a status could not be changed: all that the server says of the fields of the automation. */
export function statusFailure(problem: unknown): string {
  const messages = problem instanceof Problem ? Object.values(problem.fields).flat() : [];
  return messages.length > 0
    ? `Failed to update automation: ${messages.join(', ')}`
    : serverMessageOr(problem, 'Failed to update automation status. Please try again.');
}

export const resultOf = ({ name, active }: Automation) =>
  active ? `${name} is active.` : `${name} is inactive: it sends nothing.`;

function useSetActive() {
  const call = useOrganizationCall();
  return async ({ id }: Automation, active: boolean) => {
    const changed = await call('PUT /api/automations/{automation}', {
      params: { automation: id },
      body: { active },
    });
    await updateAutomationInCache(changed);
    // That of the organization counts active automations only.
    void revalidate('GET /api/forecast');
    return changed;
  };
}

const changes = oneAtATime();

/**
 * Activates or deactivates an automation: an optimistic update, rolled back on failure, with an Undo in its toast. One
 * request for each at a time. After a 404, `onMissing` navigates away.
 */
export function useActivation(onMissing: () => unknown) {
  const setActive = useSetActive();
  const isChanging = changes.useIsChanging();

  async function change(automation: Automation, active: boolean): Promise<void> {
    await updateAutomationInCache({ ...automation, active });
    try {
      const changed = await setActive(automation, active);
      toastUndoable({
        message: resultOf(changed),
        undo: () => void activate(changed, !active),
        about: automation.id,
      });
    } catch (problem) {
      if (!isMissing(problem)) {
        await updateAutomationInCache(automation);
        return toast(statusFailure(problem), 'error', RESULT_DURATION);
      }
      await onMissing();
      await removeAutomationFromCache(automation.id);
      toast(AUTOMATION_MISSING, 'error', RESULT_DURATION);
    }
  }

  const activate = (automation: Automation, active: boolean) =>
    changes.run(automation.id, () => {
      dismissToastsAbout(automation.id);
      return change(automation, active);
    });

  return { activate, isChanging };
}

/** The same where it was confirmed before: the failure is thrown, as a message for the dialog that asked. */
export function useConfirmedActivation() {
  const setActive = useSetActive();
  return async (automation: Automation, active: boolean): Promise<void> => {
    try {
      toast(resultOf(await setActive(automation, active)), 'success', RESULT_DURATION);
    } catch (problem) {
      if (!isMissing(problem)) throw new Problem(statusFailure(problem), 422, {}, true);
      await removeAutomationFromCache(automation.id);
      toast(AUTOMATION_MISSING, 'error', RESULT_DURATION);
    }
  };
}
