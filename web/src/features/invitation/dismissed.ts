import type { Invitation } from '../../../../shared/invitation.ts';

const STORED = 'dismissedInvitations';

// With the instant, so that an invitation that was sent again is shown again.
const keyOf = ({ id, created_at }: Invitation) => `${id} ${created_at}`;

const dismissed = (): string[] => JSON.parse(sessionStorage.getItem(STORED) ?? '[]');

/** Kept in sessionStorage, which closing the tab or signing out clears. */
export function dismiss(invitations: readonly Invitation[]) {
  const keys = new Set([...dismissed(), ...invitations.map(keyOf)]);
  sessionStorage.setItem(STORED, JSON.stringify([...keys]));
}

export function notDismissed(invitations: readonly Invitation[]): Invitation[] {
  const keys = dismissed();
  return invitations.filter(invitation => !keys.includes(keyOf(invitation)));
}
