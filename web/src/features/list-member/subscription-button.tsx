import { useState } from 'react';
import type { ListMember } from '#shared/list-member.ts';
import { Button, ignoreDoubleClick } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';

type Props = {
  /** Undefined while it is loading. */
  member: ListMember | undefined;
  /** Known from the members table while the member is loading. */
  isSubscribed: boolean;
  onChange: (is_subscribed: boolean) => Promise<void>;
};

/** Unsubscribes at once, with Undo in a toast. Subscribing again asks for confirmation first. */
export function SubscriptionButton({ member, isSubscribed, onChange }: Props) {
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const label = isSubscribed ? 'Unsubscribe' : 'Subscribe';
  const isSuppressed = !isSubscribed && !!member?.suppression;

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
        disabled={!member || isSuppressed}
        aria-describedby={isSuppressed ? 'suppressed' : undefined}
        onClickCapture={ignoreDoubleClick}
        onClick={isSubscribed ? () => void unsubscribe() : () => setAsking(true)}
      >
        {label}
      </Button>
      {asking && member && (
        <ConfirmDialog
          title="Subscribe them again?"
          confirm="Subscribe"
          loadingText="Subscribing..."
          danger={false}
          onConfirm={() => onChange(true)}
          onClose={() => setAsking(false)}
        >
          {member.email} is unsubscribed. Subscribe them again only if they asked for it themselves.
        </ConfirmDialog>
      )}
    </>
  );
}
