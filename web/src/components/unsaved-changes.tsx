import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a page with unsaved changes is left. `unsaved` is asked at that moment. */
export function UnsavedChanges({ unsaved }: { unsaved: () => boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && unsaved(),
  );

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsaved() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);

  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirm="Leave"
      cancel="Keep editing"
      onConfirm={blocker.proceed}
      onClose={() => blocker.reset?.()}
    >
      Your changes on this page have not been saved.
    </ConfirmDialog>
  );
}
