import { onDemand } from '#web/components/on-demand.tsx';

/** What an automation would send during the next 24 hours. */
export const SimulationDialog = onDemand(() => import('./simulation-content.tsx'));
