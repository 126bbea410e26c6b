import axe from 'axe-core';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Button, TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { text } from '#web/lib/filters.ts';
import { Problem, TOO_SLOW } from '#web/lib/problem.ts';
import type { ViewOf } from '#web/lib/table-view.ts';
import { button, focus, keys, press, says } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

type Example = { name: string; owner: string; count: number };

const PER_PAGE = 5;
const VIEW = { sorts: ['name', 'count'], filters: { search: text } } as const;
const examples: Example[] = Array.from({ length: 23 }, (_, index) => ({
  name: `Example ${String(index + 1).padStart(2, '0')}`,
  owner: `Owner ${index + 1}`,
  count: (index * 7919) % 1000,
}));
const columns: Column<Example>[] = [
  { key: 'name', header: 'Name', sort: 'asc', cell: ({ name }) => <TextLink to="?">{name}</TextLink> },
  { key: 'owner', header: 'Owner', collapse: 'labelAndValue', cell: ({ owner }) => owner },
  { key: 'count', header: 'Count', width: '120px', align: 'end', sort: 'desc', cell: ({ count }) => count },
];

/** A table of examples, whose page, sort and search are in the address; it can be searched, selected and broken. */
function Examples() {
  const [state, setState] = useState<'rows' | 'loading' | 'failed'>('rows');
  const [selected, setSelected] = useState<string[]>([]);
  const { view, change } = useTableView(VIEW);
  const matches = matching(view);
  const onSelect = (chosen: Example[], isSelected: boolean) => {
    const names = chosen.map(({ name }) => name);
    setSelected([...selected.filter(name => !names.includes(name)), ...(isSelected ? names : [])]);
  };
  const clearSearch = <Button onClick={() => change({ filters: { search: '' } })}>Clear search</Button>;
  return (
    <>
      <SearchField
        label="Search examples"
        value={view.filters.search}
        onSearch={search => change({ filters: { search } })}
      />
      <Button onClick={() => setState('loading')}>Load</Button>
      <Button onClick={() => setState('failed')}>Fail</Button>
      <DataTable
        label="Examples"
        columns={columns}
        rows={state === 'rows' ? matches.slice((view.page - 1) * PER_PAGE, view.page * PER_PAGE) : undefined}
        rowKey={({ name }) => name}
        count={`${matches.length} found`}
        selection={{ selected: new Set(selected), onSelect }}
        problem={state === 'failed' ? new Problem(TOO_SLOW) : undefined}
        onRetry={() => setState('rows')}
        empty={<EmptyState title="No example matches your search" action={clearSearch} />}
        view={view}
        onChange={change}
        lastPage={Math.ceil(matches.length / PER_PAGE)}
        expected={PER_PAGE}
        actions={() => [{ id: 'delete', label: 'Delete', run: () => undefined }]}
      />
    </>
  );
}

/** Filters and sorts as the server would. */
function matching({ sort, direction, filters: { search } }: ViewOf<typeof VIEW>): Example[] {
  const matches = examples.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const sorted = matches.toSorted((a, b) =>
    sort === 'count' ? a.count - b.count : a.name.localeCompare(b.name),
  );
  return direction === 'asc' ? sorted : sorted.toReversed();
}

const open = (search = '') => render(<Examples />, `/${search}`);
const table = () => page.getByRole('grid', { name: 'Examples' });
const row = (number: number) =>
  table()
    .getByRole('row')
    .filter({ hasText: `Example 0${number}` });
const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];
const firstRow = () => expect.poll(() => document.querySelector('td.primary')?.textContent);

describe('a data table', () => {
  it('keeps page, sort and search in the address', async () => {
    const router = open();
    const search = () => router.state.location.search;
    await firstRow().toBe('Example 01');
    await press('Next page');
    await firstRow().toBe('Example 06');
    expect(search()).toBe('?page=2');
    await press('Count');
    await expect.poll(search).toBe('?sort=count&direction=desc');
    const header = page.getByRole('columnheader', { name: 'Count' });
    await expect.element(header).toHaveAttribute('aria-sort', 'descending');
    await press('Count');
    await expect.poll(search).toBe('?sort=count&direction=asc');
    await page.getByLabelText('Search examples').fill('1');
    await expect.poll(search).toBe('?sort=count&direction=asc&search=1');
  });

  it('keeps both of two changes of which the first is not shown yet', async () => {
    function Twice() {
      const { change } = useTableView(VIEW);
      const both = () => {
        change({ filters: { search: '1' } });
        change({ sort: 'count', direction: 'asc' });
      };
      return <Button onClick={both}>Search and sort</Button>;
    }
    const router = render(<Twice />);
    await press('Search and sort');
    await expect.poll(() => router.state.location.search).toBe('?search=1&sort=count&direction=asc');
  });

  it('shows what its address says', async () => {
    open('?sort=count&direction=asc&search=1');
    await firstRow().toBe('Example 01');
    await expect.element(page.getByLabelText('Search examples')).toHaveValue('1');
    await says('12 found');
    await expect
      .element(page.getByRole('columnheader', { name: 'Count' }))
      .toHaveAttribute('aria-sort', 'ascending');
  });

  it('goes back through its pages with the history', async () => {
    const router = open('?page=2');
    await firstRow().toBe('Example 06');
    await press('Last page');
    await firstRow().toBe('Example 21');
    await router.navigate(-1);
    await firstRow().toBe('Example 06');
  });

  it('is one row and its menu in the tab order, wherever the arrow keys have led', async () => {
    open();
    await firstRow().toBe('Example 01');
    await focus(row(1));
    await keys('{ArrowDown}');
    await expect.element(row(2)).toHaveFocus();
    await keys('{End}');
    await expect.element(row(5)).toHaveFocus();
    await keys('{ArrowDown}{Home}');
    await expect.element(row(1)).toHaveFocus();
    await keys('{ArrowDown}{Tab}');
    await expect.element(button('Actions for Example 02')).toHaveFocus();
    await keys('{Tab}');
    expect(table().element().contains(document.activeElement)).toBe(false);
    await keys('{Shift>}{Tab}{Tab}{/Shift}');
    await expect.element(row(2)).toHaveFocus();
  });

  it('is a grid to assistive technology, since arrow keys move between its rows', async () => {
    open();
    await firstRow().toBe('Example 01');
    const { violations } = await axe.run(table().element());
    expect(violations).toEqual([]);
    expect([...new Set(rows().flatMap(one => [...one.children].map(cell => cell.role)))]).toEqual([
      'gridcell',
    ]);
    await page.getByLabelText('Select Example 02').click();
    await expect.element(row(2)).toHaveAttribute('aria-selected', 'true');
    await expect.element(row(1)).toHaveAttribute('aria-selected', 'false');
  });

  it('opens the menu of a row by Enter on its button, and by Shift-F10 on the row', async () => {
    open();
    await firstRow().toBe('Example 01');
    const menu = page.getByRole('menu', { name: 'Actions for Example 01' });
    await focus(row(1));
    await keys('{Tab}{Enter}');
    await expect.element(menu).toBeVisible();
    await keys('{Escape}');
    await expect.element(menu).not.toBeInTheDocument();
    await keys('{Shift>}{Tab}{/Shift}');
    await expect.element(row(1)).toHaveFocus();
    await keys('{Shift>}{F10}{/Shift}');
    await expect.element(menu).toBeVisible();
  });

  it('has rows of 36 and a header of 32 pixels, also while loading', async () => {
    open();
    const heights = () => rows().map(one => Math.round(one.getBoundingClientRect().height));
    await firstRow().toBe('Example 01');
    expect(heights()).toEqual(Array(5).fill(36));
    expect(document.querySelector('thead tr')?.getBoundingClientRect().height).toBe(32);
    await press('Load');
    await expect.poll(() => document.querySelector('td.primary')?.textContent).not.toBe('Example 01');
    expect(heights()).toEqual(Array(5).fill(36));
  });

  it('says why there is nothing and offers a way on', async () => {
    open('?search=zzz');
    await says('No example matches your search');
    await press('Clear search');
    await firstRow().toBe('Example 01');
  });

  it('offers a retry after a failure', async () => {
    open();
    await press('Fail');
    await says(/Letterflow is taking too long to answer\./);
    await press('Try again');
    await firstRow().toBe('Example 01');
  });
});

describe('rows that can be selected', () => {
  const box = (number: number) => page.getByLabelText(`Select Example 0${number}`);
  const all = () => page.getByLabelText('Select all on this page');
  const selected = () =>
    expect.poll(() => rows().flatMap(one => (one.querySelector(':checked') ? [one.innerText] : [])));
  const these = (...numbers: number[]) =>
    numbers.map(number => expect.stringContaining(`Example 0${number}`));
  beforeEach(async () => {
    open();
    await firstRow().toBe('Example 01');
  });

  it('are selected one by one, as a range, and by Space', async () => {
    await box(2).click();
    await box(4).click({ modifiers: ['Shift'] });
    await selected().toEqual(these(2, 3, 4));
    await box(3).click();
    await focus(row(5));
    await keys('{ }');
    await selected().toEqual(these(2, 4, 5));
  });

  it('are selected all at once, and stay selected on their page', async () => {
    await box(1).click();
    await expect.element(all()).toBePartiallyChecked();
    await all().click();
    await expect.element(all()).not.toBePartiallyChecked();
    await selected().toEqual(these(1, 2, 3, 4, 5));
    await press('Next page');
    await firstRow().toBe('Example 06');
    await expect.element(all()).not.toBeChecked();
    await selected().toEqual([]);
    await press('Previous page');
    await firstRow().toBe('Example 01');
    await expect.element(all()).toBeChecked();
    await all().click();
    await selected().toEqual([]);
  });
});
