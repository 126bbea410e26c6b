import { onDemand } from '../../components/on-demand.tsx';

/** Which templates and assets an automation sends. */
export const LinkContentDialog = onDemand(() => import('./link-content.tsx'));
