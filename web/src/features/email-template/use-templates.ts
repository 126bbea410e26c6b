import { pageQuery } from '../../lib/content-filters.ts';
import { useOrganizationData } from '../../lib/data.ts';
import type { TableView } from '../../lib/table-view.ts';
import { filterQuery, TEMPLATES_PER_PAGE } from './templates-view.ts';

/** A page of the templates that the filters find, and how many they are. */
export function useTemplates({ page, filters }: TableView) {
  const query = filterQuery(filters);
  const options = { keepPreviousData: true };
  const rows = useOrganizationData(
    query && 'GET /api/email-templates',
    { query: { ...query, ...pageQuery(page, TEMPLATES_PER_PAGE) } },
    options,
  );
  const summary = useOrganizationData('GET /api/email-templates-summary', { query: query ?? {} }, options);
  const found = query ? summary.data?.found : 0;
  return {
    rows: query ? rows.data : [],
    found,
    total: summary.data?.total,
    languages: summary.data?.languages,
    lastPage: found === undefined ? undefined : Math.max(1, Math.ceil(found / TEMPLATES_PER_PAGE)),
    problem: rows.error ?? summary.error,
    isLoading: rows.isLoading,
    retry: () => void Promise.all([rows.mutate(), summary.mutate()]),
  };
}
