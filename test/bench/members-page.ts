import type { ListMembersPage } from '#shared/list-member.ts';
import type { Customer } from './customer.ts';
import type { Product } from './product.ts';
import type { Line, Section } from './report.ts';

const MEMBERS = 'GET /api/email-lists/{list}/members';
const PER_PAGE = [10, 100];
const MOST_REQUESTS = 3;
const FARTHEST = 100_000;

/** What a page of a large list uses, with the requests of the session. */
export async function readingPages(product: Product, customer: Customer, members: number): Promise<Section> {
  const input = (query: Query) => ({
    caller: customer.web,
    params: { list: customer.list },
    query: query as Record<string, string>,
  });
  const read = (query: Query) => product.call(MEMBERS, input(query));
  async function lines(what: string, query: Query, budget?: number): Promise<Line[]> {
    const used = await product.usingOfCall(MEMBERS, input(query));
    return [
      { what: `${what}: table requests`, measured: used?.requests, ...(budget !== undefined && { budget }) },
      { what: `${what}: read units`, measured: used?.read_units },
    ];
  }

  const measured: Line[] = [];
  for (const perPage of PER_PAGE) {
    for (const [name, query] of await queriesOf(read, members, perPage)) {
      measured.push(...(await lines(`${name}, ${perPage} a page`, query, MOST_REQUESTS)));
    }
  }
  const [perPage = 10] = PER_PAGE;
  // As far as a page may be from the nearer end to be opened without a cursor: functions/core/list/list-member/pages.ts
  const page = Math.min(Math.ceil(members / perPage / 2), FARTHEST / perPage);
  const far = { page: String(page), per_page: String(perPage) };
  const text = { search: 'no-match@', per_page: String(perPage) };
  const status = { status: 'unsubscribed', per_page: String(perPage) };
  const { searched } = await read(text);
  return {
    title: `A page of ${members.toLocaleString('en-US')} members`,
    lines: [
      ...measured,
      ...(await lines(
        `one call of a search, ${searched?.members.toLocaleString('en-US')} members read`,
        text,
      )),
      ...(await lines('one call of a filter that finds nobody', status)),
      ...(await lines(`page ${page.toLocaleString('en-US')}, opened directly`, far)),
    ],
  };
}

type Query = {
  page?: string;
  per_page: string;
  cursor?: string;
  search?: string;
  status?: string;
  direction?: string;
};

/** The queries of the web app: next and previous page with the cursor of the page that is shown. */
async function queriesOf(
  read: (query: Query) => Promise<ListMembersPage>,
  members: number,
  perPage: number,
): Promise<[string, Query][]> {
  const per_page = String(perPage);
  const at = (page: number, cursor: string | null): Query => {
    if (cursor === null) throw new Error('There is no such page');
    return { page: String(page), per_page, cursor };
  };
  const lastPage = Math.ceil(members / perPage);
  const first = await read({ per_page });
  const second = await read(at(2, first.next_cursor));
  const third = await read(at(3, second.next_cursor));
  return [
    ['first page', { per_page }],
    ['next page', at(3, second.next_cursor)],
    ['previous page', at(2, third.previous_cursor)],
    ['previous page, back to the first', at(1, second.previous_cursor)],
    ['last page', { page: String(lastPage), per_page }],
    ['first page, by descending address', { per_page, direction: 'desc' }],
  ];
}
