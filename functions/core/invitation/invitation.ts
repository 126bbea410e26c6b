import {
  INVITATION_DAYS,
  type Invitation,
  type InvitationCheck,
  mismatch,
} from '../../../shared/invitation.ts';
import type { AssignableRole } from '../../../shared/organization.ts';
import type { Mailer } from '../letter.ts';
import * as organization from '../organization/organization.ts';
import { invalid, Refusal } from '../refusal.ts';
import { newSecret, sha256 } from '../secret.ts';
import type { Item, Key, Table } from '../table.store.ts';
import * as user from '../user/user.ts';
import { commit, held, LostRace, type Write } from '../write.store.ts';
import { invitationLetter } from './invitation.mail.ts';
import * as store from './invitation.store.ts';

export { isInvited, pendingDeleteWrite, purgeSome } from './invitation.store.ts';

type Needs = { table: Table; now: Date };
type SignedIn = { id: string; email: string };

const DAY = 24 * 60 * 60 * 1000;

const MOST_PENDING = 100;
const MOST_MAILS = 5;
const MAILS_WINDOW = 60 * 60 * 1000;

/** Invites an address, or invites it again: then the link in the mail before is no longer valid. */
export async function send(
  needs: Needs & { mailer: Mailer; linkTo: (secret: string) => string },
  active: organization.Active,
  { email, role }: { email: string; role: AssignableRole },
): Promise<Invitation> {
  const secret = newSecret();
  const issued = await issue(needs, active, email, { role, secret_hash: sha256(secret) });
  const [sent] = await described(needs, [issued]);
  if (!sent) throw organizationGone();
  const { organization: of, invited_by } = sent;
  const facts = { organization: of.name, inviter: invited_by.name, role, link: needs.linkTo(secret) };
  await needs.mailer.send(email, invitationLetter(facts));
  return sent;
}

/** Stores the invitation that is mailed afterwards, so that nothing is mailed that was refused. */
async function issue(
  { table, now }: Needs,
  active: organization.Active,
  email: string,
  terms: { role: AssignableRole; secret_hash: string },
): Promise<store.StoredInvitation> {
  const { id: organization_id } = active.organization;
  const invitee = await user.idOf(table, email);
  if (invitee && (await organization.hasMember({ table }, organization_id, invitee))) {
    throw invalid('email', 'This person is a member of the organization already.');
  }
  const id = store.idOf(organization_id, email);
  const before = await store.read(table, organization_id, id);
  const mailed = recentMails(before, now);
  requireFewMails(mailed, now);
  const invitation: store.StoredInvitation = {
    id,
    organization_id,
    email,
    ...terms,
    invited_by: active.membership.user_id,
    status: 'pending',
    mailed: [...mailed, now.toISOString()],
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + INVITATION_DAYS * DAY).toISOString(),
  };
  while (!(await insert({ table, now }, invitation, before))) {
    if (await makeRoom({ table, now }, organization_id)) continue;
    throw new Refusal(
      'conflict',
      `At most ${MOST_PENDING} invitations can be pending. Cancel one that is no longer needed.`,
    );
  }
  return invitation;
}

/** When this address was mailed in the last hour, also for an invitation that has ended. */
function recentMails(before: store.StoredInvitation | undefined, now: Date): string[] {
  const since = now.getTime() - MAILS_WINDOW;
  return (before?.mailed ?? []).filter(at => new Date(at).getTime() > since);
}

function requireFewMails([oldest, ...others]: string[], now: Date): void {
  if (oldest === undefined || others.length + 1 < MOST_MAILS) return;
  const retryAfter = Math.ceil((new Date(oldest).getTime() + MAILS_WINDOW - now.getTime()) / 1000);
  throw new Refusal(
    'too-many',
    'This address was invited several times already. Please try again in an hour.',
    { retryAfter },
  );
}

/** False where the organization has as many pending invitations as it can have. */
async function insert(
  { table }: Needs,
  invitation: store.StoredInvitation,
  before: store.StoredInvitation | undefined,
): Promise<boolean> {
  try {
    await commit(table, [
      organization.aliveCheck(table, invitation.organization_id),
      ...store.sendWrites(table, invitation, before, MOST_PENDING),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
    const [isOrganizationGone, isInvitedMeanwhile] = error.lost;
    if (isOrganizationGone) throw organizationGone();
    if (isInvitedMeanwhile) throw new Refusal('conflict', 'This address has just been invited.');
    return false;
  }
}

/** An invitation expires without a write, so its id is removed when there is no room. False where all are pending. */
async function makeRoom({ table, now }: Needs, organizationId: number): Promise<boolean> {
  const kept = [...(await store.readPending(table, organizationId))];
  const expired = kept.filter(([, invitation]) => !invitation || !isPending(now)(invitation));
  if (expired.length > 0) await held(store.removePending(table, organizationId, expired));
  return expired.length > 0 || kept.length < MOST_PENDING;
}

const organizationGone = () => new Refusal('not-found', 'This organization does not exist any more.');

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
  return described(needs, invitations.filter(isPending(needs.now)));
}

const isPending = (now: Date) => (invitation: store.StoredInvitation) =>
  invitation.status === 'pending' && new Date(invitation.expires_at) > now;

export const keysOf = (organizationId: number, id: string): Key[] => [store.key(organizationId, id)];

export function found(id: string, items: Item[]): store.StoredInvitation {
  const invitation = store.foundIn(items, id);
  if (invitation) return invitation;
  throw gone();
}

export async function cancel({ table }: Needs, invitation: store.StoredInvitation): Promise<void> {
  await commitAnswer(table, store.endWrites(table, invitation, 'cancelled'));
}

/** Whether a link can be answered, and for what. A reader who is not signed in does not get the invited address. */
export async function validate(
  needs: Needs,
  token: string,
  reader: SignedIn | undefined,
): Promise<InvitationCheck> {
  const found = await find(needs, token, reader);
  const [invitation] = found ? await described(needs, [found]) : [];
  if (!found || !invitation) return { valid: false, message: gone().message };
  const ending = endOf(found, needs.now);
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
  const joining = isMember ? [] : organization.joiningWrites(table, membership, now.toISOString());
  await commitAnswer(table, [...store.endWrites(table, invitation, 'accepted'), ...joining]);
}

export async function reject(needs: Needs, token: string, invitee: SignedIn): Promise<void> {
  const invitation = await open(needs, token, invitee);
  await commitAnswer(needs.table, store.endWrites(needs.table, invitation, 'rejected'));
}

/** The invitation, if this user can answer it now. */
async function open(needs: Needs, token: string, invitee: SignedIn): Promise<store.StoredInvitation> {
  const invitation = await find(needs, token, invitee);
  if (!invitation) throw gone();
  if (invitation.email !== invitee.email) {
    throw new Refusal('forbidden', mismatch(invitation.email, invitee.email));
  }
  const ending = endOf(invitation, needs.now);
  if (ending) throw new Refusal('conflict', ending);
  return invitation;
}

/** By the secret of its mail, or by its id for a user with its address. */
async function find({ table }: Needs, token: string, reader: SignedIn | undefined) {
  const invitation = await store.bySecret(table, token);
  return invitation ?? (reader && store.byAddress(table, reader.email, token));
}

const ENDINGS: Record<Exclude<store.Status, 'pending'>, string> = {
  accepted: 'This invitation has already been accepted.',
  rejected: 'This invitation has been rejected.',
  cancelled: 'This invitation has been cancelled.',
};

function endOf(invitation: store.StoredInvitation, now: Date): string | undefined {
  if (invitation.status !== 'pending') return ENDINGS[invitation.status];
  return isPending(now)(invitation) ? undefined : 'This invitation has expired. Ask for a new one.';
}

/** As the API answers them, without those of deleted organizations. */
async function described({ table }: Needs, invitations: store.StoredInvitation[]): Promise<Invitation[]> {
  const [organizations, inviters] = await Promise.all([
    organization.findAll({ table }, unique(invitations.map(({ organization_id }) => organization_id))),
    user.findAll({ table }, unique(invitations.map(({ invited_by }) => invited_by))),
  ]);
  return invitations.flatMap(({ id, email, role, invited_by, created_at, expires_at, organization_id }) => {
    const of = organizations.find(found => found.id === organization_id);
    const inviter = inviters.find(found => found.id === invited_by);
    if (!of) return [];
    const names = {
      organization: { name: of.name },
      invited_by: { name: inviter?.name ?? 'A former member' },
    };
    return [{ id, token: id, email, role, created_at, expires_at, ...names }];
  });
}

const unique = <T>(values: T[]) => [...new Set(values)];

async function commitAnswer(table: Table, writes: Write[]): Promise<void> {
  if (await held(commit(table, writes))) return;
  throw new Refusal('conflict', 'This invitation has been answered or cancelled meanwhile.');
}

const gone = () => new Refusal('not-found', 'This invitation does not exist any more.');
