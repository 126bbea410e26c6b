import { Refusal } from '#core/refusal.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, type Write } from '#core/storage/write.store.ts';
import { type Invitation, type InvitationCheck, mismatch } from '#shared/invitation.ts';
import * as organization from '../organization.ts';
import * as places from '../places.ts';
import * as store from './invitation.store.ts';
import { answerable, described, isPending } from './shown.ts';

type Needs = { table: Table; now: Date };
type SignedIn = { id: string; email: string };

export async function pendingOf(needs: Needs, active: organization.Active): Promise<Invitation[]> {
  const kept = await store.readPending(needs.table, active.organization.id);
  const pending = [...kept.values()].filter(found => found !== undefined).filter(isPending(needs.now));
  return described(
    needs,
    pending.sort((a, b) => a.email.localeCompare(b.email)),
  );
}

export async function pendingFor(needs: Needs, email: string): Promise<Invitation[]> {
  const invitations = await store.ofAddress(needs.table, email, needs.now);
  return described(needs, await answerable(needs, invitations));
}

export const keysOf = (organizationId: number, id: string): Key[] => [store.key(organizationId, id)];

export function found(id: string, items: Item[]): store.StoredInvitation {
  const invitation = store.foundIn(items, id);
  if (invitation) return invitation;
  throw gone();
}

export async function cancel({ table }: Needs, invitation: store.StoredInvitation): Promise<void> {
  await commitAnswer(table, store.endWrites(table, invitation, 'cancelled'));
}

/**
 * Cancels the invitations of a user who may not invite any more. If this fails, their right is still checked when an
 * invitation is accepted.
 */
export async function cancelAllBy(
  { table }: { table: Table },
  organizationId: number,
  inviter: string,
): Promise<void> {
  for (const invitation of (await store.readPending(table, organizationId)).values()) {
    if (invitation?.invited_by !== inviter) continue;
    await conditionsHeld(commit(table, store.endWrites(table, invitation, 'cancelled')));
  }
}

/**
 * Whether the invitation of a link can be answered, and for which organization. A reader who is not signed in does not see
 * the invited address.
 */
export async function validate(
  needs: Needs,
  token: string,
  reader: SignedIn | undefined,
): Promise<InvitationCheck> {
  const found = await find(needs, token, reader);
  const [invitation] = found ? await described(needs, [found]) : [];
  if (!found || !invitation) return { valid: false, message: gone().message };
  const ending = await endOf(needs, found);
  if (ending) return { valid: false, message: ending };
  if (!reader) {
    const { organization: of, invited_by, role, expires_at } = invitation;
    return { valid: true, invitation: { organization: of, invited_by, role, expires_at } };
  }
  if (reader.email === found.email) return { valid: true, invitation };
  return {
    valid: false,
    message: mismatch(found.email, reader.email),
    email_mismatch: true,
    invitation_email: found.email,
    user_email: reader.email,
  };
}

export async function accept(needs: Needs, token: string, invitee: SignedIn): Promise<void> {
  const { table, now } = needs;
  const invitation = await open(needs, token, invitee);
  const membership = {
    organization_id: invitation.organization_id,
    user_id: invitee.id,
    role: invitation.role,
    is_default: false,
  };
  const isMember = await organization.activeFor(needs, invitee.id, invitation.organization_id);
  const joining = isMember ? [] : places.joiningWrites(table, membership, now.toISOString());
  const writes = [
    organization.mayInviteCheck(table, invitation.organization_id, invitation.invited_by),
    ...store.endWrites(table, invitation, 'accepted'),
    ...joining,
  ];
  await commitAnswer(table, writes, async () => {
    if (joining.length === 0) return;
    await places.requirePlaces(needs, invitation.organization_id, ['members']);
    await places.requirePlaceToJoin(needs, invitee.id);
  });
}

export async function reject(needs: Needs, token: string, invitee: SignedIn): Promise<void> {
  const invitation = await open(needs, token, invitee);
  await commitAnswer(needs.table, store.endWrites(needs.table, invitation, 'rejected'));
}

/** Finds the invitation. Throws an error if this user cannot answer it now. */
async function open(needs: Needs, token: string, invitee: SignedIn): Promise<store.StoredInvitation> {
  const invitation = await find(needs, token, invitee);
  if (!invitation) throw gone();
  if (invitation.email !== invitee.email) {
    throw new Refusal('forbidden', mismatch(invitation.email, invitee.email));
  }
  const ending = await endOf(needs, invitation);
  if (ending) throw new Refusal('conflict', ending);
  return invitation;
}

/** Finds an invitation by the secret of its mail, or by its id for a user with its address. */
async function find({ table }: Needs, token: string, reader: SignedIn | undefined) {
  const invitation = await store.bySecret(table, token);
  return invitation ?? (reader && store.byAddress(table, reader.email, token));
}

const ENDINGS: Record<Exclude<store.Status, 'pending'>, string> = {
  accepted: 'This invitation has already been accepted.',
  rejected: 'This invitation has been rejected.',
  cancelled: 'This invitation has been cancelled.',
};

async function endOf(needs: Needs, invitation: store.StoredInvitation): Promise<string | undefined> {
  if (invitation.status !== 'pending') return ENDINGS[invitation.status];
  if (!isPending(needs.now)(invitation)) return 'This invitation has expired. Ask for a new one.';
  const [valid] = await answerable(needs, [invitation]);
  return valid ? undefined : 'Whoever sent this invitation may not invite any more. Ask for a new one.';
}

async function commitAnswer(table: Table, writes: Write[], explain = async () => {}): Promise<void> {
  if (await conditionsHeld(commit(table, writes))) return;
  await explain();
  throw new Refusal('conflict', 'This invitation has been answered or cancelled meanwhile.');
}

const gone = () => new Refusal('not-found', 'This invitation does not exist any more.');
