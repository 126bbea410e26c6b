import { Box, Flex } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { SORTED_BY, type SortedBy } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { ColumnsMenu } from '#web/components/columns-menu.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day, oneOf, severalOf, text } from '#web/lib/filters.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Direction } from '#web/lib/table-view.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { useWidth } from '#web/lib/use-width.ts';
import {
  actionsOf,
  COLUMNS,
  type ColumnName,
  combinationColumns,
  fittingOf,
} from './combination-columns.tsx';
import { combinationRows, matchingRows, nameRows } from './combination-rows.ts';
import { isSameRange } from './periods.ts';
import { exportCsv, RangeForm } from './report-controls.tsx';
import { ReportNotices, Summary } from './summary.tsx';
import { TimeSeries, UNIT, useDays } from './time-series.tsx';

const Comparisons = onDemand(
  () => import('./automation-comparisons.tsx'),
  <Section title="Which is better">
    <Loading shape={[120]} />
  </Section>,
);

const MailboxProviders = onDemand(() => import('./mailbox-providers.tsx'), null);

/** The first one is the default. */
const SORTS: readonly SortedBy[] = ['sent', ...SORTED_BY.filter(one => one !== 'sent')];

const REPORT_VIEW = {
  sorts: SORTS,
  direction: 'desc',
  filters: {
    search: text,
    group: oneOf(['name']),
    from: day,
    to: day,
    by: UNIT,
    columns: severalOf(COLUMNS),
  },
} as const;

const PER_PAGE = 50;
const NO_NAMES = {};

export function ReportPage() {
  const table = useTableView(REPORT_VIEW);
  const currency = useOrganization()?.currency;
  const { view, filter } = table;
  const { search, group } = view.filters;
  const isGrouped = group === 'name';
  const sort = view.sort ?? 'sent';
  const range = rangeOf(view.filters);
  const { report, problem, failure, isLoading, repeat } = useReport(range, sort, view.direction);
  const days = useDays(range);
  const [width, measured] = useWidth();
  const { combinations: rows, asset_names: names = NO_NAMES, automation_names = NO_NAMES } = report ?? {};
  const shown = useMemo(() => {
    if (!rows) return undefined;
    const some = matchingRows(rows, search);
    return isGrouped ? nameRows(some, names, sort, view.direction) : combinationRows(some, names);
  }, [rows, names, search, isGrouped, sort, view.direction]);
  const { pathname, search: query } = useLocation();
  const { start_date, end_date } = report ?? range;
  const shownRange = { start_date, end_date };
  const rowsOfPage = shown?.slice((view.page - 1) * PER_PAGE, view.page * PER_PAGE);
  const fit = fittingOf(width);
  const offered = Object.keys(COLUMNS).filter(name => !isGrouped || name !== 'id') as ColumnName[];
  const chosen = offered.filter(name =>
    (view.filters.columns.length > 0 ? view.filters.columns : fit).includes(name),
  );
  const columns = combinationColumns(chosen, {
    range: shownRange,
    report: pathname + query,
    names: automation_names,
    rows: rowsOfPage ?? [],
    currency,
  });

  const changeRange = (next: Range) =>
    table.change({
      filters: isSameRange(next, lastDays(DEFAULT_DAYS))
        ? { from: '', to: '' }
        : { from: next.start_date, to: next.end_date },
    });

  return (
    <TablePage
      title="Email Asset Reporting"
      pageActions={
        report &&
        shown &&
        shown.length > 0 && (
          <Button
            onClick={() =>
              void exportCsv(csv => csv.saveReport(report, { rows: shown, isGrouped }, currency))
            }
          >
            Export to CSV
          </Button>
        )
      }
      above={
        <>
          <RangeForm
            range={range}
            action="Generate Report"
            isLoading={isLoading}
            onChange={changeRange}
            onRepeat={() => {
              void repeat();
              days.onRetry();
            }}
          />
          <Box ref={measured} />
        </>
      }
      summary={
        <>
          <TimeSeries {...days} unit={view.filters.by} onUnit={by => filter({ by })} />
          {(!problem || report) && (
            <Summary label="All combinations" figures={report?.totals} range={shownRange} />
          )}
          {report && <ReportNotices {...report} />}
          <Box mb="5">
            <Comparisons />
          </Box>
        </>
      }
      table={{ ...table, isFiltered: search.trim() !== '', clear: () => filter({ search: '' }) }}
      search="Search by ID, subject line or content"
      filters={
        <>
          <ColumnsMenu
            columns={COLUMNS}
            offered={offered}
            chosen={chosen}
            none="Combination alone"
            onChoose={columns => filter({ columns })}
          />
          <GroupBox {...table} />
        </>
      }
      noun={isGrouped ? 'name' : 'combination'}
      total={rows && (isGrouped && shown && !search ? shown.length : rows.length)}
      found={shown?.length}
      nothing={{
        title: 'No email combinations found in the selected date range.',
        cause: 'An email counts on the UTC day on which it was sent.',
        more: 'combinations',
        action: <ButtonLink to={paths.automations()}>Go to Automations</ButtonLink>,
      }}
      noMatch={{ title: 'No combinations match your search criteria.' }}
      label="Combinations"
      wide={!chosen.every(name => fit.includes(name))}
      figures
      pressable
      columns={columns}
      rows={rowsOfPage}
      actions={actionsOf(shownRange)}
      rowKey={({ id }) => id}
      rowName={({ title }) => title}
      lastPage={shown && Math.max(1, Math.ceil(shown.length / PER_PAGE))}
      problem={problem}
      failure={failure}
      onRetry={() => void repeat()}
      busy={isLoading}
      loading="Loading report..."
    >
      {/* Not shown before the rows, which would move it. */}
      {report && report.totals.sent > 0 && <MailboxProviders {...report} />}
    </TablePage>
  );
}

/** The range of the filters. A missing date is that of the default range. */
const rangeOf = ({ from, to }: { from: string; to: string }): Range =>
  from && to ? { start_date: from, end_date: to } : lastDays(DEFAULT_DAYS);

const NOT_LOADED = 'Failed to load report data. Please try again.';
const NOT_SORTED = 'Failed to load sorted data. Please try again.';

/** The report of a range, sorted by the server. The previous one is shown until it is loaded. */
function useReport(range: Range, sort_by: SortedBy, sort_direction: Direction) {
  const { data, error, isValidating, mutate } = useOrganizationData(
    'GET /api/reporting/combinations',
    { query: { ...range, sort_by, sort_direction } },
    // It may be large, and most of its days are over.
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  const { isRepeating, repeat } = useRepeat(mutate);
  const isOfRange = data !== undefined && isSameRange(data, range);
  const isSorted = isOfRange && data.sort.by === sort_by && data.sort.direction === sort_direction;

  return {
    report: error && !isOfRange ? undefined : data,
    problem: error as unknown,
    failure: serverMessageOr(error, isOfRange && !isSorted ? NOT_SORTED : NOT_LOADED),
    isLoading: isRepeating || (isValidating && !isSorted),
    repeat,
  };
}

const GroupBox = ({ view, filter }: TableOf<typeof REPORT_VIEW>) => (
  <Flex align="center" minHeight="control">
    <Checkbox
      checked={view.filters.group === 'name'}
      onChange={checked => filter({ group: checked ? 'name' : undefined })}
    >
      Group by combination name
    </Checkbox>
  </Flex>
);
