import { useState } from 'react';
import { readStored, writeStored } from '../lib/storage.ts';

const STORED = 'sidebarCollapsed';

/** Whether the sidebar is folded, kept in localStorage. */
export function useSidebarFold() {
  const [folded, setFolded] = useState(() => readStored(STORED) === 'true');
  function toggle() {
    writeStored(STORED, String(!folded));
    setFolded(!folded);
  }
  return { folded, toggle };
}
