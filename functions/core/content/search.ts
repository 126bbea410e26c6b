import { CONTENT_PAGE } from '#shared/content-query.ts';
import type { Head } from './content.store.ts';

type Filters = {
  search?: string | undefined;
  status?: 'active' | 'inactive' | undefined;
  automations?: string[] | undefined;
};

/** The content that the search and the filters find. With several automations, content of any of them. */
export function matching<H extends Head>(
  heads: H[],
  { search = '', status, automations = [] }: Filters,
  textsOf: (head: H) => string[],
): H[] {
  const wanted = search.trim().toLowerCase();
  return heads.filter(
    head =>
      (!wanted || textsOf(head).some(text => text.toLowerCase().includes(wanted))) &&
      (!status || head.is_active === (status === 'active')) &&
      (automations.length === 0 || automations.some(id => head.automation_ids?.has(id))),
  );
}

type Dated = Pick<Head, 'id' | 'created_at'>;

export const newestFirst = (a: Dated, b: Dated): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1;

type Paging = { page?: number | undefined; per_page?: number | undefined };

/** A page of rows. A page beyond the last one is empty. */
export function pageOf<R>(rows: R[], { page = 1, per_page = CONTENT_PAGE }: Paging) {
  const from = (page - 1) * per_page;
  return {
    rows: rows.slice(from, from + per_page),
    current_page: page,
    last_page: Math.max(1, Math.ceil(rows.length / per_page)),
  };
}
