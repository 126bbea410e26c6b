import { useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import { Button, onlyTheFirst } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

type Props = { member: ListMember; onChange: (is_subscribed: boolean) => Promise<void> };

/** Unsubscribing is done at once and can be undone; subscribing somebody again is asked about first. */
export function SubscriptionButton({ member: { email, is_subscribed, suppression }, onChange }: Props) {
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const word = is_subscribed ? 'Unsubscribe' : 'Subscribe';
  const barred = !is_subscribed && suppression !== null;

  async function unsubscribe() {
    setChanging(true);
    await onChange(false);
    setChanging(false);
  }

  return (
    <>
      <Button
        busy={changing && word}
        disabled={barred}
        aria-describedby={barred ? 'suppressed' : undefined}
        onClickCapture={onlyTheFirst}
        onClick={is_subscribed ? () => void unsubscribe() : () => setAsking(true)}
      >
        {word}
      </Button>
      {asking && (
        <ConfirmDialog
          title="Subscribe them again?"
          confirm="Subscribe"
          busy="Subscribing..."
          look="primary"
          onConfirm={() => onChange(true)}
          onClose={() => setAsking(false)}
        >
          {email} is unsubscribed. Subscribe them again only if they asked for it themselves.
        </ConfirmDialog>
      )}
    </>
  );
}
