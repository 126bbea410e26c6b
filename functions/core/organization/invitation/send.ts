import * as user from '#core/account/user.store.ts';
import type { Mailer } from '#core/mail.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { newSecret, sha256 } from '#core/secret.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, LostRace } from '#core/storage/write.store.ts';
import { INVITATION_DAYS, type Invitation } from '#shared/invitation.ts';
import type { AssignableRole } from '#shared/organization.ts';
import { DAY } from '#shared/time.ts';
import * as organizationStore from '../organization.store.ts';
import * as organization from '../organization.ts';
import { invitationLetter } from './invitation.mail.ts';
import * as store from './invitation.store.ts';
import { mailWrites, refusalOf } from './mails.ts';
import { described, isPending } from './shown.ts';

type Needs = { table: Table; now: Date };

const MOST_PENDING = 100;

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
  if (!sent) throw organization.organizationGone();
  const { organization: of, invited_by } = sent;
  const facts = { organization: of.name, inviter: invited_by.name, role, link: needs.linkTo(secret) };
  await mailer.send(email, invitationLetter(facts));
  return sent;
}

/** Stores the invitation before it is mailed, so that no refused invitation is mailed. */
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
  while (!(await insert({ table, now }, invitation, before))) {
    if (await makeRoom({ table, now }, organization_id)) continue;
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
    await commit(table, [alive, ...Object.values(sent), ...mailCounts]);
    return true;
  } catch (error) {
    if (!(error instanceof LostRace)) throw error;
    if (error.isOf(alive)) throw organization.organizationGone();
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
