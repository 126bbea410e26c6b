import { Badge, Box, Flex, List, VisuallyHidden } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { PARTS, type Part } from '#shared/email/content.ts';
import { versionTitle } from '#shared/report/combination-titles.ts';
import { MOST_RECENT, ratesOf, unitsOf } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { CombinationReport, Figures, RecentSend } from '#shared/reporting.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { usePages, useTableView } from '#web/components/use-table-view.ts';
import { EmailAndMore } from '#web/entities/email/email-and-more.tsx';
import { partsOf, WrittenParts } from '#web/entities/email/parts.tsx';
import { useLeaveMissing } from '#web/entities/use-leave-missing.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day } from '#web/lib/filters.ts';
import { formatNumber, formatUtcMoment, IN_UTC } from '#web/lib/format.ts';
import { DEFAULT_DAYS, lastDays } from '#web/lib/last-days.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import type { CombinationState } from './combination-columns.tsx';
import { combinationName } from './combination-rows.ts';
import { CombinationVerdicts } from './combination-verdicts.tsx';
import { DailyPerformance } from './daily-performance.tsx';
import { isSameRange } from './periods.ts';
import { exportCsv, RangeForm } from './report-controls.tsx';
import { ReportNotices, Summary } from './summary.tsx';
import { TimeSeries, UNIT } from './time-series.tsx';

const ValueDialog = onDemand(() => import('./value-dialog.tsx'));

const VIEW = { filters: { from: day, to: day, by: UNIT } };
const NOT_LOADED = 'Failed to load combination detail. Please try again.';
const ROUTE = 'GET /api/reporting/combinations/{combination}';

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
          {serverMessageOr(error, NOT_LOADED)}
        </Notice>
      )}
      {report && <ReportNotices {...report} />}
      <Box aria-busy={isLoading} opacity={isLoading && report ? 0.6 : undefined}>
        <TimeSeries
          stats={report}
          unit={view.filters.by}
          onUnit={by => change({ filters: { by } }, { state })}
        />
        <Section title="Performance Summary">
          <Summary
            label="Performance Summary"
            figures={report && figuresOf(report)}
            combination={id}
            range={report ?? range}
          />
        </Section>
        <CombinationContent report={report} />
        <CombinationVerdicts combination={report?.combination} />
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
    missing: 'Combination not found',
    failed: NOT_LOADED,
  });

  const isOfRange = report !== undefined && isSameRange(report, range);
  return { report, error: error as unknown, isLoading: isRepeating || (isValidating && !isOfRange), repeat };
}

const titleOf = ({ type, combination }: CombinationReport) =>
  type === 'template'
    ? `Template: ${versionTitle(combination.name, combination.version)}`
    : 'Asset Combination';

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
    conversions: report.total_conversions,
  };
  return { ...counts, ...ratesOf({ ...counts, value: unitsOf(report.value) }) };
}

function Actions({ report }: { report: CombinationReport }) {
  const [isExplained, setExplained] = useState(false);
  const currency = useOrganization()?.currency;
  return (
    <>
      <Button onClick={() => void exportCsv(csv => csv.saveCombination(report, currency))}>
        Export to CSV
      </Button>
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

const CombinationContent = ({ report }: { report: CombinationReport | undefined }) => (
  <Section title="Email Content">
    {report ? (
      <EmailAndMore
        email={{
          content: partsOf(report.combination),
          language: 'en',
          sentBy: { list: report.recent_sends[0]?.email_list },
          written: { name: 'Parts', panel: <WrittenParts texts={report.combination} /> },
        }}
      >
        <Origin report={report} />
      </EmailAndMore>
    ) : (
      <EmailAndMore email={undefined}>
        <Loading shape={['line', 'line', 'line']} />
      </EmailAndMore>
    )}
  </Section>
);

/** Links to the source of the texts. Deleted content has no page. */
function Origin({ report: { type, combination } }: { report: CombinationReport }) {
  const { template_id, template_name, asset_ids, asset_names, is_deleted } = combination;
  if (type === 'template') {
    return (
      <Box fontSize="sm" overflowWrap="anywhere">
        {is_deleted || template_id === null ? (
          'The template is deleted. Its texts stay here.'
        ) : (
          <>
            From the template <TextLink to={paths.emailTemplate(template_id)}>{template_name}</TextLink>
          </>
        )}
      </Box>
    );
  }
  return (
    <Box fontSize="sm">
      {is_deleted && <Box mb="2">One of the assets is deleted, or all. Their texts stay here.</Box>}
      From the assets
      <List.Root as="ul" ps="5" listStyleType="disc">
        {Object.entries(PARTS).map(([part, name]) => {
          const asset = asset_ids[part as Part];
          return (
            asset && (
              <List.Item key={part}>
                <TextLink to={paths.emailAsset(asset)}>{name}</TextLink>{' '}
                <bdi>{asset_names[part as Part]}</bdi>
              </List.Item>
            )
          );
        })}
      </List.Root>
    </Box>
  );
}

const tick = (key: 'is_opened' | 'is_clicked', header: string): Column<RecentSend> => ({
  header,
  width: '88px',
  cell: send =>
    send[key] ? (
      <>
        <Check aria-hidden size={16} />
        <VisuallyHidden>Yes</VisuallyHidden>
      </>
    ) : (
      <VisuallyHidden>No</VisuallyHidden>
    ),
});

const columns: Column<RecentSend>[] = [
  {
    header: 'Recipient',
    width: 'minmax(0, 2fr)',
    cell: ({ recipient, list_member_id }) =>
      list_member_id === null ? (
        <bdi>{recipient}</bdi>
      ) : (
        <TextLink to={paths.listMember(list_member_id)}>
          <bdi>{recipient}</bdi>
        </TextLink>
      ),
  },
  { header: 'Email list', collapse: 'labelAndValue', cell: ({ email_list }) => email_list },
  { header: 'Automation', collapse: 'labelAndValue', cell: ({ automation }) => automation },
  { header: 'Sent at', width: '180px', cell: ({ sent_at }) => formatUtcMoment(sent_at, '') },
  tick('is_opened', 'Opened'),
  tick('is_clicked', 'Clicked'),
];

const PER_PAGE = 25;

function RecentSends({ report }: { report: CombinationReport | undefined }) {
  const pages = usePages(report?.recent_sends, PER_PAGE);
  const counts =
    report &&
    ` (${formatNumber(Math.min(MOST_RECENT, report.recent_sends.length))} of ${formatNumber(report.total_sent)})`;
  return (
    <Section
      title={`Recent Sends${counts ?? ''}`}
      note={[
        IN_UTC,
        ...(report?.recent_sends_since
          ? [`Only what was due since ${formatUtcMoment(report.recent_sends_since, '')} was looked at.`]
          : []),
      ].join(' ')}
    >
      <DataTable
        label="Recent Sends"
        columns={columns}
        {...pages}
        rowKey={({ id }) => id}
        rowName={({ recipient }) => recipient}
        empty={<EmptyState title="No emails were sent in this range" />}
      />
    </Section>
  );
}
