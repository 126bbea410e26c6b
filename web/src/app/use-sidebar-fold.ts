import { useCallback, useState } from 'react';
import { keep, kept } from '../lib/storage.ts';

const STORED = 'sidebarCollapsed';

/** Whether the sidebar is folded, kept in localStorage. */
export function useSidebarFold() {
  const [folded, setFolded] = useState(() => kept(STORED) === 'true');
  const toggle = useCallback(
    () =>
      setFolded(before => {
        keep(STORED, String(!before));
        return !before;
      }),
    [],
  );
  return { folded, toggle };
}
