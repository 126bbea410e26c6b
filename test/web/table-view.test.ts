import { expect, it } from 'vitest';
import { day, ids, oneOf, severalOf, someOf, text } from '#web/lib/filters.ts';
import { changeView, chooseSort, pageQuery, queryOf, readView } from '#web/lib/table-view.ts';

const KINDS = { head: 'Head', foot: 'Foot' };
const filters = {
  search: text,
  kinds: severalOf(KINDS),
  status: oneOf(['on', 'off']),
  size: oneOf([10, 25]),
  languages: someOf({ de: '', en: '' }),
  automations: ids,
};
const defaults = { sorts: ['name', 'sent'], filters };
const parameters = (text: string) => new URLSearchParams(text);
const changed = (text: string, change: Parameters<typeof changeView>[2]) =>
  changeView(parameters(text), defaults, change).toString();

it('without parameters, the view has its defaults', () => {
  expect(readView(parameters(''), defaults)).toEqual({
    page: 1,
    sort: 'name',
    direction: 'asc',
    filters: {
      search: '',
      kinds: [],
      status: undefined,
      size: undefined,
      languages: undefined,
      automations: [],
    },
  });
});

it.each(['0', '-1', '1.5', 'x', '1e99', ''])('page %j is the first page', page => {
  expect(readView(parameters(`page=${page}`), defaults).page).toBe(1);
});

it('an unknown sort or direction becomes the default', () => {
  expect(readView(parameters('sort=__proto__'), defaults).sort).toBe('name');
  expect(readView(parameters('sort=odd&direction=up'), defaults)).toMatchObject({
    sort: 'name',
    direction: 'asc',
  });
});

it('filters are read by their kind, and what is unknown is dropped', () => {
  const all = `automations=${Array(150).fill('a1b2c3d4e5f6').join(',')}`;
  const read = (query: string) => readView(parameters(query), defaults).filters;
  expect(read('search=ada%20&kinds=foot,odd,__proto__&status=odd&size=25&languages=xx,en')).toMatchObject({
    search: 'ada ',
    kinds: ['foot'],
    status: undefined,
    size: 25,
    languages: ['en'],
  });
  expect(read('status=off&size=11&automations=a1,../x,,B2&languages=xx')).toMatchObject({
    status: 'off',
    size: undefined,
    languages: undefined,
    automations: ['a1'],
  });
  expect(read(all).automations).toHaveLength(100);
});

it('a filter of some values has all of them unless the URL says otherwise, and may have none', () => {
  expect(changed('', { filters: { languages: [] } })).toBe('languages=none');
  expect(readView(parameters('languages=none'), defaults).filters.languages).toEqual([]);
  expect(changed('languages=none', { filters: { languages: undefined } })).toBe('');
});

it('the query has only filters that filter something, trimmed and cut to the maximum length', () => {
  const asked = (query: string) => queryOf(filters, readView(parameters(query), defaults).filters);
  expect(asked('search=%20&kinds=odd&status=odd&automations=B')).toEqual({});
  expect(asked('search=%20a%20b%20&kinds=foot,head&status=on&size=10&automations=a1')).toEqual({
    search: 'a b',
    kinds: 'foot,head',
    status: 'on',
    size: '10',
    automations: 'a1',
  });
  expect(asked(`search=${'x'.repeat(300)}`).search).toHaveLength(254);
  expect(pageQuery(99_999_999, 50)).toEqual({ page: '1000000', per_page: '50' });
});

it('going to a page keeps sort and filters', () => {
  expect(changed('sort=sent&direction=desc&search=a', { page: 3 })).toBe(
    'sort=sent&direction=desc&search=a&page=3',
  );
});

it('the first page, the default sort and an empty filter are left out', () => {
  expect(changed('page=3', { page: 1 })).toBe('');
  expect(changed('sort=sent&direction=desc', { sort: 'name', direction: 'asc' })).toBe('');
  expect(changed('search=a&languages=en', { filters: { search: '' } })).toBe('languages=en');
});

it('another filter or sort begins at the first page', () => {
  expect(changed('page=3', { filters: { search: 'a' } })).toBe('search=a');
  expect(changed('page=3', { sort: 'sent', direction: 'desc' })).toBe('sort=sent&direction=desc');
});

it('other parameters stay', () => {
  expect(changed('tab=hooks&page=2', { filters: { search: 'a' } })).toBe('tab=hooks&search=a');
});

it('choosing the sorted column reverses it, another one begins in its own direction', () => {
  const view = readView(parameters(''), defaults);
  expect(chooseSort(view, 'name')).toEqual({ sort: 'name', direction: 'desc' });
  expect(chooseSort({ ...view, direction: 'desc' }, 'name')).toEqual({ sort: 'name', direction: 'asc' });
  expect(chooseSort(view, 'sent', 'desc')).toEqual({ sort: 'sent', direction: 'desc' });
});

it('a table may begin with the most, which then is left out of the address', () => {
  const counted = { sorts: ['sent', 'name'], direction: 'desc', filters } as const;
  expect(readView(parameters(''), counted)).toMatchObject({ sort: 'sent', direction: 'desc' });
  expect(readView(parameters('sort=name'), counted)).toMatchObject({ sort: 'name', direction: 'desc' });
  expect(readView(parameters('sort=sent&direction=asc'), counted).direction).toBe('asc');
  const after = (change: Parameters<typeof changeView>[2]) =>
    changeView(parameters('sort=name&direction=asc'), counted, change).toString();
  expect(after({ sort: 'sent', direction: 'desc' })).toBe('');
  expect(after({ sort: 'sent', direction: 'asc' })).toBe('sort=sent&direction=asc');
});

it('a day is a day of the calendar, else none', () => {
  const days = ['2026-02-28', '2026-02-30', '2026-2-28', 'today', ''].map(written => day.read(written));
  expect(days).toEqual(['2026-02-28', '', '', '', '']);
});
