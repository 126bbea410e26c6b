import { store } from './store.ts';

/** A question before something is done that cannot be taken back. */
export type Question = { title: string; sentences: string[]; confirm: string };

/** The one that is asked now, with what to do with the answer. */
export const asked = store<(Question & { answer: (isYes: boolean) => void }) | undefined>(undefined);

let before: Promise<unknown> = Promise.resolve();

/** Asks the user, wherever they are, after what was asked before. */
export function ask(question: Question): Promise<boolean> {
  const answered = before.then(() => show(question));
  before = answered;
  return answered;
}

const show = (question: Question) =>
  new Promise<boolean>(resolve => {
    asked.set({
      ...question,
      answer: isYes => {
        asked.set(undefined);
        resolve(isYes);
      },
    });
  });

/** The user was asked, and does not want it. */
export class Declined extends Error {}
