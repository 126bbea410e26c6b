import type { Role } from './organization.ts';

const EVERY_ROLE = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

/** The roles that have each right in an organization. The API refuses by this table, and the web hides controls by it. */
export const ACTIONS = {
  'organization:read': EVERY_ROLE,
  'organization:edit': MANAGERS,
  'organization:delete': OWNER,
  'members:read': EVERY_ROLE,
  'members:invite': MANAGERS,
  'members:edit': MANAGERS,
  'members:remove': MANAGERS,
  'invitations:read': MANAGERS,
  'invitations:cancel': MANAGERS,
  'lists:read': EVERY_ROLE,
  'lists:edit': EVERY_ROLE,
  'sending-key:edit': MANAGERS,
  'list-members:read': EVERY_ROLE,
  'list-members:edit': EVERY_ROLE,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

export const may = (role: Role, action: Action) => (ACTIONS[action] as readonly Role[]).includes(role);

/** Nobody edits or removes the owner, nor their own entry. */
export const mayTouch = (actor: { id: string; role: Role }, member: { id: string; role: Role }) =>
  may(actor.role, 'members:edit') && member.role !== 'OWNER' && member.id !== actor.id;
