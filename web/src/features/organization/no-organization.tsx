import { Box } from '@chakra-ui/react';
import { Notice } from '../../components/notice.tsx';
import { useOrganizations } from './use-organizations.ts';

/** Shown above every page while no organization is active. */
export function NoOrganization() {
  const { all, active } = useOrganizations();
  if (!all || active) return null;
  return (
    <Box mb="5">
      <Notice tone="warning">
        <strong>No active organization</strong> - Please select an organization to continue.
      </Notice>
    </Box>
  );
}
