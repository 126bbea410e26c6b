import type { AutomationOption } from '#shared/automation-link.ts';
import type { Broadcast } from '#shared/broadcast.ts';
import { useOrganizationData } from './data.ts';

export type AutomationsRoute = 'GET /api/automations-for-assets' | 'GET /api/automations-for-templates';

export const isBroadcast = ({ id }: { id: string }) => id.startsWith('B');

/** All automations, then those of the newest broadcasts that are offered; without these, if they cannot be loaded. */
export function useAutomationChoice(route: AutomationsRoute, isOffered: (broadcast: Broadcast) => boolean) {
  const { data, error, mutate } = useOrganizationData(route);
  const { data: broadcasts = [] } = useOrganizationData('GET /api/broadcasts', { query: {} });
  const options: AutomationOption[] | undefined = data && [
    ...data,
    ...broadcasts.filter(isOffered).map(({ id, name }) => ({ id, name: `${name} (broadcast)` })),
  ];
  return { data: options, error, mutate };
}

export const hasBegun = ({ started_at }: Broadcast) => started_at !== null;
