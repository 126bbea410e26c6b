import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Broadcast } from '#shared/broadcast.ts';
import { BROADCAST_DAYS } from '#shared/limits.ts';
import { percentage } from '#shared/report/figures.ts';
import { dayAfter } from '#shared/report/range.ts';
import type { ReportRow } from '#shared/reporting.ts';
import { Amount } from '#web/components/amount.tsx';
import { TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Section } from '#web/components/section.tsx';
import { resultsRefreshedAfter } from '#web/entities/broadcast/broadcast.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { today } from '#web/lib/save-file.ts';

type Props = { broadcast: Broadcast; started: string };

/** What came of each template of a broadcast that sends several, from the report of the days of its results. */
export default function Variants({ broadcast, started }: Props) {
  const { email_template_ids: ids } = broadcast;
  const start_date = started.slice(0, 10);
  const last = dayAfter(start_date, BROADCAST_DAYS - 1);
  const [end_date = last] = [last, today()].toSorted();
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/combinations',
    { query: { start_date, end_date } },
    { refreshInterval: resultsRefreshedAfter([broadcast]) },
  );
  const rows = data?.combinations.filter(({ template_id }) => template_id && ids.includes(template_id));
  return (
    <Section
      title="Results by template"
      note="If another automation or broadcast sends one of them too, its emails are counted with these."
    >
      <DataTable
        label="Results by template"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        count={rows?.length ? countText(rows.length, 'template') : undefined}
        empty={<EmptyState title="Nothing is counted yet." />}
        problem={error}
        failure="Failed to load the results of each template. Please try again."
        onRetry={mutate}
        expected={ids.length}
      />
    </Section>
  );
}

const figure = (header: string, cell: (row: ReportRow) => ReactNode): Column<ReportRow> => ({
  header,
  width: '96px',
  align: 'end',
  cell,
});

const COLUMNS: Column<ReportRow>[] = [
  {
    header: 'Template',
    cell: ({ id, template_name, combination, assets }) => (
      <>
        <TextLink to={paths.combination(id)}>
          <bdi>{template_name ?? combination}</bdi>
        </TextLink>
        {assets.subject_line && (
          <Text color="fg.muted" fontSize="xs" dir="auto">
            {assets.subject_line}
          </Text>
        )}
      </>
    ),
  },
  figure('Sent', ({ sent }) => formatNumber(sent)),
  figure('Opened', ({ opened, sent }) => percentage(opened, sent)),
  figure('Clicked', ({ clicked, sent }) => percentage(clicked, sent)),
  figure('Value', ({ value }) => <Amount of={value} />),
];
