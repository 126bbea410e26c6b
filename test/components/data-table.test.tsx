import axe from 'axe-core';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Button, TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { text } from '#web/lib/filters.ts';
import { Problem, TOO_SLOW } from '#web/lib/problem.ts';
import type { ViewOf } from '#web/lib/table-view.ts';
import { button, field, focus, keys, press, says, shows, textsOf } from '../support/components/page.ts';
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
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ name, count }) => <TextLink to={`/${count}`}>{name}</TextLink>,
  },
  { key: 'owner', header: 'Owner', collapse: 'labelAndValue', cell: ({ owner }) => owner },
  { key: 'count', header: 'Count', width: '120px', align: 'end', sort: 'desc', cell: ({ count }) => count },
];

/** A page of examples, whose page, sort and search are in the address; it can be selected and broken. */
function Examples({ isSelectable = true, figures }: { isSelectable?: boolean; figures?: true }) {
  const [state, setState] = useState<'rows' | 'loading' | 'failed'>('rows');
  const [selected, setSelected] = useState<string[]>([]);
  const table = useTableView(VIEW);
  const matches = matching(table.view);
  const { page: number } = table.view;
  const onSelect = (chosen: Example[], isSelected: boolean) => {
    const names = chosen.map(({ name }) => name);
    setSelected([...selected.filter(name => !names.includes(name)), ...(isSelected ? names : [])]);
  };
  return (
    <TablePage
      title="Page of examples"
      pageActions={
        <>
          <Button onClick={() => setState('loading')}>Load</Button>
          <Button onClick={() => setState('failed')}>Fail</Button>
        </>
      }
      label="Examples"
      table={table}
      search="Search examples"
      noun="example"
      total={examples.length}
      found={matches.length}
      nothing={{ title: 'No examples yet' }}
      noMatch={{ title: 'No example matches your search' }}
      columns={columns}
      rows={state === 'rows' ? matches.slice((number - 1) * PER_PAGE, number * PER_PAGE) : undefined}
      rowKey={({ name }) => name}
      selection={isSelectable ? { selected: new Set(selected), onSelect } : undefined}
      figures={figures}
      problem={state === 'failed' ? new Problem(TOO_SLOW) : undefined}
      onRetry={() => setState('rows')}
      lastPage={Math.ceil(matches.length / PER_PAGE)}
      expected={PER_PAGE}
      actions={() => [{ id: 'delete', label: 'Delete', run: () => undefined }]}
    />
  );
}

function matching({ sort, direction, filters: { search } }: ViewOf<typeof VIEW>): Example[] {
  const matches = examples.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const sorted = matches.toSorted((a, b) =>
    sort === 'count' ? a.count - b.count : a.name.localeCompare(b.name),
  );
  return direction === 'asc' ? sorted : sorted.toReversed();
}

async function open(search = '', first = 'Example 01', as: Parameters<typeof Examples>[0] = {}) {
  const router = render(<Examples {...as} />, `/${search}`);
  await firstRow().toBe(first);
  return { router, address: () => router.state.location.search };
}
const table = () => page.getByRole('grid', { name: 'Examples' });
const row = (number: number) =>
  table()
    .getByRole('row')
    .filter({ hasText: `Example 0${number}` });
const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];
const firstRow = () => expect.poll(() => document.querySelector('td.primary')?.textContent);
const search = () => field('Search examples');

it('a table keeps page, sort and search in the address, and goes back with the history', async () => {
  const { router, address } = await open();
  await press('Next page');
  await firstRow().toBe('Example 06');
  expect(address()).toBe('?page=2');
  await press('Count');
  await expect.poll(address).toBe('?sort=count&direction=desc');
  const header = page.getByRole('columnheader', { name: 'Count' });
  await expect.element(header).toHaveAttribute('aria-sort', 'descending');
  await press('Count');
  await expect.poll(address).toBe('?sort=count&direction=asc');
  await search().fill('1');
  await expect.poll(address).toBe('?sort=count&direction=asc&search=1');
  await router.navigate('/?page=2');
  await firstRow().toBe('Example 06');
  await press('Last page');
  await firstRow().toBe('Example 21');
  await router.navigate(-1);
  await firstRow().toBe('Example 06');
});

it('a table shows what its address says', async () => {
  await open('?sort=count&direction=asc&search=1');
  await expect.element(search()).toHaveValue('1');
  await says('12 of 23 examples match');
  const header = page.getByRole('columnheader', { name: 'Count' });
  await expect.element(header).toHaveAttribute('aria-sort', 'ascending');
});

it('a change of a table is in the address at once, so that the next one begins from it', async () => {
  const { address } = await open();
  for (const name of ['Count', 'Next page']) (button(name).element() as HTMLElement).click();
  expect(address()).toBe('?sort=count&direction=desc&page=2');
});

it('a text that is not searched yet gives way to the history', async () => {
  const { router, address } = await open('?search=1');
  await router.navigate('/?search=2');
  await expect.element(search()).toHaveValue('2');
  vi.useFakeTimers();
  await search().fill('23');
  await router.navigate(-1);
  await expect.element(search()).toHaveValue('1');
  await vi.advanceTimersByTimeAsync(200);
  expect(address()).toBe('?search=1');
});

it('a search keeps its caret and its spaces while the address follows, and tells politely what it found', async () => {
  const { address } = await open();
  await search().click();
  await keys('exmple 0{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}a');
  await expect.poll(address).toBe('?search=example+0');
  expect((search().element() as HTMLInputElement).selectionStart).toBe(3);
  await expect.poll(() => textsOf('[aria-live=polite]')).toContain('9 of 23 examples match');
  await search().fill('example ');
  await expect.poll(address).toBe('?search=example+');
  await expect.element(search()).toHaveValue('example ');
});

it('a search without results says so, and Clear search leads back to it', async () => {
  render(<Examples />, '/?search=zzz');
  await says('No example matches your search');
  await press('Clear search');
  await firstRow().toBe('Example 01');
  await expect.element(search()).toHaveFocus();
});

it('a page that does not exist leads to the first one', async () => {
  render(<Examples />, '/?page=9');
  await says('There is no page 9');
  await press('Go to the first page');
  await firstRow().toBe('Example 01');
});

it('the pager keeps the focus at the last page, and shows each page from its first row', async () => {
  await page.viewport(1440, 240);
  await open('?page=4', 'Example 16');
  const next = button('Next page');
  next.element().scrollIntoView();
  expect(table().element().getBoundingClientRect().top).toBeLessThan(0);
  await focus(next);
  await keys('{Enter}');
  await firstRow().toBe('Example 21');
  expect(table().element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
  await expect.element(next).toBeDisabled();
  await expect.element(next).toHaveFocus();
  await keys('{Enter}');
  await press('Previous page');
  await firstRow().toBe('Example 16');
});

it('a table is one row and its menu in the tab order, wherever the arrow keys have led', async () => {
  await open();
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

it('a table is a grid to assistive technology, since arrow keys move between its rows', async () => {
  await open();
  const { violations } = await axe.run(table().element());
  expect(violations).toEqual([]);
  expect([...new Set(rows().flatMap(one => [...one.children].map(cell => cell.role)))]).toEqual(['gridcell']);
  await page.getByLabelText('Select Example 02').click();
  await expect.element(row(2)).toHaveAttribute('aria-selected', 'true');
  await expect.element(row(1)).toHaveAttribute('aria-selected', 'false');
});

describe('on a phone', () => {
  beforeEach(() => page.viewport(390, 844));

  it('the checkbox of a row is beside its name', async () => {
    await open('', 'Example 01', { figures: true });
    for (const one of rows()) {
      const edge = (selector: string) => one.querySelector(selector)?.getBoundingClientRect();
      expect(edge('input')?.right).toBeLessThanOrEqual(edge('a')?.left ?? 0);
    }
  });

  it('columns that are sorted by a menu keep their names, and no button of theirs is in the tab order', async () => {
    await open('', 'Example 01', { figures: true, isSelectable: false });
    expect((await axe.run(table().element())).violations).toEqual([]);
    await focus(page.getByRole('combobox', { name: 'Sort by' }));
    await keys('{Tab}');
    await expect.element(row(1)).toHaveFocus();
  });
});

it('the menu of a row opens by Enter on its button, and by Shift-F10 on the row', async () => {
  await open();
  const menu = page.getByRole('menu', { name: 'Actions for Example 01' });
  await focus(row(1));
  await keys('{Tab}{Enter}');
  await shows(menu);
  await keys('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await keys('{Shift>}{Tab}{/Shift}');
  await expect.element(row(1)).toHaveFocus();
  await keys('{Shift>}{F10}{/Shift}');
  await shows(menu);
});

it('a table has rows of 36 and a header of 32 pixels, also while loading', async () => {
  open();
  const heights = () => rows().map(one => Math.round(one.getBoundingClientRect().height));
  await firstRow().toBe('Example 01');
  expect(heights()).toEqual(Array(5).fill(36));
  expect(document.querySelector('thead tr')?.getBoundingClientRect().height).toBe(32);
  await press('Load');
  await expect.poll(() => document.querySelector('td.primary')?.textContent).not.toBe('Example 01');
  expect(heights()).toEqual(Array(5).fill(36));
});

it('a table offers a retry after a failure', async () => {
  await open();
  await press('Fail');
  await says(/Letterflow is taking too long to answer\./);
  await press('Try again');
  await firstRow().toBe('Example 01');
});

it('Enter on a row follows its link, and does nothing where there is only a button', async () => {
  const { router } = await open();
  await focus(row(1));
  await keys('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/0');
  const run = vi.fn();
  const press = { key: 'name', header: 'Name', cell: () => <Button onClick={run}>Do it</Button> } as const;
  render(
    <DataTable
      label="Buttons"
      columns={[press]}
      rows={examples.slice(0, 1)}
      rowKey={({ name }) => name}
      empty={null}
    />,
  );
  await focus(page.getByRole('grid', { name: 'Buttons' }).getByRole('row').last());
  await keys('{Enter}');
  expect(run).not.toHaveBeenCalled();
});

const box = (number: number) => page.getByLabelText(`Select Example 0${number}`);
const all = () => page.getByLabelText('Select all on this page');
const selected = () =>
  expect.poll(() => rows().flatMap(one => (one.querySelector(':checked') ? [one.innerText] : [])));
const these = (...numbers: number[]) => numbers.map(number => expect.stringContaining(`Example 0${number}`));

it('rows are selected one by one, as a range, and by Space', async () => {
  await open();
  await box(2).click();
  await box(4).click({ modifiers: ['Shift'] });
  await selected().toEqual(these(2, 3, 4));
  await box(3).click();
  await focus(row(5));
  await keys('{ }');
  await selected().toEqual(these(2, 4, 5));
});

it('rows are selected all at once, and stay selected on their page', async () => {
  await open();
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
