import { useNavigate } from 'react-router';
import type { Broadcast } from '#shared/broadcast.ts';
import { nameOfCopy } from '#shared/names.ts';
import { refusalOf } from '#web/entities/broadcast/broadcast.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';

const LONGEST_NAME = 100;

/** Creates a draft with the same lists, conditions, holdout and content, and goes on to edit it. */
export function useDuplicate() {
  const change = useOrganizationChange();
  const navigate = useNavigate();
  return async ({ name, ...broadcast }: Broadcast) => {
    const { email_list_ids, audience, holdout_percent, email_template_ids, email_asset_ids } = broadcast;
    const same = { email_list_ids, audience, holdout_percent, email_template_ids, email_asset_ids };
    try {
      const body = { ...same, name: nameOfCopy(name, LONGEST_NAME) };
      const { id } = await change('POST /api/broadcasts', { body });
      await navigate(paths.editBroadcast(id));
    } catch (problem) {
      toast(refusalOf(problem), 'error');
    }
  };
}
