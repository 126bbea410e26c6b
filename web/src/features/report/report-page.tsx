import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { combinationTitles } from '#shared/report/combination-titles.ts';
import { SORTED_BY, type SortedBy } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationsReport } from '#shared/reporting.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day, oneOf, text } from '#web/lib/filters.ts';
import { plural } from '#web/lib/format.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Direction } from '#web/lib/table-view.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { combinationColumns } from './combination-columns.tsx';
import { type CombinationRow, combinationRows, matchingRows, nameRows } from './combination-rows.ts';
import { MailboxProviders } from './mailbox-providers.tsx';
import { exportCsv, RangeForm } from './report-controls.tsx';
import { isSameRange } from './report-range.ts';
import { ReportNotices, Summary } from './summary.tsx';
import { COMPARISONS_NOT_LOADED, ComparisonNote, useComparisons } from './verdicts.tsx';

const AutomationComparisons = onDemand(
  () => import('./automation-comparisons.tsx'),
  <Loading shape={[96]} />,
);

/** The first one is the default. */
const SORTS: readonly SortedBy[] = ['sent', ...SORTED_BY.filter(one => one !== 'sent')];

const REPORT_VIEW = {
  sorts: SORTS,
  direction: 'desc',
  filters: { search: text, group: oneOf(['name']), from: day, to: day },
} as const;

const PER_PAGE = 50;
const NO_NAMES = {};

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
    const some = matchingRows(rows, search);
    return isGrouped ? nameRows(some, names, sort, view.direction) : combinationRows(some, names);
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
      table={{ ...table, isFiltered: search.trim() !== '', clear: () => filter({ search: '' }) }}
      search="Search by ID, subject line or content"
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
      {report && <MailboxProviders {...report} />}
      {(report !== undefined || problem !== undefined) && <Comparisons />}
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

const MOST = 5;
const ONE_LINE = 50;

const List = chakra('ol', {
  base: { mt: '2', display: 'grid', gap: '2', minHeight: '182px', alignContent: 'start' },
});
const Bar = chakra('div', {
  base: {
    height: '6px',
    mt: '1',
    minWidth: '2px',
    borderRadius: 'full',
    bg: 'light-dark(var(--ink), var(--brand))',
  },
});

type TopProps = { shown: CombinationRow[] | undefined; names: CombinationsReport['asset_names'] };

function TopCombinations({ shown, names }: TopProps) {
  const clicked = shown?.filter(({ figures }) => figures.clicked > 0) ?? [];
  const top = clicked.toSorted((a, b) => b.figures.clicked - a.figures.clicked).slice(0, MOST);
  const most = top[0]?.figures.clicked ?? 1;
  const titles = combinationTitles(
    top.flatMap(({ row }) => row ?? []),
    names,
    ONE_LINE,
  );
  return (
    <Panel p="4">
      <Box as="h2" fontSize="sm" fontWeight="semibold">
        Top combinations by clicks
      </Box>
      <List>
        {top.map(({ id, title, figures }) => (
          <li key={id}>
            <Flex justify="space-between" gap="3" lineHeight="20px">
              <Box minWidth="0" lineClamp="1" overflowWrap="anywhere">
                <bdi>{titles.get(id) || title}</bdi>
              </Box>
              <Box flexShrink="0" color="fg.muted" fontVariantNumeric="tabular-nums">
                {plural(figures.clicked, 'click')}, {figures.click_rate}
              </Box>
            </Flex>
            <Bar style={{ width: `${(figures.clicked / most) * 100}%` }} />
          </li>
        ))}
        {shown && top.length === 0 && (
          <Box as="li" color="fg.muted">
            Nobody has clicked in this range yet.
          </Box>
        )}
      </List>
    </Panel>
  );
}

function Comparisons() {
  const { comparisons, problem, repeat } = useComparisons();
  return (
    <Box mt="8">
      <Section
        title="Which combinations click better?"
        note={comparisons && <ComparisonNote {...comparisons} />}
      >
        {problem ? (
          <Failure problem={problem} fallback={COMPARISONS_NOT_LOADED} onRetry={repeat} />
        ) : comparisons ? (
          <AutomationComparisons {...comparisons} />
        ) : (
          AutomationComparisons.fallback
        )}
      </Section>
    </Box>
  );
}
