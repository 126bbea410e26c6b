import type { DialogName } from '../lib/paths.ts';
import { useParameter } from '../lib/use-parameter.ts';

/** Keeps in the URL whether a dialog of the page is open, so that links and commands can open it. */
export function useDialog(name: DialogName) {
  const [shown, set] = useParameter('open');
  return { isOpen: shown === name, open: () => set(name), close: () => set(undefined) };
}
