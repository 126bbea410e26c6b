import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Section } from '../../components/section.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { foundText } from '../../lib/format.ts';
import { Problem, TOO_SLOW } from '../../lib/problem.ts';
import type { TableDefaults, TableView } from '../../lib/table-view.ts';
import { toast } from '../../lib/toasts.ts';
import { Row } from './row.tsx';

type Example = { name: string; owner: string; count: number; active: boolean };

const PER_PAGE = 5;
const STATES = ['rows', 'loading', 'replacing', 'not refreshed', 'failed'] as const;
const DEFAULTS: TableDefaults = { sort: 'name', filters: ['search'] };

const examples: Example[] = Array.from({ length: 23 }, (_, index) => ({
  name: `Example ${String(index + 1).padStart(2, '0')}`,
  owner: `Owner of example ${index + 1}`,
  count: (index * 7919) % 1000,
  active: index % 4 !== 3,
}));

const columns: Column<Example>[] = [
  { key: 'name', header: 'Name', sort: 'asc', cell: ({ name }) => <TextLink to="?">{name}</TextLink> },
  { key: 'owner', header: 'Owner', collapse: 'labelAndValue', cell: ({ owner }) => owner },
  { key: 'count', header: 'Count', width: '120px', align: 'end', sort: 'desc', cell: ({ count }) => count },
  { key: 'active', header: 'Status', width: '140px', cell: ActiveStatus },
];

export function TablePieces() {
  const [state, setState] = useState<(typeof STATES)[number]>('rows');
  const [selected, setSelected] = useState<string[]>([]);
  const [changing, setChanging] = useState<string>();
  const { view, change } = useTableView(DEFAULTS);
  const { search = '' } = view.filters;
  const matches = matching(view);
  const rows = matches.slice((view.page - 1) * PER_PAGE, view.page * PER_PAGE);
  const onSelect = (chosen: Example[], isSelected: boolean) => {
    const names = chosen.map(({ name }) => name);
    setSelected([...selected.filter(name => !names.includes(name)), ...(isSelected ? names : [])]);
  };
  const clearSearch = <Button onClick={() => change({ filters: { search: '' } })}>Clear search</Button>;

  return (
    <Section
      title="Data table"
      note="Page, sort and search are in the URL. Arrow keys move between rows, Space selects one."
    >
      <Row>
        <SearchField
          label="Search examples"
          value={search}
          onSearch={text => change({ filters: { search: text } })}
        />
        {STATES.map(name => (
          <Button key={name} variant={name === state ? 'solid' : 'outline'} onClick={() => setState(name)}>
            {name}
          </Button>
        ))}
      </Row>
      <Row />
      <DataTable
        label="Examples"
        columns={columns}
        rows={state === 'loading' || state === 'failed' ? undefined : rows}
        rowKey={({ name }) => name}
        count={search ? foundText(matches.length, examples.length, 'example') : '23 examples'}
        selection={{ selected: new Set(selected), onSelect }}
        isChanging={({ name }) => name === changing}
        busy={state === 'replacing'}
        problem={state === 'failed' || state === 'not refreshed' ? new Problem(TOO_SLOW) : undefined}
        onRetry={() => setState('rows')}
        empty={<EmptyState title="No example matches your search" action={clearSearch} />}
        view={view}
        onChange={change}
        lastPage={Math.ceil(matches.length / PER_PAGE)}
        expected={PER_PAGE}
        actions={({ name }) => [
          { id: 'change', label: 'Start an endless change', run: () => setChanging(name) },
          {
            id: 'delete',
            label: 'Delete',
            group: 'delete',
            danger: true,
            run: () => toast(`${name} was deleted.`),
          },
        ]}
      />
    </Section>
  );
}

/** Filters and sorts as the server would. */
function matching({ sort, direction, filters: { search = '' } }: TableView): Example[] {
  const matches = examples.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const sorted = matches.toSorted((a, b) =>
    sort === 'count' ? a.count - b.count : a.name.localeCompare(b.name),
  );
  return direction === 'asc' ? sorted : sorted.toReversed();
}
