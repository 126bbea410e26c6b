import { type ReactNode, useState } from 'react';
import type { Broadcast } from '#shared/broadcast.ts';
import { AUTOMATIONS_PAGE } from '#shared/limits.ts';
import { percentage } from '#shared/report/figures.ts';
import type { TotalsOfAutomation } from '#shared/reporting.ts';
import { Amount } from '#web/components/amount.tsx';
import { ButtonLink, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import {
  BROADCAST,
  BroadcastState,
  canDelete,
  DeleteBroadcast,
  nextRefresh,
  useTotals,
  whenText,
} from '#web/entities/broadcast/broadcast.tsx';
import { hasBegun } from '#web/lib/automation-choice.ts';
import { useIsOther, useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { VALUE_ENDS } from './results.tsx';
import { useDuplicate } from './use-duplicate.ts';

const VIEW = { filters: {} };
const LABEL = 'New broadcast';

export function BroadcastsPage() {
  const table = useTableView(VIEW);
  const { page } = table.view;
  const input = { query: { page: String(page) } };
  const { data, error, mutate } = useOrganizationData(BROADCAST.rows, input, {
    keepPreviousData: true,
    refreshInterval: nextRefresh,
  });
  const isOther = useIsOther(BROADCAST.rows, input);
  const totals = useTotals(data);
  const duplicate = useDuplicate();
  const [deleted, setDeleted] = useState<Broadcast>();
  const hasMore = data?.length === AUTOMATIONS_PAGE;
  const create = (
    <ButtonLink variant="solid" to={paths.newBroadcast()} right={BROADCAST.right}>
      {LABEL}
    </ButtonLink>
  );

  return (
    <TablePage
      title="Broadcasts"
      pageActions={create}
      table={table}
      noun="broadcast"
      total={data && !isOther ? (page - 1) * AUTOMATIONS_PAGE + data.length : undefined}
      found={data?.length}
      nothing={{
        title: 'No broadcasts yet',
        cause:
          'A broadcast is one email to everybody on some lists who matches your conditions, at one time: news, an offer, an invitation.',
        more: 'sequences-and-broadcasts',
        action: (
          <ButtonLink to={paths.newBroadcast()} right={BROADCAST.right}>
            {LABEL}
          </ButtonLink>
        ),
      }}
      noMatch={{ title: 'No broadcasts' }}
      label="Broadcasts"
      figures
      columns={columnsWith(totals.byId)}
      rows={data}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      problem={error}
      failure="Failed to fetch broadcasts. Please try again."
      onRetry={mutate}
      busy={isOther}
      expected={3}
      lastPage={page + Number(hasMore)}
      hasUnknownTotal
      right={BROADCAST.right}
      actions={broadcast => [
        ...(['draft', 'scheduled'].includes(broadcast.status)
          ? [{ id: 'edit', label: 'Edit', to: paths.editBroadcast(broadcast.id) }]
          : []),
        { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(broadcast) },
        ...(canDelete(broadcast)
          ? [
              {
                id: 'delete',
                label: 'Delete',
                group: 'delete',
                danger: true,
                run: () => setDeleted(broadcast),
              },
            ]
          : []),
      ]}
    >
      {deleted && <DeleteBroadcast broadcast={deleted} onClose={() => setDeleted(undefined)} />}
    </TablePage>
  );
}

const NONE = '–';

const columnsWith = (totals: ReadonlyMap<string, TotalsOfAutomation>): Column<Broadcast>[] => {
  const figure = (
    header: string,
    text: (of: TotalsOfAutomation) => ReactNode,
    width = '78px',
  ): Column<Broadcast> => ({
    header,
    width,
    align: 'end',
    cell: broadcast => {
      const of = totals.get(broadcast.id);
      // On a phone, an empty cell takes no line.
      return (of && text(of)) ?? (hasBegun(broadcast) ? NONE : null);
    },
  });
  return [
    { header: 'Name', cell: ({ id, name }) => <TextLink to={paths.broadcast(id)}>{name}</TextLink> },
    { header: 'Status', width: '100px', cell: BroadcastState },
    { header: 'When', width: '210px', collapse: 'value', cell: whenText },
    figure('Sent', ({ sent }) => formatNumber(sent)),
    figure('Opened', ({ opened, sent }) => (opened === null || sent === 0 ? null : percentage(opened, sent))),
    figure('Clicked', ({ clicked, sent }) => (sent === 0 ? null : percentage(clicked, sent))),
    {
      ...figure('Value', ({ value }) => (value === null ? null : <Amount of={value} />), '96px'),
      explained: `Of the first 31 days of each. ${VALUE_ENDS}`,
    },
  ];
};
