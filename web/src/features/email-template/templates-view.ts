import { LANGUAGES } from '../../../../shared/email/language.ts';
import { contentQuery } from '../../lib/content-filters.ts';
import type { TableView } from '../../lib/table-view.ts';

export const TEMPLATES_PER_PAGE = 50;
export const TEMPLATE_FILTERS = ['search', 'languages', 'automations'];

/** In the URL: every language is deselected. Without the parameter all are selected, also those that are added. */
const NO_LANGUAGE = 'none';

/** The selected languages of the URL; undefined where all are. */
export function languagesOf({ languages = '' }: TableView['filters']): string[] | undefined {
  if (languages === NO_LANGUAGE) return [];
  const known = languages.split(',').filter(code => Object.hasOwn(LANGUAGES, code));
  return known.length > 0 ? known : undefined;
}

export function languagesParameter(selected: readonly string[], all: readonly string[]): string {
  if (all.every(language => selected.includes(language))) return '';
  return selected.length === 0 ? NO_LANGUAGE : selected.join(',');
}

/** The same for rows and summary; undefined where no template can match. */
export function filterQuery(filters: TableView['filters']) {
  const languages = languagesOf(filters);
  if (languages?.length === 0) return undefined;
  return { ...contentQuery(filters), ...(languages && { languages: languages.join(',') }) };
}

export const isFiltered = (filters: TableView['filters']) => {
  const query = filterQuery(filters);
  return query === undefined || Object.keys(query).length > 0;
};
