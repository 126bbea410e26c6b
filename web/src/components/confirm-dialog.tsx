import { onDemand } from './on-demand.tsx';

/** Asks for confirmation, and stays open until the action has succeeded. */
export const ConfirmDialog = onDemand(() => import('./confirm-content.tsx'));
