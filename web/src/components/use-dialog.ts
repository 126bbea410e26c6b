import { useLocation, useSearchParams } from 'react-router';
import type { DialogName } from '../lib/paths.ts';

/** A parameter of the URL. Keeps the state of the history entry, in which the members table has its cursor. */
export function useParameter(name: string) {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const set = (value: string | undefined) =>
    setParams(
      current => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true, state },
    );
  return [params.get(name), set] as const;
}

/** Keeps in the URL whether a dialog of the page is open, so that links and commands can open it. */
export function useDialog(name: DialogName) {
  const [shown, set] = useParameter('open');
  return { isOpen: shown === name, open: () => set(name), close: () => set(undefined) };
}
