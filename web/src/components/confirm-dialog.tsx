import { useEffect, useState } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { pendingConfirmation } from '../lib/confirmation.ts';
import { anythingUnsaved, leaving, leavingWords } from '../lib/unsaved.ts';
import { onDemand } from './on-demand.tsx';

/** Asks for confirmation, and stays open until the action has succeeded. */
export const ConfirmDialog = onDemand(() => import('./confirm-content.tsx'));

/** What the user confirms before a change. There is one instance for all pages. */
export function PendingConfirmation() {
  const pending = pendingConfirmation.use();
  const { pathname } = useLocation();
  // After Back, the page that asked is not there any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends when the path changes.
  useEffect(() => () => pendingConfirmation.get()?.answer(false), [pathname]);
  if (!pending) return null;
  const { id, sentences, answer, ...shown } = pending;
  return (
    <ConfirmDialog key={id} {...shown} danger={false} onConfirm={answer} onClose={() => answer(false)}>
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

/** There is one instance for all forms, as react-router supports one blocker at a time. */
export function UnsavedChanges() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && anythingUnsaved(),
  );

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => anythingUnsaved() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);

  const leave = leaving.use();
  if (leave) return <LeaveUnsaved onLeave={leave} onStay={() => leaving.set(undefined)} />;
  if (blocker.state !== 'blocked') return null;
  return <LeaveUnsaved onLeave={blocker.proceed} onStay={() => blocker.reset?.()} />;
}

function LeaveUnsaved({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const [{ title, text, stay }] = useState(leavingWords);
  return (
    <ConfirmDialog title={title} confirm="Leave" cancel={stay} onConfirm={onLeave} onClose={onStay}>
      {text}
    </ConfirmDialog>
  );
}
