import { useCallback, useState } from 'react';

const STORED = 'sidebarCollapsed';

/** Whether the sidebar is folded, kept in localStorage. */
export function useSidebarFold() {
  const [folded, setFolded] = useState(() => localStorage.getItem(STORED) === 'true');
  const toggle = useCallback(
    () =>
      setFolded(before => {
        localStorage.setItem(STORED, String(!before));
        return !before;
      }),
    [],
  );
  return { folded, toggle };
}
