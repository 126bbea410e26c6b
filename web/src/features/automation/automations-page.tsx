import { useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { AUTOMATION, useAutomations } from '#web/entities/automation/automation.ts';
import { DeleteAutomation } from '#web/entities/automation/delete-automation.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { useToggle } from '#web/entities/use-toggle.ts';
import { formatDate } from '#web/lib/format.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import { EligibilityBadge, Lists, ScheduleCell } from './automation-cells.tsx';
import { ELIGIBLE_MEANS, SENDS_MEAN } from './automation-texts.ts';
import { AUTOMATIONS_VIEW, shownAutomations } from './shown-automations.ts';
import { SimulationDialog } from './simulation-dialog.tsx';

const columnsWith = (simulate: (automation: Automation) => void): Column<Automation>[] => [
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ id, name }) => <TextLink to={paths.automation(id)}>{name}</TextLink>,
  },
  { key: 'lists', header: 'Lists', width: '90px', collapse: 'value', cell: Lists },
  {
    key: 'eligibility',
    header: 'Email Eligibility',
    explained: ELIGIBLE_MEANS,
    width: '136px',
    collapse: 'value',
    cell: EligibilityBadge,
  },
  {
    key: 'schedule',
    header: 'Schedule',
    explained: SENDS_MEAN,
    width: '240px',
    collapse: 'value',
    cell: ScheduleCell,
  },
  { key: 'active', header: 'Status', width: '92px', sort: 'asc', cell: ActiveStatus },
  {
    key: 'created_at',
    header: 'Created',
    width: '108px',
    sort: 'desc',
    cell: ({ created_at }) => formatDate(created_at),
  },
  {
    key: 'simulation',
    header: 'Simulation',
    width: '196px',
    cell: automation => (
      // One element, as each cell of a card must have exactly one child.
      <div>
        <Button
          variant="ghost"
          // As high as one line of the row, and aligned with the text of its column.
          my="calc((20px - var(--control)) / 2)"
          ml="-2"
          aria-label={`Simulate sending volume of ${automation.name}`}
          onClick={() => simulate(automation)}
        >
          Simulate sending volume
        </Button>
      </div>
    ),
  },
];

/** Which dialog is open, and for which automation. */
type OpenDialog = { kind: 'simulation' | 'deletion'; automation: Automation };

/** The automations of the organization. */
export function AutomationsPage() {
  const { data: automations, error, mutate } = useAutomations();
  const table = useTableView(AUTOMATIONS_VIEW);
  const { actionOf: toggleOf, isChanging } = useToggle(AUTOMATION);
  const [open, setOpen] = useState<OpenDialog>();
  const shown = automations && shownAutomations(automations, table.view);
  const columns = columnsWith(automation => setOpen({ kind: 'simulation', automation }));

  return (
    <TablePage
      title="Automations"
      pageActions={
        <ButtonLink variant="solid" to={paths.newAutomation()}>
          + New Automation
        </ButtonLink>
      }
      table={table}
      search="Search by name or list"
      noun="automation"
      total={automations?.length}
      found={shown?.length}
      nothing={{
        title: "You don't have any automations yet.",
        cause:
          'Create one to send emails to the members of your lists, on a schedule that is counted from a date of each member.',
        action: <ButtonLink to={paths.newAutomation()}>+ New Automation</ButtonLink>,
      }}
      noMatch={{
        title: 'No automations match your search',
        cause: `No automation has “${table.view.filters.search.trim()}” in its name or in that of a list.`,
      }}
      label="Automations"
      columns={columns}
      rows={shown}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      problem={error}
      failure="Failed to fetch automations. Please try again."
      onRetry={mutate}
      expected={3}
      isChanging={({ id }) => isChanging(id)}
      actions={automation => [
        toggleOf(automation),
        ...(automation.email_eligibility?.is_eligible
          ? []
          : [{ id: 'content', label: LINK_CONTENT, to: dialogPath('content', automation.id) }]),
        { id: 'edit', label: 'Edit', to: paths.editAutomation(automation.id) },
        {
          id: 'delete',
          label: 'Delete',
          group: 'delete',
          danger: true,
          run: () => setOpen({ kind: 'deletion', automation }),
        },
      ]}
    >
      {open && <Dialog {...open} onClose={() => setOpen(undefined)} />}
    </TablePage>
  );
}

function Dialog({ kind, ...props }: OpenDialog & { onClose: () => void }) {
  return kind === 'simulation' ? <SimulationDialog {...props} /> : <DeleteAutomation {...props} />;
}
