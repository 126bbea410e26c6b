import { useLocation, useSearchParams } from 'react-router';
import type { DialogName } from '../lib/paths.ts';

const PARAMETER = 'open';

/** Keeps in the URL whether a dialog of the page is open, so that links and commands can open it. */
export function useDialog(name: DialogName) {
  const [params, setParams] = useSearchParams();
  // Keeps the state of the history entry, in which the members table has its cursor.
  const { state } = useLocation();
  const setParameter = (value: string | undefined) =>
    setParams(
      current => {
        const next = new URLSearchParams(current);
        if (value) next.set(PARAMETER, value);
        else next.delete(PARAMETER);
        return next;
      },
      { replace: true, preventScrollReset: true, state },
    );
  return {
    isOpen: params.get(PARAMETER) === name,
    open: () => setParameter(name),
    close: () => setParameter(undefined),
  };
}
