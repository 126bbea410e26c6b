import { useLocation, useSearchParams } from 'react-router';
import { type MembersPage, PAGE_SIZES } from '../../../../shared/list-member.ts';
import { changeView, readView, type ViewChange } from '../../lib/table-view.ts';
import { type Place, placeOf, placeOfPage } from './place.ts';

export type PageSize = (typeof PAGE_SIZES)[number];

const STORED = 'membersPageSize';
const DEFAULTS = { filters: ['search', 'per_page'] };

/** Which members are shown. It lives in the address; where their page begins, in the history beside it. */
export function useMembersView() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const place = placeOf(state);
  const view = readView(params, DEFAULTS);
  const { search = '', per_page = '' } = view.filters;
  const perPage = sizeOf(per_page) ?? sizeOf(localStorage.getItem(STORED)) ?? PAGE_SIZES[0];

  const change = (wanted: ViewChange, at?: Place) =>
    setParams(current => changeView(current, DEFAULTS, wanted), {
      replace: wanted.filters !== undefined,
      preventScrollReset: true,
      state: at ?? null,
    });

  return {
    search,
    perPage,
    // Where a page of a search begins is known only to whoever came there page by page.
    page: search && !place ? 1 : view.page,
    cursor: place?.cursor,
    find: (wanted: string) => change({ filters: { search: wanted } }),
    turn: (page: number, shown: MembersPage | undefined) => change({ page }, placeOfPage(page, shown, place)),
    resize(size: PageSize) {
      localStorage.setItem(STORED, String(size));
      change({ filters: { per_page: String(size) } });
    },
  };
}

export const sizeOf = (text: string | null): PageSize | undefined =>
  PAGE_SIZES.find(size => String(size) === text);
