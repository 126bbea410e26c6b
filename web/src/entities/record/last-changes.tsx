import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { useMay } from '#web/lib/organization.ts';

const RecentChanges = onDemand(() => import('./record.tsx'), <Loading shape={['title', 120]} />);

/** The last changes of the organization, or of one thing in it; nothing for those who may not see them. */
export const LastChanges = ({ of }: { of?: string }) =>
  useMay()('record:read') ? <RecentChanges of={of} /> : null;
