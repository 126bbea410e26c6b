import type { TableOf } from '#web/components/use-table-view.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { pageQuery } from '#web/lib/table-view.ts';
import type { TEMPLATES_VIEW } from './template-filters.tsx';

const PER_PAGE = 50;

/** A page of the templates that the filters find, with their total number. */
export function useTemplates({ view: { page, filters }, query: asked }: TableOf<typeof TEMPLATES_VIEW>) {
  // Without a language, no template can match.
  const query = filters.languages?.length === 0 ? undefined : asked;
  const options = { keepPreviousData: true };
  const rows = useOrganizationData(
    query && 'GET /api/email-templates',
    { query: { ...query, ...pageQuery(page, PER_PAGE) } },
    options,
  );
  const summary = useOrganizationData('GET /api/email-templates-summary', { query: query ?? {} }, options);
  const found = query ? summary.data?.found : 0;
  return {
    rows: query ? rows.data : [],
    found,
    total: summary.data?.total,
    languages: summary.data?.languages,
    lastPage: found === undefined ? undefined : Math.max(1, Math.ceil(found / PER_PAGE)),
    problem: rows.error ?? summary.error,
    isLoading: rows.isLoading,
    retry: () => void Promise.all([rows.mutate(), summary.mutate()]),
  };
}
