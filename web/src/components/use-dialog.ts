import { useLocation, useSearchParams } from 'react-router';
import type { DialogName } from '../lib/paths.ts';

const PARAMETER = 'open';

/** Whether a dialog of a page is open, kept in the address so that a link or a command can open it. */
export function useDialog(name: DialogName) {
  const [params, setParams] = useSearchParams();
  // What the page remembers of its place in the history stays with it.
  const { state } = useLocation();
  const put = (value: string | undefined) =>
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
    open: () => put(name),
    close: () => put(undefined),
  };
}
