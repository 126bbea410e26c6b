import { expect, it } from 'vitest';
import { changeView, chooseSort, readView } from '../../web/src/lib/table-view.ts';

const defaults = { sort: 'name', filters: ['search', 'language'] };
const parameters = (text: string) => new URLSearchParams(text);
const changed = (text: string, change: Parameters<typeof changeView>[2]) =>
  changeView(parameters(text), defaults, change).toString();

it('without parameters, the view has its defaults', () => {
  expect(readView(parameters(''), defaults)).toEqual({
    page: 1,
    sort: 'name',
    direction: 'asc',
    filters: { search: '', language: '' },
  });
});

it.each(['0', '-1', '1.5', 'x', '1e99', ''])('page %j is the first page', page => {
  expect(readView(parameters(`page=${page}`), defaults).page).toBe(1);
});

it('an unknown direction becomes the default', () => {
  expect(readView(parameters('direction=up'), defaults).direction).toBe('asc');
});

it('going to a page keeps sort and filters', () => {
  expect(changed('sort=sent&direction=desc&search=a', { page: 3 })).toBe(
    'sort=sent&direction=desc&search=a&page=3',
  );
});

it('the first page, the default sort and an empty filter are left out', () => {
  expect(changed('page=3', { page: 1 })).toBe('');
  expect(changed('sort=sent&direction=desc', { sort: 'name', direction: 'asc' })).toBe('');
  expect(changed('search=a&language=en', { filters: { search: '' } })).toBe('language=en');
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
