import * as identity from '#core/list/identity.ts';
import { identityRoutes } from '#shared/identity.ts';
import { list } from '../http/path-params.ts';
import { serve } from '../http/serve.ts';
import { dns } from '../platform/dns.ts';
import { described, log } from '../platform/log.ts';
import { table } from '../platform/table.ts';
import { domains } from '../providers/ses/account.ts';

const needs = {
  table,
  dns,
  domains,
  failed: (what: string, error: unknown) => log.error(what, { error: described(error) }),
};

export const handler = serve(
  identityRoutes,
  {
    'GET /api/email-lists/{list}/ses-identity': ({ list }) => identity.shown({ table }, list),
    'POST /api/email-lists/{list}/ses-identity': ({ list, now }) => identity.claim({ ...needs, now }, list),
    'POST /api/email-lists/{list}/ses-identity/check': ({ list, now }) =>
      identity.check({ ...needs, now }, list),
    'DELETE /api/email-lists/{list}/ses-identity': ({ list }) =>
      identity.release(needs, list.organization_id, list.domain),
  },
  { list },
);
