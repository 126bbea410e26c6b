import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import type { Audience } from '#shared/audience.ts';
import type { ListMembersPage } from '#shared/list-member.ts';
import { PAGE_SIZES } from '#shared/members-page.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Section } from '#web/components/section.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { AudienceSentence, audienceFilter } from '#web/entities/audience/audience.tsx';
import { countText, formatNumber, plural } from '#web/lib/format.ts';
import { newAutomationFor, WITH_AUDIENCE } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { MOST_SELECTED, useBulk, useSelectAll, useSelection } from './bulk.ts';
import { DeleteMembers, type Member, useMemberActions } from './member-actions.tsx';
import { askedColumns, isNamed, memberColumns, useColumnChoice } from './member-columns.tsx';
import { sortOf, sortsOf, useListMembers, useListOfPage, useMembersView } from './use-members.ts';

const MEMBER_STATUSES = optionsOf({
  '': 'All members',
  subscribed: 'Subscribed',
  unsubscribed: 'Unsubscribed',
});

const NoMembers = onDemand(async () => ({ default: (await import('./no-members.tsx')).NoMembers }));
const NothingFound = onDemand(async () => ({ default: (await import('./no-members.tsx')).NothingFound }));
const PageNotFound = onDemand(async () => ({ default: (await import('./no-members.tsx')).PageNotFound }));
const BulkBar = onDemand(() => import('./bulk-bar.tsx'));
const ColumnPicker = onDemand(() => import('./column-picker.tsx'));
const FilterDialog = onDemand(() => import('./filter-dialog.tsx'));
const MembersExport = onDemand(() => import('./members-export.tsx'));

export function Members({ list }: { list: string }) {
  const view = useMembersView();
  const { search, status, filter, audience, perPage, page: requested, goToPage } = view;
  const { columns, choose } = useColumnChoice(list);
  const [choosing, setChoosing] = useState(false);
  const [filtering, setFiltering] = useState(false);
  const [exporting, setExporting] = useState(false);
  const ofPage = useListOfPage(list);
  const sorts = sortsOf(ofPage?.members_count ?? 0, view);
  const { sort, direction } = sortOf(view, sorts);
  const request = { list, page: requested, perPage, search, status, audience, cursor: view.cursor };
  const members = useListMembers({ ...request, sort, direction, columns: askedColumns(columns) });
  const { data, isLoading, isOther } = members;
  const searchField = useRef<HTMLInputElement>(null);
  const actions = useMemberActions();
  const { selected, select, clear } = useSelection();
  const selectAll = useSelectAll({ ...request, sort, direction, columns }, select);
  const bulk = useBulk(list, (action, done) => {
    select(done, false);
    if (action === 'delete') afterDeleting(done);
  });
  const [deleting, setDeleting] = useState<Member[]>();
  const keptFocus = useKeptFocus(section =>
    section.querySelector<HTMLElement>('thead input, tbody tr[tabindex], a'),
  );
  const counted = isOther && members.error ? undefined : data;
  // If the requested page is beyond the last one, the API returns the last one.
  const page = isOther ? requested : (data?.current_page ?? requested);

  function goTo(next: number) {
    // The cursor of the next page is in the page that is still loading, so that must be loaded first.
    const isUnknown = data?.searched?.complete === false && isOther && next > page;
    if (!isUnknown) goToPage(next, isOther ? undefined : data);
    else if (!isLoading) void members.retry();
  }

  function clearSearch() {
    view.setSearch('');
    searchField.current?.focus();
  }

  /** If all rows of the page are deleted, its cursor is not valid any more. */
  function afterDeleting(done: Member[]) {
    const deleted = new Set(done.map(({ id }) => id));
    if (data?.data.every(({ id }) => deleted.has(id))) view.reloadPage();
  }

  async function remove(those: Member[]) {
    const [one, ...others] = those;
    if (!one || others.length > 0) return bulk.start('delete', those);
    await actions.remove(one);
    toast(`${one.email} was deleted.`);
    select(those, false);
    afterDeleting(those);
    void actions.refresh();
  }

  const hasMore = members.isUnfinished && data?.data.length !== 0;
  const shown = data?.data.filter(({ id }) => selected.has(id)).length ?? 0;
  const total = totalOf(view, data) ?? 0;
  const isPageSelected = shown > 0 && shown === data?.data.length;
  const isAllSelected = selected.size >= Math.min(total, MOST_SELECTED);
  return (
    <Section title="Members" titleHidden>
      <div {...keptFocus}>
        <MembersToolbar
          view={view}
          members={members}
          hasMore={hasMore}
          searchField={searchField}
          onFilter={() => setFiltering(true)}
          onColumns={() => setChoosing(true)}
          onExport={ofPage && (() => setExporting(true))}
        />
        {filter && (
          <FilterBar list={list} audience={filter} onClear={() => view.setFilter(null)}>
            <SearchProgress {...members} data={counted} isUnfinished={hasMore} />
          </FilterBar>
        )}
        <DataTable
          label="Members"
          figures
          columns={memberColumns(list, columns, { sorts, withName: isNamed(data?.data, columns) })}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowName={({ email }) => email}
          count={hasMore && !filter ? undefined : countOf(view, counted)}
          problem={members.error}
          failure="Failed to fetch list members. Please try again"
          onRetry={members.retry}
          busy={isOther}
          expected={PAGE_SIZES[0]}
          isChanging={actions.isChanging}
          right="list-members:edit"
          actions={member => [
            ...(member.is_subscribed
              ? [{ id: 'unsubscribe', label: 'Unsubscribe', run: () => void actions.unsubscribe(member) }]
              : []),
            { id: 'delete', label: 'Delete', danger: true, run: () => setDeleting([member]) },
          ]}
          selection={{ selected: new Set(selected.keys()), onSelect: select }}
          view={{ page, sort, direction }}
          onChange={change => (change.sort ? view.change(change) : goTo(change.page ?? 1))}
          // While a search can be continued on this page, there is no next one.
          lastPage={members.isUnfinished ? page : data?.last_page}
          hasUnknownTotal={data?.searched?.complete === false}
          empty={
            search || status || filter ? (
              <NothingFound view={view} members={members}>
                {search ? (
                  <Button onClick={clearSearch}>Clear search</Button>
                ) : filter ? (
                  <Button onClick={() => view.setFilter(null)}>Clear filter</Button>
                ) : (
                  <Button onClick={() => view.setStatus(undefined)}>Show all members</Button>
                )}
              </NothingFound>
            ) : page > 1 ? (
              <PageNotFound page={page} onFirst={() => goToPage(1, data)} />
            ) : (
              <NoMembers list={list} />
            )
          }
        />
        {(bulk.run || selected.size > 0) && (
          <BulkBar
            {...bulk}
            selected={selected.size}
            shown={shown}
            total={isPageSelected && !isAllSelected ? total : undefined}
            selectAll={selectAll}
            onUnsubscribe={() => {
              selectAll.stop();
              bulk.start('unsubscribe', [...selected.values()]);
            }}
            onDelete={() => {
              selectAll.stop();
              setDeleting([...selected.values()]);
            }}
            onClear={() => {
              selectAll.stop();
              clear();
            }}
          />
        )}
      </div>
      {deleting && (
        <DeleteMembers
          members={deleting}
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
      {exporting && ofPage && <MembersExport list={ofPage} onClose={() => setExporting(false)} />}
      {filtering && (
        <FilterDialog
          list={list}
          initial={filter}
          onFilter={view.setFilter}
          onClose={() => setFiltering(false)}
        />
      )}
      {choosing && (
        <ColumnPicker list={list} chosen={columns} onChoose={choose} onClose={() => setChoosing(false)} />
      )}
    </Section>
  );
}

type ToolbarProps = {
  view: ReturnType<typeof useMembersView>;
  members: ReturnType<typeof useListMembers>;
  searchField: Ref<HTMLInputElement>;
  /** The search can be continued below the rows that were found. */
  hasMore: boolean;
  onFilter: () => void;
  onColumns: () => void;
  onExport: (() => void) | undefined;
};

function MembersToolbar({
  view,
  members,
  hasMore,
  searchField,
  onFilter,
  onColumns,
  onExport,
}: ToolbarProps) {
  const { status, filter, perPage } = view;
  return (
    <Flex wrap="wrap" align="center" gap="3" mb="3" minHeight="control" fontSize="sm" color="fg.muted">
      <SearchField ref={searchField} label="Search members" value={view.typed} onSearch={view.setSearch} />
      <Select
        width="auto"
        aria-label="Status"
        value={status ?? ''}
        options={MEMBER_STATUSES}
        onChange={({ target }) => view.setStatus(target.value)}
      />
      <Button onClick={onFilter}>Filter</Button>
      {/* On phones they fill the lines of the search and the filter. */}
      <Flex
        display={{ base: 'contents', md: 'flex' }}
        wrap="wrap"
        justify="flex-end"
        align="center"
        columnGap="3"
        rowGap="2"
        ml="auto"
      >
        <Button disabled={!onExport} onClick={onExport}>
          Export to CSV
        </Button>
        <Button onClick={onColumns}>Columns</Button>
        <Flex as="label" align="center" gap="2" whiteSpace="nowrap">
          Rows per page
          <Select width="auto" value={perPage} onChange={({ target }) => view.setPageSize(target.value)}>
            {PAGE_SIZES.map(size => (
              <option key={size}>{size}</option>
            ))}
          </Select>
        </Flex>
      </Flex>
      {!filter && hasMore && (
        // On a line of its own, so that the controls do not move.
        <Box flexBasis="100%">
          <SearchProgress {...members} isUnfinished />
        </Box>
      )}
    </Flex>
  );
}

function countOf(view: ToolbarProps['view'], data: ToolbarProps['members']['data']) {
  if (view.filter) return undefined;
  if (view.search) return data?.searched ? progressText(data.searched, false, data.found) : undefined;
  return countText(totalOf(view, data), view.status ? `${view.status} member` : 'member');
}

/** Undefined if a search or a filter has not read all members. */
const totalOf = ({ search, audience }: ToolbarProps['view'], data: ToolbarProps['members']['data']) =>
  data?.found ?? (search || audience ? undefined : data?.total);

function SearchProgress({ data, isUnfinished, isRunning, searchFurther, stop }: ToolbarProps['members']) {
  const searched = data?.searched;
  return (
    <Flex wrap="wrap" align="center" gap="2">
      <span aria-live="polite">{searched && progressText(searched, isRunning, data.found)}</span>
      {isRunning ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        isUnfinished && <Button onClick={() => void searchFurther()}>Search further</Button>
      )}
    </Flex>
  );
}

function progressText(
  { members, of, complete }: NonNullable<ListMembersPage['searched']>,
  isRunning: boolean,
  found: number | null,
) {
  if (found !== null) return `${formatNumber(found)} found in ${plural(of, 'member')}`;
  if (members === 0) return 'Addresses that begin with this text';
  if (complete) return `Searched all ${plural(of, 'member')}`;
  return `${isRunning ? 'Searching: ' : 'Searched '}${formatNumber(members)} of ${plural(of, 'member')}`;
}

type FilterProps = {
  list: string;
  audience: Audience;
  onClear: () => void;
  /** How far the members were looked at. */
  children: ReactNode;
};

/** The filter of the members, in a sentence. */
function FilterBar({ list, audience, onClear, children }: FilterProps) {
  const conditions = new URLSearchParams({ [WITH_AUDIENCE]: audienceFilter.write(audience) });
  return (
    <Panel role="region" aria-label="Filter" px="3" py="1" mb="3">
      <Flex wrap="wrap" align="center" justify="space-between" columnGap="4" minHeight="control">
        <Box py="1" minWidth="0">
          <AudienceSentence audience={audience} />
          <Box color="fg.muted">{children}</Box>
        </Box>
        <Flex wrap="wrap" mx="-2">
          <ButtonLink variant="ghost" right="automations:edit" to={`${newAutomationFor(list)}&${conditions}`}>
            Use as condition of a new automation
          </ButtonLink>
          <Button variant="ghost" onClick={onClear}>
            Clear filter
          </Button>
        </Flex>
      </Flex>
    </Panel>
  );
}
