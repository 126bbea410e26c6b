import { useState } from 'react';

const STORED = 'sidebarCollapsed';

/** Whether the sidebar is folded, kept in localStorage. */
export function useSidebarFold() {
  const [folded, setFolded] = useState(() => localStorage.getItem(STORED) === 'true');
  function toggle() {
    localStorage.setItem(STORED, String(!folded));
    setFolded(!folded);
  }
  return { folded, toggle };
}
