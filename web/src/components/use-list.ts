import { useOrganizationData } from '../lib/data.ts';
import { paths } from '../lib/paths.ts';
import { useLeaveMissing } from './use-leave-missing.ts';

const ROUTE = 'GET /api/email-lists/{list}';

export const LIST_MISSING = 'Email list not found';

/** Programs add members at any time, so the counts are polled while a list is shown. */
const POLL_INTERVAL = 10_000;

/** The list of a page. Only the page calls this, so that a missing list is left once. */
export function useList(id: string, { pollCounts = false } = {}) {
  const input = { params: { list: id } };
  const response = useOrganizationData(ROUTE, input, { refreshInterval: pollCounts ? POLL_INTERVAL : 0 });
  useLeaveMissing(paths.lists(), {
    route: ROUTE,
    input,
    response,
    noun: 'list',
    missing: LIST_MISSING,
    failed: 'Failed to fetch email list details',
  });
  return response.data;
}
