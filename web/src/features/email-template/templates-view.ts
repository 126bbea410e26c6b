import { LANGUAGES } from '../../../../shared/email/language.ts';
import type { TableView } from '../../lib/table-view.ts';

export const TEMPLATES_PER_PAGE = 50;
export const TEMPLATE_FILTERS = ['search', 'languages', 'automations'];

/** As many as the query of a call has room for. */
export const MOST_AUTOMATIONS = 100;
const LONGEST_SEARCH = 254;
const ID = /^[a-z0-9]{1,32}$/;

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

export const automationsOf = ({ automations = '' }: TableView['filters']): string[] =>
  automations
    .split(',')
    .filter(id => ID.test(id))
    .slice(0, MOST_AUTOMATIONS);

type Filters = Partial<Record<'search' | 'languages' | 'automations', string>>;

/** The same for rows and summary; undefined where no template can match. */
export function filterQuery(filters: TableView['filters']): Filters | undefined {
  const languages = languagesOf(filters);
  if (languages?.length === 0) return undefined;
  const search = (filters.search ?? '').trim().slice(0, LONGEST_SEARCH);
  const automations = automationsOf(filters).join(',');
  return {
    ...(search && { search }),
    ...(languages && { languages: languages.join(',') }),
    ...(automations && { automations }),
  };
}

export const isFiltered = (filters: TableView['filters']) => {
  const query = filterQuery(filters);
  return query === undefined || Object.keys(query).length > 0;
};
