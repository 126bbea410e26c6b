import * as user from '#core/account/user.ts';
import { newSecret, sha256 } from '#core/id.ts';
import { letter, type Mailer } from '#core/mail.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import { ConditionFailed, commit, conditionsHeld, type Write } from '#core/storage/write.store.ts';
import { PRODUCT } from '#shared/brand.ts';
import { INVITATION_DAYS, type Invitation, type InvitationCheck, mismatch } from '#shared/invitation.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { may, ROLES } from '#shared/permissions.ts';
import { DAY } from '#shared/time.ts';
import * as store from './invitation.store.ts';
import { mailWrites, refusalOf } from './invitation-limits.ts';
import * as organizationStore from './organization.store.ts';
import * as organization from './organization.ts';
import * as quota from './quota.ts';
import { type Changing, recorded } from './record.ts';

type Needs = Changing;
type SignedIn = { id: string; email: string };

const MOST_PENDING = 100;
const INVITING = ROLES.filter(role => may(role, 'members:invite'));

/** Invites an address, or invites it again, which makes the link in the mail before invalid. */
export async function send(
  needs: Needs & { mailer: Mailer | undefined; linkTo: (secret: string) => string },
  active: organization.Active,
  { email, role }: { email: string; role: AssignableRole },
): Promise<Invitation> {
  const { mailer } = needs;
  if (!mailer) throw new Refusal('conflict', 'No emails are sent from here, so nobody can be invited.');
  const secret = newSecret();
  const issued = await issue(needs, active, email, { role, secret_hash: sha256(secret) });
  const [sent] = await described(needs, [issued]);
  if (!sent) throw organizationStore.organizationGone();
  const { organization: of, invited_by } = sent;
  const facts = { organization: of.name, inviter: invited_by.name, role, link: needs.linkTo(secret) };
  await mailer.send(email, invitationLetter(facts));
  return sent;
}

/** Stores the invitation before it is mailed, so that no refused invitation is mailed. */
async function issue(
  needs: Needs,
  active: organization.Active,
  email: string,
  terms: { role: AssignableRole; secret_hash: string },
): Promise<store.StoredInvitation> {
  const { table, now } = needs;
  const { id: organization_id } = active.organization;
  const invitee = await user.idOf(table, email);
  if (invitee && (await organizationStore.readMember(table, organization_id, invitee))) {
    throw invalid('email', 'This person is a member of the organization already.');
  }
  const id = store.idOf(organization_id, email);
  const before = await store.read(table, organization_id, id);
  const invitation: store.StoredInvitation = {
    id,
    organization_id,
    email,
    ...terms,
    invited_by: active.membership.user_id,
    status: 'pending',
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + INVITATION_DAYS * DAY).toISOString(),
  };
  while (!(await insert(needs, invitation, before))) {
    if (await makeRoom(needs, organization_id)) continue;
    throw new Refusal(
      'conflict',
      `At most ${MOST_PENDING} invitations can be pending. Cancel one that is no longer needed.`,
    );
  }
  return invitation;
}

/** Inserts an invitation. Returns false if the organization has as many pending ones as it may have. */
async function insert(
  needs: Needs,
  invitation: store.StoredInvitation,
  before: store.StoredInvitation | undefined,
): Promise<boolean> {
  const { table } = needs;
  const mail = { email: invitation.email, inviter: invitation.invited_by };
  const mailCounts = mailWrites(needs, mail);
  const alive = organizationStore.aliveCheck(table, invitation.organization_id);
  const sent = store.sendWrites(table, invitation, before, MOST_PENDING);
  try {
    // Neither the address nor whose it is: who invites somebody does not learn who has an account.
    const note = recorded(needs, invitation.organization_id, {
      kind: 'member',
      what: 'invited',
      object: {},
      to: { role: invitation.role },
    });
    await commit(table, [alive, ...Object.values(sent), ...mailCounts, ...note]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.isOf(alive)) throw organizationStore.organizationGone();
    if (error.isOf(sent.invitation)) throw new Refusal('conflict', 'This address has just been invited.');
    const tooMany = await refusalOf(
      needs,
      mail,
      mailCounts.map(write => error.isOf(write)),
    );
    if (tooMany) throw tooMany;
    return false;
  }
}

/** Removes the ids of expired invitations, since an invitation expires without a write. Returns false if all are pending. */
async function makeRoom({ table, now }: Needs, organizationId: number): Promise<boolean> {
  const kept = [...(await store.readPending(table, organizationId))];
  const expired = kept.filter(([, invitation]) => !invitation || !isPending(now)(invitation));
  if (expired.length > 0) await conditionsHeld(store.removePending(table, organizationId, expired));
  return expired.length > 0 || kept.length < MOST_PENDING;
}

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

const cancelWrites = (needs: Needs, invitation: store.StoredInvitation): Write[] => [
  ...store.endWrites(needs.table, invitation, 'cancelled'),
  ...recorded(needs, invitation.organization_id, {
    kind: 'member',
    what: 'cancelled',
    object: {},
    from: { role: invitation.role },
    to: {},
  }),
];

export const cancel = (needs: Needs, invitation: store.StoredInvitation): Promise<void> =>
  commitAnswer(needs.table, cancelWrites(needs, invitation));

/** If this fails, the right of the sender is still checked when an invitation is accepted. */
export async function cancelAllBy(needs: Needs, organizationId: number, inviter: string): Promise<void> {
  for (const invitation of (await store.readPending(needs.table, organizationId)).values()) {
    if (invitation?.invited_by !== inviter) continue;
    await conditionsHeld(commit(needs.table, cancelWrites(needs, invitation)));
  }
}

/** A reader who is not signed in does not see the invited address. */
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
  const { organization_id, role } = membership;
  const joining = isMember
    ? []
    : [
        ...quota.joiningWrites(table, membership, now.toISOString()),
        ...recorded(needs, organization_id, {
          kind: 'member',
          what: 'joined',
          object: { id: invitee.id },
          to: { role },
        }),
      ];
  const writes = [
    organizationStore.roleCheck(table, invitation.organization_id, invitation.invited_by, INVITING),
    ...store.endWrites(table, invitation, 'accepted'),
    ...joining,
  ];
  await commitAnswer(table, writes, async () => {
    if (joining.length === 0) return;
    await quota.requireQuota(needs, invitation.organization_id, ['members']);
    await quota.requirePlaceToJoin(needs, invitee.id);
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

const isPending = (now: Date) => (invitation: store.StoredInvitation) =>
  invitation.status === 'pending' && new Date(invitation.expires_at) > now;

/** The invitations that can be answered: they are pending, and their sender may still invite. */
async function answerable(
  { table, now }: { table: Table; now: Date },
  invitations: store.StoredInvitation[],
): Promise<store.StoredInvitation[]> {
  const pending = invitations.filter(isPending(now));
  const senders = pending.map(({ organization_id, invited_by }) => ({
    organization_id,
    user_id: invited_by,
  }));
  const memberships = await organizationStore.readMemberships(table, senders);
  const inviters = memberships.filter(({ role }) => INVITING.includes(role));
  return pending.filter(({ organization_id, invited_by }) =>
    inviters.some(found => found.organization_id === organization_id && found.user_id === invited_by),
  );
}

async function described(
  { table }: { table: Table },
  invitations: store.StoredInvitation[],
): Promise<Invitation[]> {
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
      invited_by: { name: inviter?.name ?? user.FORMER_MEMBER },
    };
    return [{ id, token: id, email, role, created_at, expires_at, ...names }];
  });
}

const unique = <T>(values: T[]) => [...new Set(values)];

type Facts = { organization: string; inviter: string; role: string; link: string };

const LONGEST_NAME = 50;

/** A name that a stranger has chosen: quoted, and too short to carry a message of theirs. */
function quoted(name: string): string {
  const characters = [...name];
  return characters.length > LONGEST_NAME ? `“${characters.slice(0, LONGEST_NAME).join('')}…”` : `“${name}”`;
}

/** The letter of an invitation. Its subject has no names, as a name could be any sentence. */
export const invitationLetter = ({ organization, inviter, role, link }: Facts) =>
  letter(`You have been invited to an organization on ${PRODUCT}`, [
    {
      paragraph: `${quoted(inviter)} has invited you to join ${quoted(organization)} on ${PRODUCT} as ${role.toLowerCase()}.`,
    },
    { link, label: 'View invitation' },
    {
      paragraph: `The invitation is valid for ${INVITATION_DAYS} days. If you did not expect it, ignore this mail.`,
    },
  ]);
