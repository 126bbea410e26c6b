import type { EmailList } from '#shared/list.ts';
import { useCachedData, useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';
import { useCounted } from './just-added.ts';

export const LIST = {
  noun: 'list',
  nameOf: ({ name }) => name,
  home: paths.lists(),
  one: 'GET /api/email-lists/{list}',
  rows: 'GET /api/email-lists',
  put: 'PUT /api/email-lists/{list}',
  remove: 'DELETE /api/email-lists/{list}',
  paramsOf: list => ({ list }),
  activeField: 'active',
  texts: {
    missing: 'Email list not found',
    notLoaded: 'Failed to fetch email list details',
    switched: ({ name }, active) =>
      active ? `${name} is active.` : `${name} is inactive: nothing is sent to it.`,
    switchedAll: (count, active) =>
      `${formatNumber(count)} lists are ${active ? 'active' : 'inactive: nothing is sent to them'}.`,
    notSwitched: problem => serverMessageOr(problem, 'Failed to update list. Please try again'),
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Pick<EmailList, 'id' | 'name'>, 'GET /api/email-lists/{list}'>;

export const useLists = () => useOrganizationData('GET /api/email-lists');

/** Programs add members at any time, so the counts are polled while a list is shown. */
const POLL_INTERVAL = 10_000;

/** The list of a page. */
export const useList = (id: string, { pollCounts = false } = {}) =>
  useCounted(useEntity(LIST, id, { refreshInterval: pollCounts ? POLL_INTERVAL : 0 }).data);

/** A list from the cache of the table, if that was loaded. */
export const useKnownList = (id: string) =>
  useCachedData('GET /api/email-lists')?.find(list => list.id === id);
