import { onReset, store } from './store.ts';

/** A question before an action that cannot be undone. */
export type Question = { title: string; sentences: string[]; confirm: string };

type PendingQuestion = Question & { id: number; answer: (isYes: boolean) => void };

/** The current question, with the function that gets the answer. */
export const currentQuestion = store<PendingQuestion | undefined>(undefined);

let before: Promise<unknown> = Promise.resolve();
onReset(() => {
  before = Promise.resolve();
});
let shownSoFar = 0;

/** Asks the user, on any page. Questions are asked one after another. */
export function ask(question: Question): Promise<boolean> {
  const answered = before.then(() => show(question));
  before = answered;
  return answered;
}

const show = (question: Question) =>
  new Promise<boolean>(resolve => {
    const shown: PendingQuestion = {
      ...question,
      id: ++shownSoFar,
      answer(isYes) {
        // A dialog answers once more when it closes: by then the next question may be shown.
        if (currentQuestion.get() === shown) currentQuestion.set(undefined);
        resolve(isYes);
      },
    };
    currentQuestion.set(shown);
  });

/** The user was asked and has declined. */
export class Declined extends Error {}
