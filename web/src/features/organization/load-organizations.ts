import { ORGANIZATIONS_PAGE } from '#shared/limits.ts';
import type { Organization } from '#shared/organization.ts';
import { api } from '#web/lib/api.ts';

/** All organizations of the user, page by page: the default one first, then in the order they were created. */
export async function loadOrganizations(): Promise<Organization[]> {
  const all: Organization[] = [];
  for (let page = await api('GET /api/organizations'); ; ) {
    all.push(...page);
    if (page.length < ORGANIZATIONS_PAGE) break;
    const after = String(Math.max(...page.map(({ id }) => id)));
    page = await api('GET /api/organizations', { query: { after } });
  }
  return all.sort((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id);
}
