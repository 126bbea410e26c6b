import type { Role } from './organization.ts';

const EVERYBODY = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

/** Which roles may do what within an organization: read by the API, which refuses, and by the web, which hides. */
export const ACTIONS = {
  'organization:read': EVERYBODY,
  'organization:edit': MANAGERS,
  'organization:delete': OWNER,
  'members:read': EVERYBODY,
  'members:invite': MANAGERS,
  'members:edit': MANAGERS,
  'members:remove': MANAGERS,
  'invitations:read': MANAGERS,
  'invitations:cancel': MANAGERS,
  'lists:read': EVERYBODY,
  'lists:edit': EVERYBODY,
  'sending-key:edit': MANAGERS,
  'list-members:read': EVERYBODY,
  'list-members:edit': EVERYBODY,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

export const may = (role: Role, action: Action) => (ACTIONS[action] as readonly Role[]).includes(role);

/** Nobody edits or removes the owner, nor their own entry. */
export const mayTouch = (actor: { id: string; role: Role }, member: { id: string; role: Role }) =>
  may(actor.role, 'members:edit') && member.role !== 'OWNER' && member.id !== actor.id;
