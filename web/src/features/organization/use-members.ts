import { useRef, useState } from 'react';
import type { Members } from '#shared/member.ts';
import type { Organization } from '#shared/organization.ts';
import { api } from '#web/lib/api.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';

const ROUTE = 'GET /api/organizations/{organization}/members';

/** The members of the active organization, with as many pages as were requested, and its pending invitations. */
export function useMembers({ id }: Organization) {
  const pages = useRef(1);
  const [loadingMore, setLoadingMore] = useState(false);
  const input = { params: { organization: String(id) } };
  const fetcher = () => loadMembers(id, pages.current);
  const { data, error, mutate } = useOrganizationData(ROUTE, input, { fetcher });

  async function showMore() {
    pages.current++;
    setLoadingMore(true);
    await mutate();
    setLoadingMore(false);
  }

  const failure = serverMessageOr(error, 'Failed to load organization members');
  return { data, error, mutate, failure, showMore, loadingMore };
}

export type MembersData = ReturnType<typeof useMembers>;

async function loadMembers(organization: number, pages: number): Promise<Members> {
  const input = organizationInput(organization);
  const loaded = await api(ROUTE, input);
  for (let page = 1; page < pages && loaded.next_cursor; page++) {
    const next = await api(ROUTE, { ...input, query: { cursor: loaded.next_cursor } });
    loaded.members.push(...next.members);
    loaded.next_cursor = next.next_cursor;
  }
  return loaded;
}
