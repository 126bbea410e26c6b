import { store } from './store.ts';

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

export function leavingWords(): LeavingWords {
  const unsaved = [...checks].find(check => check());
  return (unsaved && words.get(unsaved)) ?? OF_A_FORM;
}

export const anythingUnsaved = (except: ReadonlySet<() => boolean> = NONE) =>
  [...checks].some(unsaved => !except.has(unsaved) && unsaved());

const NONE = new Set<() => boolean>();

/** The checks that are registered so far. A dialog ignores those that were there before it was opened. */
export const registeredChecks = (): ReadonlySet<() => boolean> => new Set(checks);

/** The action that is done once the user agrees to lose unsaved input. */
export const leaving = store<(() => void) | undefined>(undefined);

export const leaveBy = (leave: () => void) => (anythingUnsaved() ? leaving.set(leave) : leave());

/** Discards unsaved input. Otherwise the browser would ask again before it loads another document. */
export const discardUnsaved = () => checks.clear();
