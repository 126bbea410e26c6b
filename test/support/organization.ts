import * as organizations from '#core/organization/organization.ts';
import { needsOf } from './items.ts';
import { newMember, type Person } from './member.ts';
import type { Stack } from './stack.ts';

type Role = 'ADMIN' | 'USER' | 'VIEWER';

export async function newOrganization(stack: Stack, { id }: Person, name = 'Depot'): Promise<number> {
  return (await organizations.create(await needsOf(stack), id, name)).id;
}

export async function invite(
  stack: Stack,
  { token }: Person,
  organization: number,
  email: string,
  role: Role = 'USER',
): Promise<string> {
  const { body } = await stack.call('POST /api/organizations/{organization}/members', {
    token,
    params: { organization: String(organization) },
    body: { email, role },
  });
  return body.token;
}

/** The path of the newest invitation in an email to an address. Its secret must not be logged. */
export async function mailedInvitation(stack: Stack, email: string): Promise<string> {
  const [mail] = await stack.inbox(email);
  const [path = '', secret = ''] = /\/invitations\/accept\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
  stack.mustNotBeLogged(secret);
  return path;
}

export async function join(
  stack: Stack,
  owner: Person,
  organization: number,
  guest: Person,
  role?: Role,
): Promise<void> {
  const token = await invite(stack, owner, organization, guest.email, role);
  await stack.call('POST /api/invitations/accept/{token}', { token: guest.token, params: { token } });
}

export async function newTeam(stack: Stack) {
  const [owner, user, admin] = [await newMember(stack), await newMember(stack), await newMember(stack)];
  await join(stack, owner, owner.home.id, user);
  await join(stack, owner, owner.home.id, admin, 'ADMIN');
  return { organization: owner.home.id, user, admin };
}

/** Switches an organization off: otherwise it would send when other tests move the clock. */
export async function switchOff(
  stack: Stack,
  { token, organization }: { token: string; organization: number },
): Promise<void> {
  const params = { organization: String(organization) };
  const { status, text } = await stack.call('PUT /api/organizations/{organization}', {
    token,
    organization,
    params,
    body: { active: false },
  });
  if (status !== 200) throw new Error(text);
}
