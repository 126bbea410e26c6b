import { onDemand } from '#web/components/on-demand.tsx';

/** Chooses which templates and assets an automation sends. */
export const LinkContentDialog = onDemand(() => import('./link-content.tsx'));
