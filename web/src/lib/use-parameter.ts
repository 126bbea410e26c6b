import { useLocation, useSearchParams } from 'react-router';

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
