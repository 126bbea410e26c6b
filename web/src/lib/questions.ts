import { store } from './store.ts';

/** A question before an action that cannot be undone. */
export type Question = { title: string; sentences: string[]; confirm: string };

/** The current question, with the function that gets the answer. */
export const asked = store<(Question & { answer: (isYes: boolean) => void }) | undefined>(undefined);

let before: Promise<unknown> = Promise.resolve();

/** Asks the user, on any page. Questions are asked one after another. */
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

/** The user was asked and has declined. */
export class Declined extends Error {}
