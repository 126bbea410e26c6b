import { Badge, Box, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { ratesOf, unitsOf } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationReport, Figures } from '#shared/reporting.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { useLeaveMissing } from '#web/entities/use-leave-missing.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day } from '#web/lib/filters.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import type { CombinationState } from './combination-columns.tsx';
import { CombinationComparison } from './combination-comparison.tsx';
import { CombinationContent } from './combination-content.tsx';
import { DailyPerformance } from './daily-performance.tsx';
import { isSameRange } from './dates.ts';
import { exportCsv } from './export-csv.ts';
import { RangeForm } from './range-form.tsx';
import { RecentSends } from './recent-sends.tsx';
import { ReportNotices } from './report-notices.tsx';
import { DETAIL_NOT_LOADED } from './report-texts.ts';
import { combinationName } from './shown-combinations.ts';
import { Summary } from './summary.tsx';

const ValueDialog = onDemand(() => import('./value-dialog.tsx'));

const VIEW = { filters: { from: day, to: day } };
const ROUTE = 'GET /api/reporting/combinations/{combination}';

/** The page of a combination: the results of its emails, day by day. */
export function CombinationPage() {
  const { combination: id = '' } = useParams();
  const { view, change } = useTableView(VIEW);
  const state = useCombinationState();
  const range = rangeOf(view.filters, state);
  const { report, error, isLoading, repeat } = useCombination(id, range, state.type);
  const back = state.report ?? paths.reporting();

  return (
    <Page
      key={report ? 'report' : 'loading'}
      title={report ? titleOf(report) : 'Combination'}
      actions={
        <>
          <ButtonLink variant="ghost" to={back}>
            Back to Report
          </ButtonLink>
          {report && <Actions report={report} />}
        </>
      }
    >
      {report && <About report={report} />}
      <RangeForm
        range={range}
        action="Update Report"
        isLoading={isLoading}
        onChange={({ start_date: from, end_date: to }) =>
          // Keeps the state of the history entry, which tells where the user has come from.
          change({ filters: { from, to } }, { state })
        }
        onRepeat={() => void repeat()}
      />
      {error !== undefined && (
        <Notice tone="error" mb="3">
          {serverMessageOr(error, DETAIL_NOT_LOADED)}
        </Notice>
      )}
      {report && <ReportNotices {...report} />}
      <Box aria-busy={isLoading} opacity={isLoading && report ? 0.6 : undefined}>
        <Section title="Performance Summary">
          <Summary
            label="Performance Summary"
            figures={report && figuresOf(report)}
            combination={id}
            range={report ?? range}
          />
        </Section>
        <CombinationContent report={report} />
        <CombinationComparison combination={report?.combination} />
        <DailyPerformance report={report} />
        <RecentSends report={report} />
      </Box>
    </Page>
  );
}

/** The state from the row in the report; empty if the page was opened in another way. */
function useCombinationState(): Partial<CombinationState> {
  const { state } = useLocation();
  return (state as Partial<CombinationState> | null) ?? {};
}

function rangeOf(
  { from, to }: { from: string; to: string },
  { start_date, end_date }: Partial<CombinationState>,
): Range {
  if (from && to) return { start_date: from, end_date: to };
  return start_date && end_date ? { start_date, end_date } : lastDays(DEFAULT_DAYS);
}

/** The report of a combination. The one of the previous range is shown until the next one is loaded. */
function useCombination(id: string, range: Range, type: CombinationState['type'] = 'asset') {
  const input = { params: { combination: id }, query: { ...range, type } };
  const response = useOrganizationData(ROUTE, input, { keepPreviousData: true, revalidateOnFocus: false });
  const { error, isValidating, mutate } = response;
  const report = response.data?.combination.id === id ? response.data : undefined;
  const { isRepeating, repeat } = useRepeat(mutate);
  useLeaveMissing(paths.reporting(), {
    route: ROUTE,
    input,
    response,
    noun: 'combination',
    back: 'Back to Report',
    missing: 'Combination not found.',
    failed: DETAIL_NOT_LOADED,
  });

  const isOfRange = report !== undefined && isSameRange(report, range);
  return { report, error: error as unknown, isLoading: isRepeating || (isValidating && !isOfRange), repeat };
}

const titleOf = ({ type, combination }: CombinationReport) =>
  type === 'template' ? `Template: ${combination.name}` : 'Asset Combination';

function figuresOf(report: CombinationReport): Figures {
  const counts = {
    sent: report.total_sent,
    opened: report.total_opened,
    machine_opened: report.total_machine_opened,
    clicked: report.total_clicked,
    unsub_clicked: report.total_unsub_clicked,
    unsubscribed: report.total_unsubscribed,
    bounced: report.total_bounced,
    complained: report.total_complained,
  };
  return { ...counts, ...ratesOf({ ...counts, value: unitsOf(report.value) }) };
}

function Actions({ report }: { report: CombinationReport }) {
  const [isExplained, setExplained] = useState(false);
  return (
    <>
      <Button onClick={() => void exportCsv(csv => csv.saveCombination(report))}>Export to CSV</Button>
      <Button aria-haspopup="dialog" onClick={() => setExplained(true)}>
        API
      </Button>
      {isExplained && <ValueDialog combination={report.combination.id} onClose={() => setExplained(false)} />}
    </>
  );
}

function About({ report: { type, combination } }: { report: CombinationReport }) {
  const { id, is_deleted, is_active } = combination;
  return (
    <Flex wrap="wrap" align="center" columnGap="3" rowGap="1" mt="-3" mb="4" fontSize="sm" color="fg.muted">
      {type === 'asset' && (
        <Box color="fg" overflowWrap="anywhere">
          <bdi>{combinationName({ combination: combination.name })}</bdi>
        </Box>
      )}
      <span>
        ID{' '}
        <Box as="code" fontFamily="mono" fontSize="xs" color="fg">
          {id}
        </Box>
      </span>
      <CopyButton text={id} label="Copy ID" variant="ghost" />
      {is_deleted ? <Badge>Deleted</Badge> : !is_active && <Badge>Inactive</Badge>}
    </Flex>
  );
}
