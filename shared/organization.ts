import * as z from 'zod/mini';

export const ROLES = ['OWNER', 'ADMIN', 'USER'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const Organization = z.object({
  id: z.int(),
  name: z.string(),
  logo: z.nullable(z.string()),
  active: z.boolean(),
  is_default: z.boolean(),
  role: Role,
});
export type Organization = z.infer<typeof Organization>;
