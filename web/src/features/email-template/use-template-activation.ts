import { useOrganizationCall } from '../../lib/data.ts';
import { isMissing, serverMessageOr } from '../../lib/problem.ts';
import { store } from '../../lib/store.ts';
import { toast } from '../../lib/toasts.ts';
import { RESULT_DURATION } from './template-texts.ts';
import { useTemplateCache } from './use-template-cache.ts';

const changing = store<readonly string[]>([]);

/** Activates or deactivates a template: an optimistic update, rolled back on failure. One request for each at a time. */
export function useTemplateActivation() {
  const call = useOrganizationCall();
  const cache = useTemplateCache();
  const busy = changing.use();

  async function change(id: string, is_active: boolean) {
    await cache.update(id, { is_active });
    try {
      await call('PUT /api/email-templates/{emailTemplate}', {
        params: { emailTemplate: id },
        body: { is_active },
      });
      toast(`Template ${is_active ? 'activated' : 'deactivated'} successfully!`, 'success', RESULT_DURATION);
    } catch (problem) {
      await cache.update(id, { is_active: !is_active });
      toast(serverMessageOr(problem, 'Failed to update template status'), 'error', RESULT_DURATION);
      if (isMissing(problem)) await cache.remove(id);
    }
  }

  async function activate(id: string, is_active: boolean) {
    if (changing.get().includes(id)) return;
    changing.set([...changing.get(), id]);
    await change(id, is_active).finally(() => changing.set(changing.get().filter(other => other !== id)));
  }

  return { activate, isChanging: (id: string) => busy.includes(id) };
}
