import * as z from 'zod/mini';
import { Currency } from './currency.ts';
import { NOT_AN_IMAGE } from './limits.ts';
import { ASSIGNABLE_ROLES, ROLES } from './permissions.ts';
import { MOST_LOGO_REQUEST_BYTES, type RouteTable } from './route.ts';
import { line } from './text.ts';
import { ZoneOfBrowser } from './time-fields.ts';

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const AssignableRole = z.enum(ASSIGNABLE_ROLES, { error: 'Role must be Admin, User or Viewer' });
export type AssignableRole = z.infer<typeof AssignableRole>;

export const Organization = z.object({
  id: z.int(),
  name: z.string(),
  logo: z.nullable(z.string()),
  active: z.boolean(),
  is_default: z.boolean(),
  role: Role,
  /** Of all values; null until the owner sets one. */
  currency: z.nullable(z.string()),
});
export type Organization = z.infer<typeof Organization>;

const OrganizationsQuery = z.object({
  after: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/, 'after must be the number of an organization')),
      z.transform(Number),
    ),
  ),
});

const LONGEST_NAME = 100;
const Name = line('Name is required', 'Name', LONGEST_NAME);

export const NewOrganization = z.object({ name: Name, time_zone: ZoneOfBrowser });
export const OrganizationChange = z.object({
  name: z.optional(Name),
  active: z.optional(z.boolean({ error: 'Active must be true or false' })),
  /** Only the owner sets it. Values that were reported before are not converted. */
  currency: z.optional(Currency),
});
export type OrganizationChange = z.infer<typeof OrganizationChange>;

const LogoChange = z.object({ logo: z.nullable(z.string({ error: NOT_AN_IMAGE })) });

// biome-ignore format: a table of routes
export const organizationRoutes = {
  'GET /api/organizations': { id: 'listOrganizations', permission: 'session', beforeTerms: true,
    query: OrganizationsQuery, answer: z.array(Organization),
    summary: 'A page of the organizations of the user who is signed in, by number' },
  'POST /api/organizations': { id: 'createOrganization', permission: 'session',
    body: NewOrganization, status: 201, answer: Organization,
    summary: 'Create an organization' },
  'PUT /api/organizations/{organization}': { id: 'updateOrganization', v1: true, permission: 'organization:edit',
    body: OrganizationChange, answer: Organization,
    summary: 'Rename, activate or deactivate an organization' },
  'DELETE /api/organizations/{organization}': { id: 'deleteOrganization', permission: 'organization:delete',
    summary: 'Delete an organization with all that belongs to it' },
  'PUT /api/organizations/{organization}/logo': { id: 'setOrganizationLogo', v1: true, permission: 'organization:edit', scope: 'content',
    body: LogoChange, mostBytes: MOST_LOGO_REQUEST_BYTES, answer: Organization,
    summary: 'Set or remove the logo of an organization' },
} as const satisfies RouteTable;
