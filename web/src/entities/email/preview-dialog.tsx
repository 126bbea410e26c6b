import { onDemand } from '../../components/on-demand.tsx';

/** Emails of an automation, as random members of its lists would get them. */
export const PreviewDialog = onDemand(() => import('./preview-dialog-content.tsx'));
