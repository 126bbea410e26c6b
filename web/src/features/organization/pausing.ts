import type { Organization } from '#shared/organization.ts';
import { Cancelled } from '#web/lib/confirmation.ts';
import { callWithConfirmation, invalidateAfter } from '#web/lib/data.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import type { Organizations } from './use-organizations.ts';

const PUT = 'PUT /api/organizations/{organization}';

/** Pauses all sending of an organization at once, with Undo; resuming asks by the number of emails. */
export async function setSending(
  { id, name }: Organization,
  active: boolean,
  updateInCache: Organizations['updateInCache'],
): Promise<void> {
  try {
    const input = { ...organizationInput(id), body: { active } };
    await updateInCache(await callWithConfirmation(PUT, input));
  } catch (problem) {
    if (problem instanceof Cancelled) return;
    const failure = `Failed to ${active ? 'resume' : 'pause'} sending. Please try again.`;
    return toast(serverMessageOr(problem, failure), 'error');
  }
  void invalidateAfter(PUT, id);
  if (active) return toast(`${name} is sending again.`);
  const undo = () => void setSending({ id, name } as Organization, true, updateInCache);
  toastUndoable({ message: `All sending of ${name} is paused.`, undo, about: String(id) });
}
