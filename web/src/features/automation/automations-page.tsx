import { Badge, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import { compareNames } from '#shared/names.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import {
  AUTOMATION,
  DeleteAutomation,
  PausedOr,
  useAutomations,
} from '#web/entities/automation/automation.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { text } from '#web/lib/filters.ts';
import { formatDate } from '#web/lib/format.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import type { ViewOf } from '#web/lib/table-view.ts';
import { ELIGIBLE_MEANS, eligibilityText, listLines, listsText } from './automation-texts.ts';
import {
  multipleSends,
  SENDS_MEAN,
  scheduleSentence,
  scheduleTexts,
  shortSchedule,
} from './schedule-texts.ts';

const SimulationDialog = onDemand(() => import('./simulation-dialog.tsx'));

const AUTOMATIONS_VIEW = { filters: { search: text }, sorts: ['name', 'active', 'created_at'] } as const;

export function AutomationsPage() {
  const { data: automations, error, mutate } = useAutomations();
  const table = useTableView(AUTOMATIONS_VIEW);
  const { actionOf: toggleOf, isChanging } = useToggle(AUTOMATION);
  const [simulated, setSimulated] = useState<Automation>();
  const [deleted, setDeleted] = useState<Automation>();
  const shown = automations && shownAutomations(automations, table.view);

  return (
    <TablePage
      title="Automations"
      pageActions={
        <ButtonLink variant="solid" to={paths.newAutomation()} right={AUTOMATION.right}>
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
        action: (
          <ButtonLink to={paths.newAutomation()} right={AUTOMATION.right}>
            + New Automation
          </ButtonLink>
        ),
      }}
      noMatch={{
        title: 'No automations match your search',
        cause: `No automation has “${table.view.filters.search.trim()}” in its name or in that of a list.`,
      }}
      label="Automations"
      columns={columnsWith(setSimulated)}
      rows={shown}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      problem={error}
      failure="Failed to fetch automations. Please try again."
      onRetry={mutate}
      expected={3}
      isChanging={({ id }) => isChanging(id)}
      right={AUTOMATION.right}
      actions={automation => [
        toggleOf(automation),
        ...(automation.email_eligibility?.is_eligible
          ? []
          : [{ id: 'content', label: LINK_CONTENT, to: dialogPath('content', automation.id) }]),
        { id: 'edit', label: 'Edit', to: paths.editAutomation(automation.id) },
        { id: 'delete', label: 'Delete', group: 'delete', danger: true, run: () => setDeleted(automation) },
      ]}
    >
      {simulated && <SimulationDialog automation={simulated} onClose={() => setSimulated(undefined)} />}
      {deleted && <DeleteAutomation automation={deleted} onClose={() => setDeleted(undefined)} />}
    </TablePage>
  );
}

type Order = (a: Automation, b: Automation) => number;

const byName: Order = (a, b) => compareNames(a.name, b.name);

const ORDERS = {
  name: byName,
  active: (a, b) => Number(b.active) - Number(a.active) || byName(a, b),
  created_at: (a, b) => a.created_at.localeCompare(b.created_at),
} satisfies Record<string, Order>;

export function shownAutomations(
  automations: Automation[],
  { sort = 'name', direction, filters }: ViewOf<typeof AUTOMATIONS_VIEW>,
): Automation[] {
  const query = filters.search.trim().toLowerCase();
  const matches = automations.filter(({ name, email_lists }) =>
    [name, ...email_lists.map(list => list.name)].join('\n').toLowerCase().includes(query),
  );
  const sorted = matches.toSorted(ORDERS[sort]);
  return direction === 'desc' ? sorted.reverse() : sorted;
}

const columnsWith = (simulate: (automation: Automation) => void): Column<Automation>[] => [
  {
    key: 'name',
    header: 'Name',
    sort: 'asc',
    cell: ({ id, name }) => <TextLink to={paths.automation(id)}>{name}</TextLink>,
  },
  { header: 'Lists', width: '90px', collapse: 'value', cell: Lists },
  {
    header: 'Email Eligibility',
    explained: ELIGIBLE_MEANS,
    width: '136px',
    collapse: 'value',
    cell: EligibilityCell,
  },
  { header: 'Schedule', explained: SENDS_MEAN, width: '240px', collapse: 'value', cell: ScheduleCell },
  { key: 'active', header: 'Status', width: '92px', sort: 'asc', cell: StatusCell },
  {
    key: 'created_at',
    header: 'Created',
    width: '108px',
    sort: 'desc',
    cell: ({ created_at }) => formatDate(created_at),
  },
  {
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

function Lists({ email_lists }: Pick<Automation, 'email_lists'>) {
  const text = listsText(email_lists.length);
  if (email_lists.length === 0) return <Badge>{text}</Badge>;
  return <BadgeWithTooltip text={text} more={listLines(email_lists)} />;
}

const StatusCell = (automation: Automation) => (
  <PausedOr automation={automation} text="Paused">
    <ActiveStatus {...automation} />
  </PausedOr>
);

const EligibilityCell = (automation: Automation) =>
  automation.email_eligibility?.is_eligible ? (
    <PausedOr automation={automation}>
      <EligibilityBadge {...automation} />
    </PausedOr>
  ) : (
    <EligibilityBadge {...automation} />
  );

function EligibilityBadge({ email_eligibility }: Partial<Pick<Automation, 'email_eligibility'>>) {
  if (!email_eligibility) return <Badge>No eligibility data</Badge>;
  const { is_eligible } = email_eligibility;
  return (
    <BadgeWithTooltip
      text={is_eligible ? 'Eligible' : 'Not Eligible'}
      more={eligibilityText(email_eligibility)}
      isWrong={!is_eligible}
    />
  );
}

/** When an automation sends, and how many emails at once, with the whole text in a tooltip. */
function ScheduleCell(automation: Automation) {
  const sends = multipleSends(automation);
  const [first, ...others] = sends;
  const multiple = first ? [...sends, SENDS_MEAN] : ['Multiple sends: None configured'];
  const sentence = scheduleSentence(automation, automation.metadata_trigger);
  const more = [sentence, ...scheduleTexts(automation), ...multiple].join('\n');
  return (
    <Flex wrap="wrap" align="center" columnGap="2">
      <Tooltip text={more} onPress>
        <chakra.button type="button" textAlign="start">
          {shortSchedule(automation, automation.metadata_trigger)}
        </chakra.button>
      </Tooltip>
      {automation.audience && (
        <BadgeWithTooltip text="Conditions" more="Only members who match its conditions get it." />
      )}
      {first && <Badge>{others.length > 0 ? `${first} + ${others.length}` : first}</Badge>}
    </Flex>
  );
}

type BadgeProps = { text: string; more: string; isWrong?: boolean };

const BadgeWithTooltip = ({ text, more, isWrong = false }: BadgeProps) => (
  <Tooltip text={more} onPress>
    <Badge asChild {...(isWrong && { color: 'fg.warning', borderColor: 'brand.line', bg: 'brand.wash' })}>
      <button type="button">{text}</button>
    </Badge>
  </Tooltip>
);
