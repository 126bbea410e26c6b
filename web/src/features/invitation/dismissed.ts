import type { Invitation } from '../../../../shared/invitation.ts';

const STORED = 'dismissedInvitations';

// One that was sent again is another one to the reader.
const nameOf = ({ id, created_at }: Invitation) => `${id} ${created_at}`;

const dismissed = (): string[] => JSON.parse(sessionStorage.getItem(STORED) ?? '[]');

/** For this session of the browser: closing the tab or signing out forgets it. */
export function dismiss(invitations: readonly Invitation[]) {
  const names = new Set([...dismissed(), ...invitations.map(nameOf)]);
  sessionStorage.setItem(STORED, JSON.stringify([...names]));
}

export function notDismissed(invitations: readonly Invitation[]): Invitation[] {
  const names = dismissed();
  return invitations.filter(invitation => !names.includes(nameOf(invitation)));
}
