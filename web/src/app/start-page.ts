import { matchPath } from 'react-router';
import type { CallInput } from '../lib/api.ts';
import type { GetRoute } from '../lib/cache-key.ts';
import { preload } from '../lib/data.ts';
import { storedOrganization } from '../lib/organization.ts';
import { paths, patterns } from '../lib/paths.ts';
import { token } from '../lib/session.ts';

/** The request that a page cannot be shown without. Its path parameters are those of the route. */
const SUBJECTS: [pattern: string, route: GetRoute][] = [
  [paths.home(), 'GET /api/attention'],
  [paths.lists(), 'GET /api/email-lists'],
  [patterns.list, 'GET /api/email-lists/{list}'],
  [patterns.listMember, 'GET /api/list-members/{listMember}'],
  [patterns.automation, 'GET /api/automations/{automation}'],
  [patterns.broadcast, 'GET /api/broadcasts/{broadcast}'],
  [patterns.sequence, 'GET /api/sequences/{sequence}'],
  [patterns.emailAsset, 'GET /api/email-assets/{emailAsset}'],
  [patterns.emailTemplate, 'GET /api/email-templates/{emailTemplate}'],
];

/** Starts the request for the first page together with those for the user and their organizations. */
export function startPage(pathname: string) {
  const organization = Number(storedOrganization());
  if (!token() || !organization) return;
  for (const [pattern, route] of SUBJECTS) {
    const match = matchPath(pattern, pathname);
    // The path of a form for a new item also matches the pattern of an item.
    if (!match || /\/new(-set)?$/.test(pathname)) continue;
    const input = pattern.includes(':') ? { params: match.params } : undefined;
    preload(route, input as CallInput<typeof route>, organization);
    return;
  }
}
