import { onDemand } from '#web/components/on-demand.tsx';

/** Previews of an automation's emails to random members of its lists. */
export const PreviewDialog = onDemand(() => import('./preview-dialog-content.tsx'));
