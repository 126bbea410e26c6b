import { useState } from 'react';
import { keep, kept } from '../lib/storage.ts';

const STORED = 'sidebarCollapsed';

/** Whether the sidebar is folded, kept in localStorage. */
export function useSidebarFold() {
  const [folded, setFolded] = useState(() => kept(STORED) === 'true');
  function toggle() {
    keep(STORED, String(!folded));
    setFolded(!folded);
  }
  return { folded, toggle };
}
