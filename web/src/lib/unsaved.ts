import { store } from './store.ts';

/** How the user is asked whether to leave. */
type LeavingWords = { title: string; text: string; stay: string };

const checks = new Set<() => boolean>();
const words = new WeakMap<() => boolean, LeavingWords>();

/** Registers a check whether a form has unsaved input; returns a function that removes it. */
export function registerUnsavedCheck(unsaved: () => boolean, asked: LeavingWords = OF_A_FORM) {
  checks.add(unsaved);
  words.set(unsaved, asked);
  return () => {
    checks.delete(unsaved);
  };
}

const OF_A_FORM: LeavingWords = {
  title: 'Leave without saving?',
  text: 'Your changes on this page have not been saved.',
  stay: 'Keep editing',
};

/** How to ask about what is unsaved now. */
export function leavingWords(): LeavingWords {
  const unsaved = [...checks].find(check => check());
  return (unsaved && words.get(unsaved)) ?? OF_A_FORM;
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
