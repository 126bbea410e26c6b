import * as domainCheck from '#core/list/domain-check.ts';
import * as identity from '#core/list/identity.ts';
import * as tracking from '#core/list/tracking-domain.ts';
import { domainCheckRoutes } from '#shared/domain-check.ts';
import { identityRoutes } from '#shared/identity.ts';
import { list } from '../http/path-params.ts';
import { serve } from '../http/serve.ts';
import { dns } from '../platform/dns.ts';
import { described, log } from '../platform/log.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { trackingDomains } from '../platform/tracking-domains.ts';
import { domains } from '../providers/ses/account.ts';

const needs = {
  table,
  dns,
  domains,
  trackingDomains,
  get publicUrl() {
    return env('PUBLIC_URL');
  },
  get place() {
    return { target: env('TRACKING_TARGET'), publicUrl: env('PUBLIC_URL') };
  },
  failed: (what: string, error: unknown) => log.error(what, { error: described(error) }),
};

export const handler = serve(
  { ...identityRoutes, ...domainCheckRoutes },
  {
    'GET /api/email-lists/{list}/ses-identity': ({ list }) => identity.shown({ table }, list),
    'POST /api/email-lists/{list}/ses-identity': ({ list, user, by, now }) =>
      identity.claim({ ...needs, now, user, by }, list),
    'POST /api/email-lists/{list}/ses-identity/check': ({ list, now }) =>
      identity.check({ ...needs, now }, list),
    'DELETE /api/email-lists/{list}/ses-identity': ({ list, user, by, now }) =>
      identity.release({ ...needs, now, user, by }, list.organization_id, list.domain),
    'GET /api/email-lists/{list}/domain-check': async ({ list, now }) => {
      // Once an hour, as its links are dead without their record: new ones have the address of the stage then.
      const isTracked = tracking.activeDomain(list) !== undefined && !domainCheck.isChecked(list, now);
      if (isTracked) await tracking.check({ ...needs, now }, list);
      return domainCheck.shown({ ...needs, now }, list);
    },
    'POST /api/email-lists/{list}/domain-check': ({ list, body, now }) =>
      domainCheck.check({ ...needs, now }, list, body.dkim),
    'GET /api/email-lists/{list}/tracking-domain': async ({ list }) => tracking.shown(needs.place, list),
    'POST /api/email-lists/{list}/tracking-domain': ({ list, body, user, by, now }) =>
      tracking.claim({ ...needs, now, user, by }, list, body.domain),
    'POST /api/email-lists/{list}/tracking-domain/check': ({ list, now }) =>
      tracking.check({ ...needs, now }, list),
    'DELETE /api/email-lists/{list}/tracking-domain': ({ list, user, by, now }) =>
      tracking.release({ ...needs, now, user, by }, list),
  },
  { list },
);
