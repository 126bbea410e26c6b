import { matchPath } from 'react-router';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { startEarly } from '../lib/data.ts';
import { storedOrganization } from '../lib/organization.ts';
import { paths, patterns } from '../lib/paths.ts';
import { token } from '../lib/session.ts';

type Subject = { pattern: string; route: GetRoute; inputOf?: (params: Record<string, string>) => object };
const about = (pattern: string, route: GetRoute, inputOf?: Subject['inputOf']): Subject => ({
  pattern,
  route,
  ...(inputOf && { inputOf }),
});

/** What a page is about: the response without which it shows nothing. */
const SUBJECTS = [
  about(paths.home(), 'GET /api/email-lists'),
  about(paths.lists(), 'GET /api/email-lists'),
  about(patterns.list, 'GET /api/email-lists/{list}', ({ list }) => ({ params: { list } })),
  about(patterns.listMember, 'GET /api/list-members/{listMember}', ({ member }) => ({
    params: { listMember: member },
  })),
  about(patterns.automation, 'GET /api/automations/{automation}', ({ automation }) => ({
    params: { automation },
  })),
  about(patterns.emailAsset, 'GET /api/email-assets/{emailAsset}', ({ asset }) => ({
    params: { emailAsset: asset },
  })),
  about(patterns.emailTemplate, 'GET /api/email-templates/{emailTemplate}', ({ template }) => ({
    params: { emailTemplate: template },
  })),
];

/** Asks for what the first page is about, together with the user and their organizations. */
export function startPage(pathname: string) {
  const organization = Number(storedOrganization());
  if (!token() || !organization) return;
  for (const { pattern, route, inputOf } of SUBJECTS) {
    const match = matchPath(pattern, pathname);
    // The paths of new ones are like the path of one that is called so.
    if (!match || pathname.endsWith('/new')) continue;
    startEarly(
      route,
      inputOf?.(match.params as Record<string, string>) as CallInput<typeof route>,
      organization,
    );
    return;
  }
}
