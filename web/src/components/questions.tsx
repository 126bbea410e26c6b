import { currentQuestion } from '../lib/questions.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Shows the question that is asked before a change. There is one instance for all pages. */
export function Questions() {
  const question = currentQuestion.use();
  if (!question) return null;
  const { id, title, sentences, confirm, answer } = question;
  return (
    <ConfirmDialog
      key={id}
      title={title}
      confirm={confirm}
      danger={false}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
