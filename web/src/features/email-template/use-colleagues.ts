import { useEffect, useState } from 'react';
import type { Member } from '#shared/member.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';

/** All members of the organization. */
export function useColleagues() {
  const organization = useOrganization()?.id;
  const call = useOrganizationCall();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ members?: Member[]; problem?: unknown }>({});

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads them anew
  useEffect(() => {
    const stop = new AbortController();
    async function load() {
      const params = { organization: String(organization) };
      const members: Member[] = [];
      const cursors = new Set<string>();
      for (let cursor: string | null | undefined; ; ) {
        const page = await call('GET /api/organizations/{organization}/members', {
          params,
          query: cursor ? { cursor } : {},
          signal: stop.signal,
        });
        members.push(...page.members);
        cursor = page.next_cursor;
        // A repeated cursor would make an endless loop.
        if (!cursor || cursors.has(cursor)) break;
        cursors.add(cursor);
      }
      if (!stop.signal.aborted) setLoaded({ members });
    }
    load().catch(problem => stop.signal.aborted || setLoaded({ problem }));
    return () => stop.abort();
  }, [attempt, organization, call]);

  return {
    ...loaded,
    retry: () => {
      setLoaded({});
      setAttempt(attempt + 1);
    },
  };
}
