import { useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

type Props = { member: ListMember; onChange: (is_subscribed: boolean) => Promise<void> };

/** Unsubscribing is done at once and can be undone; subscribing somebody again is asked about first. */
export function SubscriptionButton({ member: { email, is_subscribed, suppression }, onChange }: Props) {
  const [asking, setAsking] = useState(false);
  if (is_subscribed) return <Button onClick={() => void onChange(false)}>Unsubscribe</Button>;
  return (
    <>
      <Button
        disabled={suppression !== null}
        aria-describedby={suppression ? 'suppressed' : undefined}
        onClick={() => setAsking(true)}
      >
        Subscribe
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
