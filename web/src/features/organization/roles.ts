import type { Role } from '#shared/organization.ts';
import { ASSIGNABLE_ROLES } from '#shared/permissions.ts';

export const ROLE_NAMES: Record<Role, string> = { OWNER: 'Owner', ADMIN: 'Admin', USER: 'User' };

export const ROLE_OPTIONS = ASSIGNABLE_ROLES.map(role => ({ value: role, label: ROLE_NAMES[role] }));
