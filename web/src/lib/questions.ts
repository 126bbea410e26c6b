import { store } from './store.ts';

/** A question before something is done that cannot be taken back. */
export type Question = { title: string; sentences: string[]; confirm: string };

type Asked = Question & { id: number; answer: (isYes: boolean) => void };

/** The one that is asked now, with what to do with the answer. */
export const asked = store<Asked | undefined>(undefined);

let before: Promise<unknown> = Promise.resolve();
let shownSoFar = 0;

/** Asks the user, wherever they are, after what was asked before. */
export function ask(question: Question): Promise<boolean> {
  const answered = before.then(() => show(question));
  before = answered;
  return answered;
}

const show = (question: Question) =>
  new Promise<boolean>(resolve => {
    const shown: Asked = {
      ...question,
      id: ++shownSoFar,
      answer(isYes) {
        // A dialog answers once more when it closes: by then the next question may be shown.
        if (asked.get() === shown) asked.set(undefined);
        resolve(isYes);
      },
    };
    asked.set(shown);
  });

/** The user was asked, and does not want it. */
export class Declined extends Error {}
