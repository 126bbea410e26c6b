import { PARTS } from '../../../../shared/email/content.ts';
import type { TableView } from '../../lib/table-view.ts';

export const ASSETS_PER_PAGE = 50;
export const ASSET_FILTERS = ['search', 'types', 'status', 'automations'];

/** As many as the query of a call has room for. */
export const MOST_FILTERED = 100;
const LONGEST_SEARCH = 254;
// The API takes no greater number.
const LAST_PAGE = 1_000_000;
const ID = /^[a-z0-9]{1,32}$/;

const valuesOf = (text = '') => text.split(',').filter(Boolean);

export const typesIn = ({ types }: TableView['filters']) =>
  valuesOf(types).filter(type => Object.hasOwn(PARTS, type));

export const automationsIn = ({ automations }: TableView['filters']) =>
  valuesOf(automations)
    .filter(id => ID.test(id))
    .slice(0, MOST_FILTERED);

export const assetStatusOf = ({ status }: TableView['filters']): 'active' | 'inactive' | undefined =>
  status === 'active' || status === 'inactive' ? status : undefined;

/** The filters of the URL, as the API takes them. */
function filterQuery(filters: TableView['filters']) {
  const search = (filters.search ?? '').trim().slice(0, LONGEST_SEARCH);
  const types = typesIn(filters).join(',');
  const status = assetStatusOf(filters);
  const automations = automationsIn(filters).join(',');
  return {
    ...(search && { search }),
    ...(types && { types }),
    ...(status && { status }),
    ...(automations && { automations }),
  };
}

export const assetsQuery = ({ page, filters }: TableView) => ({
  ...filterQuery(filters),
  page: String(Math.min(page, LAST_PAGE)),
  per_page: String(ASSETS_PER_PAGE),
});

export const hasFilters = ({ filters }: TableView) => Object.keys(filterQuery(filters)).length > 0;
