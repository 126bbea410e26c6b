import { Notice } from '../../components/notice.tsx';
import { useOrganizations } from './use-organizations.ts';

/** Shown above every page while no organization is active. */
export function NoOrganization() {
  const { all, active } = useOrganizations();
  if (!all || active) return null;
  return (
    <Notice tone="warning" mb="5">
      <strong>No active organization</strong> - Please select an organization to continue.
    </Notice>
  );
}
