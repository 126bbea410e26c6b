import { LAST_PAGE, LONGEST_SEARCH } from '../../../shared/limits.ts';
import type { TableView } from './table-view.ts';

/** As many automations as the query of a call has room for. */
export const MOST_FILTERED = 100;
const ID = /^[a-z0-9]{1,32}$/;

export const valuesOf = (text = '') => text.split(',').filter(Boolean);

/** The automations of the URL that content can be linked to. */
export const automationsOf = ({ automations }: TableView['filters']) =>
  valuesOf(automations)
    .filter(id => ID.test(id))
    .slice(0, MOST_FILTERED);

/** What assets and templates are both filtered by, as the API takes it. */
export function contentQuery(filters: TableView['filters']) {
  const search = (filters.search ?? '').trim().slice(0, LONGEST_SEARCH);
  const automations = automationsOf(filters).join(',');
  return { ...(search && { search }), ...(automations && { automations }) };
}

export const pageQuery = (page: number, per_page: number) => ({
  page: String(Math.min(page, LAST_PAGE)),
  per_page: String(per_page),
});
