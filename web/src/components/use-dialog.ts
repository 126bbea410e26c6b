import { useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { DialogName } from '../lib/paths.ts';

function withParameter(params: URLSearchParams, name: string, value: string | undefined) {
  const changed = new URLSearchParams(params);
  if (value) changed.set(name, value);
  else changed.delete(name);
  return changed;
}

/** A parameter of the URL. Keeps the state of the history entry, in which the members table has its cursor. */
export function useParameter(name: string) {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const set = (value: string | undefined) =>
    setParams(current => withParameter(current, name, value), {
      replace: true,
      preventScrollReset: true,
      state,
    });
  return [params.get(name), set] as const;
}

/** Keeps in the URL whether a dialog of the page is open, so that links and commands can open it. */
export function useDialog(name: DialogName) {
  const [shown, set] = useParameter('open');
  return { isOpen: shown === name, open: () => set(name), close: () => set(undefined) };
}

/** A drawer with an address of its own: Back closes it, and closing it goes back to where it was opened. */
export function useDrawer(name: string) {
  const [params] = useSearchParams();
  const [shown, show] = useParameter(name);
  const { key, state } = useLocation();
  const navigate = useNavigate();
  /** The history entry that is being left: going back twice would leave the page. */
  const left = useRef<string>(undefined);
  const isOpenedHere = typeof state === 'object' && state !== null && 'isOpenedHere' in state;

  return {
    shown,
    /** Props for a link. */
    linkTo: (id: string) => ({
      to: { search: String(withParameter(params, name, id)) },
      state: { ...(state as object | null), isOpenedHere: true },
      preventScrollReset: true,
    }),
    close() {
      if (left.current === key) return;
      left.current = key;
      if (isOpenedHere) void navigate(-1);
      else show(undefined);
    },
  };
}
