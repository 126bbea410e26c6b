import type { Role } from '../../../../shared/organization.ts';

export const ROLE_NAMES: Record<Role, string> = { OWNER: 'Owner', ADMIN: 'Admin', USER: 'User' };
