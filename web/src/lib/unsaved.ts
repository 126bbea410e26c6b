import { store } from './store.ts';

const checks = new Set<() => boolean>();

/** Registers a check whether a form has unsaved input; returns a function that removes it. */
export function registerUnsavedCheck(unsaved: () => boolean) {
  checks.add(unsaved);
  return () => {
    checks.delete(unsaved);
  };
}

export const anythingUnsaved = (except: ReadonlySet<() => boolean> = NONE) =>
  [...checks].some(unsaved => !except.has(unsaved) && unsaved());

const NONE = new Set<() => boolean>();

/** The checks registered so far: a dialog ignores those of forms that were there before it. */
export const registeredChecks = (): ReadonlySet<() => boolean> => new Set(checks);

/** What is done once the user has agreed to lose what is unsaved. */
export const leaving = store<(() => void) | undefined>(undefined);

/** Asks first if a form is unsaved. */
export const leaveBy = (leave: () => void) => (anythingUnsaved() ? leaving.set(leave) : leave());

/** Forgets what is unsaved: the browser would ask once more before it loads another document. */
export const discardUnsaved = () => checks.clear();
