import { Flex, Grid } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { SORTED_BY, type SortedBy } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import { day, oneOf, text } from '#web/lib/filters.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { paths } from '#web/lib/paths.ts';
import { combinationColumns } from './combination-columns.tsx';
import { Comparisons } from './comparisons.tsx';
import { isSameRange } from './dates.ts';
import { exportCsv } from './export-csv.ts';
import { RangeForm } from './range-form.tsx';
import { ReportNotices } from './report-notices.tsx';
import { found, grouped, singles } from './shown-combinations.ts';
import { Summary } from './summary.tsx';
import { TopCombinations } from './top-combinations.tsx';
import { useReport } from './use-report.ts';

/** The first one is the default. */
const SORTS: readonly SortedBy[] = ['sent', ...SORTED_BY.filter(one => one !== 'sent')];

const REPORT_VIEW = {
  sorts: SORTS,
  direction: 'desc',
  filters: { search: text, group: oneOf(['name']), from: day, to: day },
} as const;

const PER_PAGE = 50;
const NO_NAMES = {};

/** All combinations with their results in a range of days. */
export function ReportPage() {
  const table = useTableView(REPORT_VIEW);
  const { view, filter } = table;
  const { search, group } = view.filters;
  const isGrouped = group === 'name';
  const sort = view.sort ?? 'sent';
  const range = rangeOf(view.filters);
  const { report, problem, failure, isLoading, repeat } = useReport(range, sort, view.direction);
  const { combinations: rows, asset_names: names = NO_NAMES } = report ?? {};
  const shown = useMemo(() => {
    if (!rows) return undefined;
    const some = found(rows, search);
    return isGrouped ? grouped(some, names, sort, view.direction) : singles(some, names);
  }, [rows, names, search, isGrouped, sort, view.direction]);
  const { pathname, search: query } = useLocation();
  const { start_date, end_date } = report ?? range;
  const shownRange = { start_date, end_date };
  const columns = combinationColumns({ range: shownRange, report: pathname + query, isGrouped });

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
          <Button onClick={() => void exportCsv(csv => csv.saveReport(report, shown, isGrouped))}>
            Export to CSV
          </Button>
        )
      }
      above={
        <RangeForm
          range={range}
          action="Generate Report"
          isLoading={isLoading}
          onChange={changeRange}
          onRepeat={() => void repeat()}
        />
      }
      summary={
        !problem || report ? (
          <>
            <Grid
              templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
              gap="4"
              mb="5"
            >
              <Summary label="All combinations" figures={report?.totals} range={shownRange} />
              <TopCombinations shown={shown} names={names} />
            </Grid>
            {report && <ReportNotices {...report} />}
          </>
        ) : undefined
      }
      table={{
        ...table,
        isFiltered: search.trim() !== '',
        clear: () => filter({ search: '' }),
      }}
      search="Search by ID, subject or content"
      filters={<GroupBox {...table} />}
      noun={isGrouped ? 'name' : 'combination'}
      total={rows && (isGrouped && shown && !search ? shown.length : rows.length)}
      found={shown?.length}
      nothing={{
        title: 'No email combinations found in the selected date range.',
        cause: 'An email counts on the UTC day on which it was sent.',
        action: <ButtonLink to={paths.automations()}>Go to Automations</ButtonLink>,
      }}
      noMatch={{ title: 'No combinations match your search criteria.' }}
      label="Combinations"
      wide
      pressable
      columns={columns}
      rows={shown?.slice((view.page - 1) * PER_PAGE, view.page * PER_PAGE)}
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
      {(report !== undefined || problem !== undefined) && <Comparisons />}
    </TablePage>
  );
}

/** The range of the filters. A missing date is that of the default range. */
const rangeOf = ({ from, to }: { from: string; to: string }): Range =>
  from && to ? { start_date: from, end_date: to } : lastDays(DEFAULT_DAYS);

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
