import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useLists } from '#web/entities/list/list.ts';
import { commandOf, paletteQuery, useCommands } from '#web/lib/commands.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { useDebounced } from '#web/lib/timers.ts';

const DEBOUNCE = 300;
/** Fewer characters would match too many addresses. */
const SHORTEST = 3;
/** Each list is one request, so only the largest lists are searched. */
const MOST_LISTS = 5;
const MOST_OF_LIST = 5;

type Found = { id: string; email: string; list: string };

/** Finds members whose address begins with the text in the command palette. */
export default function MemberCommands() {
  const navigate = useNavigate();
  const search = useDebounced(paletteQuery.use().trim().toLowerCase(), DEBOUNCE);
  const members = useMembersByAddress(search);
  useCommands(
    members.map(({ id, email, list }) =>
      commandOf('Members', email, list, () => navigate(paths.listMember(id)), id),
    ),
  );
  return null;
}

function useMembersByAddress(search: string): Found[] {
  const { data: lists } = useLists();
  const call = useOrganizationCall();
  const [found, setFound] = useState<Found[]>([]);

  useEffect(() => {
    setFound([]);
    if (search.length < SHORTEST || !lists) return;
    const stop = new AbortController();
    const searched = lists
      .filter(({ members_count }) => members_count > 0)
      .toSorted((a, b) => b.members_count - a.members_count)
      .slice(0, MOST_LISTS);
    for (const { id, name } of searched) {
      call('GET /api/email-lists/{list}/members', {
        params: { list: id },
        query: { search, per_page: MOST_OF_LIST },
        signal: stop.signal,
      })
        .then(({ data }) => {
          const begin = data.filter(({ email }) => email.startsWith(search));
          const more = begin.map(({ id, email }) => ({ id, email, list: name }));
          if (!stop.signal.aborted) setFound(known => [...known, ...more]);
        })
        // The palette shows its other results.
        .catch(() => undefined);
    }
    return () => stop.abort();
  }, [search, lists, call]);

  return found;
}
