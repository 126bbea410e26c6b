import { useOrganizationCall } from '../../lib/data.ts';
import { oneAtATime } from '../../lib/one-at-a-time.ts';
import { isMissing, serverMessageOr } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { removeTemplateFromCache, updateTemplateInCache } from './template-cache.ts';
import { RESULT_DURATION } from './template-texts.ts';

const changes = oneAtATime();

/** Activates or deactivates a template: an optimistic update, rolled back on failure. One request for each at a time. */
export function useTemplateActivation() {
  const call = useOrganizationCall();
  const isChanging = changes.useIsChanging();

  async function change(id: string, is_active: boolean) {
    await updateTemplateInCache(id, { is_active });
    try {
      await call('PUT /api/email-templates/{emailTemplate}', {
        params: { emailTemplate: id },
        body: { is_active },
      });
      toast(`Template ${is_active ? 'activated' : 'deactivated'} successfully!`, 'success', RESULT_DURATION);
    } catch (problem) {
      await updateTemplateInCache(id, { is_active: !is_active });
      toast(serverMessageOr(problem, 'Failed to update template status'), 'error', RESULT_DURATION);
      if (isMissing(problem)) await removeTemplateFromCache(id);
    }
  }

  const activate = (id: string, is_active: boolean) => changes.run(id, () => change(id, is_active));

  return { activate, isChanging };
}
