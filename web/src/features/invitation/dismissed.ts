import type { Invitation } from '#shared/invitation.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

const STORED = 'dismissedInvitations';

// The key contains the instant, so that an invitation that is sent again is shown again.
const keyOf = ({ id, created_at }: Invitation) => `${id} ${created_at}`;

const dismissed = (): string[] => JSON.parse(readStored(STORED, 'session') ?? '[]');

/**
 * Stored in sessionStorage, which is cleared by closing the tab or signing out. Returns the keys, for browsers that block the
 * storage.
 */
export function dismiss(invitations: readonly Invitation[]): string[] {
  const keys = [...new Set([...dismissed(), ...invitations.map(keyOf)])];
  writeStored(STORED, JSON.stringify(keys), 'session');
  return keys;
}

export function notDismissed(invitations: readonly Invitation[], others: readonly string[]): Invitation[] {
  const keys = [...dismissed(), ...others];
  return invitations.filter(invitation => !keys.includes(keyOf(invitation)));
}
