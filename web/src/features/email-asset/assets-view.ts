import { PARTS } from '../../../../shared/email/content.ts';
import { contentQuery, pageQuery, valuesOf } from '../../lib/content-filters.ts';
import type { TableView } from '../../lib/table-view.ts';

export const ASSETS_PER_PAGE = 50;
export const ASSET_FILTERS = ['search', 'types', 'status', 'automations'];

export const typesIn = ({ types }: TableView['filters']) =>
  valuesOf(types).filter(type => Object.hasOwn(PARTS, type));

export const assetStatusOf = ({ status }: TableView['filters']): 'active' | 'inactive' | undefined =>
  status === 'active' || status === 'inactive' ? status : undefined;

/** The filters of the URL, as the API takes them. */
function filterQuery(filters: TableView['filters']) {
  const types = typesIn(filters).join(',');
  const status = assetStatusOf(filters);
  return { ...contentQuery(filters), ...(types && { types }), ...(status && { status }) };
}

export const assetsQuery = ({ page, filters }: TableView) => ({
  ...filterQuery(filters),
  ...pageQuery(page, ASSETS_PER_PAGE),
});

export const hasFilters = ({ filters }: TableView) => Object.keys(filterQuery(filters)).length > 0;
