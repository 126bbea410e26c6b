/** The roles, highest first. */
export const ROLES = ['OWNER', 'ADMIN', 'USER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];
/** The roles that can be given: the owner of an organization is the user who created it. */
export const ASSIGNABLE_ROLES = ['ADMIN', 'USER', 'VIEWER'] as const;

const EDITORS = ['OWNER', 'ADMIN', 'USER'] as const;
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const OWNER = ['OWNER'] as const;

/** The API checks rights with this table, and the web client hides controls with it. */
export const ACTIONS = {
  'organization:edit': MANAGERS,
  'organization:delete': OWNER,
  'members:read': ROLES,
  'members:invite': MANAGERS,
  'members:edit': MANAGERS,
  'members:remove': MANAGERS,
  'invitations:read': MANAGERS,
  'invitations:cancel': MANAGERS,
  'lists:read': ROLES,
  'lists:edit': EDITORS,
  'sending-key:edit': MANAGERS,
  'warm-up:end': OWNER,
  'webhooks:edit': MANAGERS,
  'list-members:read': ROLES,
  'list-members:edit': EDITORS,
  'recipients:erase': MANAGERS,
  'recipients:suppress': MANAGERS,
  'record:read': MANAGERS,
  'automations:read': ROLES,
  'automations:edit': EDITORS,
  'content:read': ROLES,
  'content:edit': EDITORS,
  'sends:read': ROLES,
  'sends:resend': MANAGERS,
  'reports:read': ROLES,
  'value:post': EDITORS,
  'safeguards:read': ROLES,
  'safeguards:edit': MANAGERS,
  'guard:edit': OWNER,
  'currency:edit': OWNER,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

/** What an API token can be allowed, with the roles that may have such a token. */
export const SCOPES = {
  read: ROLES,
  contacts: EDITORS,
  content: EDITORS,
  automations: EDITORS,
  sending: EDITORS,
} as const satisfies Record<string, readonly Role[]>;
export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/** The actions of each scope. What is in none takes no API token. */
// biome-ignore format: a table
export const SCOPED = {
  read: ['lists:read', 'list-members:read', 'record:read', 'automations:read', 'content:read', 'sends:read', 'reports:read', 'safeguards:read'],
  contacts: ['lists:edit', 'list-members:edit', 'webhooks:edit', 'value:post', 'recipients:erase', 'recipients:suppress'],
  content: ['content:edit'],
  automations: ['automations:edit'],
  sending: ['organization:edit', 'safeguards:edit', 'guard:edit', 'currency:edit', 'warm-up:end', 'sends:resend'],
} as const satisfies Record<Scope, readonly Action[]>;

export const mayHave = (role: Role, scope: Scope) => (SCOPES[scope] as readonly Role[]).includes(role);

export const may = (role: Role, action: Action) => (ACTIONS[action] as readonly Role[]).includes(role);

/** Whether a member may edit or remove another one: nobody may edit or remove the owner, nor themselves. */
export const mayTouch = (actor: { id: string; role: Role }, member: { id: string; role: Role }) =>
  may(actor.role, 'members:edit') && member.role !== 'OWNER' && member.id !== actor.id;
