import { useRef, useState } from 'react';
import { PAGE_SIZES } from '#shared/members-page.ts';
import { Button } from '#web/components/button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { toast } from '#web/lib/toasts.ts';
import { useBulk } from './bulk.ts';
import { useColumnChoice } from './column-choice.ts';
import type { Member } from './member-action.ts';
import { memberColumns } from './member-columns.tsx';
import { sortOf, sortsOf } from './members-sort.ts';
import { countOf, MembersToolbar, totalOf } from './members-toolbar.tsx';
import { useMemberActions } from './use-member-actions.ts';
import { useListMembers, useListOfPage } from './use-members.ts';
import { useMembersView } from './use-members-view.ts';
import { MOST_SELECTED, useSelectAll } from './use-select-all.ts';
import { useSelection } from './use-selection.ts';

const DeleteMembers = onDemand(async () => ({
  default: (await import('./delete-members.tsx')).DeleteMembers,
}));
const NoMembers = onDemand(async () => ({ default: (await import('./no-members.tsx')).NoMembers }));
const NothingFound = onDemand(async () => ({ default: (await import('./no-members.tsx')).NothingFound }));
const PageNotFound = onDemand(async () => ({ default: (await import('./no-members.tsx')).PageNotFound }));
const BulkBar = onDemand(() => import('./bulk-bar.tsx'));
const ColumnPicker = onDemand(() => import('./column-picker.tsx'));
const MembersExport = onDemand(() => import('./members-export.tsx'));

/** The members table of a list: searched by address, filtered by status, sorted, and paged. */
export function Members({ list }: { list: string }) {
  const view = useMembersView();
  const { search, status, perPage, page: requested, goToPage } = view;
  const { columns, choose } = useColumnChoice(list);
  const [choosing, setChoosing] = useState(false);
  const [exporting, setExporting] = useState(false);
  const ofPage = useListOfPage(list);
  const sorts = sortsOf(ofPage?.members_count ?? 0, view);
  const { sort, direction } = sortOf(view, sorts);
  const request = { list, page: requested, perPage, search, status, cursor: view.cursor };
  const members = useListMembers({ ...request, sort, direction, columns });
  const { data, isLoading } = members;
  const searchField = useRef<HTMLInputElement>(null);
  const { act, refresh, unsubscribe, isChanging } = useMemberActions();
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
  // The shown rows are still those of the previous page.
  const isOther = isLoading || (members.error !== undefined && data?.current_page !== requested);
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
    await act('delete', one);
    toast(`${one.email} was deleted.`);
    select(those, false);
    afterDeleting(those);
    void refresh();
  }

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
          searchField={searchField}
          onColumns={() => setChoosing(true)}
          onExport={ofPage && (() => setExporting(true))}
        />
        <DataTable
          label="Members"
          columns={memberColumns(list, columns, sorts)}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowName={({ email }) => email}
          count={countOf(view, data)}
          problem={members.error}
          failure="Failed to fetch list members. Please try again"
          onRetry={members.retry}
          busy={isOther}
          expected={PAGE_SIZES[0]}
          isChanging={isChanging}
          actions={member => [
            ...(member.is_subscribed
              ? [{ id: 'unsubscribe', label: 'Unsubscribe', run: () => void unsubscribe(member) }]
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
            search || status ? (
              <NothingFound view={view} members={members}>
                {search ? (
                  <Button onClick={clearSearch}>Clear search</Button>
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
      {choosing && (
        <ColumnPicker list={list} chosen={columns} onChoose={choose} onClose={() => setChoosing(false)} />
      )}
    </Section>
  );
}
