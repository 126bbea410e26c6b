import { useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import { Button, ignoreDoubleClick } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

type Props = { member: ListMember; onChange: (is_subscribed: boolean) => Promise<void> };

/** Unsubscribes at once, with an Undo toast; asks for confirmation before subscribing again. */
export function SubscriptionButton({ member: { email, is_subscribed, suppression }, onChange }: Props) {
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const label = is_subscribed ? 'Unsubscribe' : 'Subscribe';
  const isSuppressed = !is_subscribed && suppression !== null;

  async function unsubscribe() {
    setChanging(true);
    await onChange(false);
    setChanging(false);
  }

  return (
    <>
      <Button
        loading={changing}
        loadingText={label}
        disabled={isSuppressed}
        aria-describedby={isSuppressed ? 'suppressed' : undefined}
        onClickCapture={ignoreDoubleClick}
        onClick={is_subscribed ? () => void unsubscribe() : () => setAsking(true)}
      >
        {label}
      </Button>
      {asking && (
        <ConfirmDialog
          title="Subscribe them again?"
          confirm="Subscribe"
          loadingText="Subscribing..."
          danger={false}
          onConfirm={() => onChange(true)}
          onClose={() => setAsking(false)}
        >
          {email} is unsubscribed. Subscribe them again only if they asked for it themselves.
        </ConfirmDialog>
      )}
    </>
  );
}
