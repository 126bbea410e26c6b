import { compileLayout } from '#core/content/layout.ts';
import * as looks from '#core/content/look.ts';
import { type Look, lookRoutes, type NewLook } from '#shared/look.ts';
import { list } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { table } from '../platform/table.ts';

const compiled = async (organization: number, look: NewLook | null): Promise<Look | null> => {
  if (!look) return null;
  const { layout, ...rest } = look;
  return layout ? { ...rest, layout: await compileLayout(organization, layout) } : rest;
};

export const handler = serveBoth(
  lookRoutes,
  {
    'POST /api/layout-check': ({ active, body }) => compileLayout(active.organization.id, body),
    'GET /api/look': ({ active }) => looks.ofOrganization({ table }, active.organization),
    'PUT /api/look': async ({ active: { organization }, body, user, by, now }) => {
      const look = await compiled(organization.id, body.look);
      return looks.changeOfOrganization({ table, now, user, by }, organization, look);
    },
    'GET /api/email-lists/{list}/look': ({ active, list }) =>
      looks.ofList({ table }, active.organization, list),
    'PUT /api/email-lists/{list}/look': async ({ active: { organization }, list, body, user, by, now }) => {
      const look = await compiled(organization.id, body.look);
      return looks.changeOfList({ table, now, user, by }, organization, list, look);
    },
  },
  { list },
);
