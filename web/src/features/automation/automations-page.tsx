import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import { percentage } from '#shared/report/figures.ts';
import type { Sequence } from '#shared/sequence.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { ColumnsMenu, fitting } from '#web/components/columns-menu.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { CARD_WIDTH } from '#web/components/data-table-layout.ts';
import type { MenuItem } from '#web/components/menu.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { PageActions } from '#web/components/page-actions.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import {
  AUTOMATION,
  DeleteAutomation,
  MailingStatus,
  UnlessPaused,
  useAutomations,
  useSequences,
} from '#web/entities/automation/automation.tsx';
import { LINK_CONTENT, lackOf } from '#web/entities/automation/obstacles.ts';
import { DeleteSequence, isWritten, lackOfSequence, SEQUENCE } from '#web/entities/automation/sequence.tsx';
import { SHARED } from '#web/entities/automation/shared-counts.tsx';
import { useToggle } from '#web/entities/toggle.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { capitalized, formatDate, formatNumber, formatSoon, lowered, plural } from '#web/lib/format.ts';
import { DEFAULT_DAYS } from '#web/lib/last-days.ts';
import { useMay } from '#web/lib/organization.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import { useWidth } from '#web/lib/use-width.ts';
import {
  AUTOMATION_COLUMNS,
  AUTOMATIONS_VIEW,
  type AutomationColumn,
  type AutomationRow,
  automationRows,
  type Figures,
  type FiguresOf,
  figuresBy,
  rowKey,
  shownRows,
  withSteps,
} from './automation-rows.ts';
import { ELIGIBLE_MEANS, eligibilityText, listLines, listsText } from './automation-texts.ts';
import {
  multipleSends,
  SENDS_MEAN,
  scheduleSentence,
  scheduleTexts,
  shortSchedule,
  stepText,
} from './schedule-texts.ts';

const SimulationDialog = onDemand(() => import('./simulation-dialog.tsx'));

export function AutomationsPage() {
  const automations = useAutomations();
  const sequences = useSequences();
  const table = useTableView(AUTOMATIONS_VIEW);
  const automationToggle = useToggle(AUTOMATION);
  const sequenceToggle = useToggle(SEQUENCE);
  const [simulated, setSimulated] = useState<Automation>();
  const [deleted, setDeleted] = useState<AutomationRow>();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const figures = useFigures();
  const [width, measured] = useWidth();
  const { filters } = table.view;
  const fit = width < CARD_WIDTH ? ON_CARD : fitting(AUTOMATION_COLUMNS, width, NAME_WIDTH + MENU_WIDTH);
  const chosen = NAMES.filter(name => (filters.columns.length > 0 ? filters.columns : fit).includes(name));
  const all = automations.data && sequences.data && automationRows(automations.data, sequences.data);
  const found = all && shownRows(all, table.view, figures);

  function open(id: string) {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  }

  return (
    <TablePage
      title="Automations"
      pageActions={
        <PageActions
          items={[
            { id: 'sequence', label: '+ New sequence', to: paths.newSequence(), right: SEQUENCE.right },
            {
              id: 'new',
              label: '+ New Automation',
              to: paths.newAutomation(),
              right: AUTOMATION.right,
              variant: 'solid',
            },
          ]}
        />
      }
      above={<Box ref={measured} />}
      table={{
        ...table,
        isFiltered: filters.search.trim() !== '',
        clear: () => table.filter({ search: '' }),
      }}
      filters={
        <ColumnsMenu
          columns={AUTOMATION_COLUMNS}
          offered={NAMES}
          chosen={chosen}
          none="Name alone"
          onChoose={columns => table.filter({ columns })}
        />
      }
      search="Search by name or list"
      noun="automation"
      total={all?.length}
      found={found?.length}
      nothing={{
        title: "You don't have any automations yet.",
        cause:
          'Create one to send emails to the members of your lists, on a schedule that is counted from a date of each member. Several emails that follow each other are a sequence.',
        more: 'triggers',
        action: (
          <ButtonLink to={paths.newAutomation()} right={AUTOMATION.right}>
            + New Automation
          </ButtonLink>
        ),
      }}
      noMatch={{
        title: 'No automations match your search',
        cause: `No automation has “${filters.search.trim()}” in its name or in that of a list.`,
      }}
      label="Automations"
      wide={!chosen.every(name => fit.includes(name))}
      figures
      columns={columnsWith(chosen, { figures, opened, open })}
      rows={found && withSteps(found, opened, automations.data ?? [])}
      rowKey={rowKey}
      rowName={({ automation, sequence }) => (automation ?? sequence).name}
      problem={automations.error ?? sequences.error}
      failure="Failed to fetch automations. Please try again."
      onRetry={() => Promise.all([automations.mutate(), sequences.mutate()])}
      expected={3}
      isChanging={row => automationToggle.isChanging(rowKey(row))}
      actions={row => {
        const { automation, sequence } = row;
        const { id } = automation ?? sequence;
        const { right } = AUTOMATION;
        const link: MenuItem[] = [
          ...(automation
            ? [{ id: 'simulate', label: 'Simulate sending volume', run: () => setSimulated(automation) }]
            : []),
          ...(automation?.email_eligibility?.is_eligible === false
            ? [{ id: 'content', label: LINK_CONTENT, right, to: dialogPath('content', id) }]
            : []),
        ];
        // A step is switched, changed and deleted by its sequence.
        if (automation && sequence)
          return [...link, { id: 'sequence', label: 'Go to its sequence', to: paths.sequence(sequence.id) }];
        return [
          automation ? automationToggle.actionOf(automation) : sequenceToggle.actionOf(sequence),
          ...link,
          {
            id: 'edit',
            label: 'Edit',
            right,
            to: automation ? paths.editAutomation(id) : paths.editSequence(id),
          },
          { id: 'delete', label: 'Delete', group: 'delete', danger: true, right, run: () => setDeleted(row) },
        ];
      }}
    >
      {simulated && <SimulationDialog automation={simulated} onClose={() => setSimulated(undefined)} />}
      {deleted?.automation && (
        <DeleteAutomation automation={deleted.automation} onClose={() => setDeleted(undefined)} />
      )}
      {deleted && !deleted.automation && (
        <DeleteSequence sequence={deleted.sequence} onClose={() => setDeleted(undefined)} />
      )}
    </TablePage>
  );
}

/** Of all automations at once, and shown once they are there: the table does not wait for them. */
function useFigures() {
  const may = useMay();
  const totals = useOrganizationData(may('reports:read') ? 'GET /api/reporting/automations' : undefined, {
    query: { days: String(DEFAULT_DAYS) },
  });
  const upcoming = useOrganizationData('GET /api/upcoming');
  const [all, next] = [totals.data?.automations, upcoming.data?.automations];
  return useMemo(() => figuresBy(all, next), [all, next]);
}

const NAMES = Object.keys(AUTOMATION_COLUMNS) as AutomationColumn[];
const NAME_WIDTH = 152;
const MENU_WIDTH = 42;
const ON_CARD: AutomationColumn[] = ['sending', 'sent', 'open_rate', 'click_rate', 'next'];

type Controls = {
  figures: FiguresOf;
  /** The ids of the sequences whose steps are shown. */
  opened: ReadonlySet<string>;
  open: (sequence: string) => void;
};

const columnsWith = (
  names: readonly AutomationColumn[],
  { figures, opened, open }: Controls,
): Column<AutomationRow>[] => [
  {
    key: 'name',
    header: 'Name',
    width: `minmax(${NAME_WIDTH}px, 1fr)`,
    sort: 'asc',
    cell: ({ automation, sequence }) =>
      !automation ? (
        <SequenceName sequence={sequence} isOpen={opened.has(sequence.id)} onOpen={open} />
      ) : sequence ? (
        <StepName automation={automation} sequence={sequence} />
      ) : (
        <TextLink to={paths.automation(automation.id)}>{automation.name}</TextLink>
      ),
  },
  ...names.map(name => ({
    key: name,
    header: AUTOMATION_COLUMNS[name][0],
    width:
      name === 'schedule'
        ? `minmax(${AUTOMATION_COLUMNS[name][1]}px, 1fr)`
        : `${AUTOMATION_COLUMNS[name][1]}px`,
    ...columnsBy(figures)[name],
  })),
];

const columnsBy = (
  figures: FiguresOf,
): Record<AutomationColumn, Omit<Column<AutomationRow>, 'key' | 'header' | 'width'>> => ({
  sending: {
    cell: ({ automation, sequence }) =>
      automation ? (
        <MailingStatus mailing={automation} lack={lackOf(automation)} />
      ) : (
        <MailingStatus mailing={sequence} lack={lackOfSequence(sequence)} />
      ),
  },
  sent: {
    sort: 'desc',
    align: 'end',
    explained: `Emails of the last ${DEFAULT_DAYS} days.`,
    cell: row => formatCount(figures(row).sent),
  },
  open_rate: {
    sort: 'desc',
    align: 'end',
    explained: `Opened of sent in the last ${DEFAULT_DAYS} days. Open rates are unreliable. A dash: ${lowered(SHARED)}`,
    cell: row => rateText(figures(row).opened, figures(row).sent),
  },
  click_rate: {
    sort: 'desc',
    align: 'end',
    explained: `Clicked of sent in the last ${DEFAULT_DAYS} days.`,
    cell: row => rateText(figures(row).clicked, figures(row).sent),
  },
  next: {
    sort: 'asc',
    align: 'end',
    explained: 'In UTC.',
    cell: row => {
      const { automation, sequence } = row;
      const lack = automation ? lackOf(automation) : lackOfSequence(sequence);
      return lack === undefined && (automation ?? sequence).active ? nextText(figures(row).next) : NONE;
    },
  },
  schedule: {
    explained: [SENDS_MEAN, 'occurrences'],
    cell: ({ automation, sequence }) =>
      !automation ? (
        sequenceText(sequence)
      ) : sequence ? (
        capitalized(stepText(automation, sequence))
      ) : (
        <ScheduleCell {...automation} />
      ),
  },
  active: {
    sort: 'asc',
    cell: ({ automation, sequence }) => (
      <UnlessPaused mailing={automation ?? sequence}>
        <ActiveStatus {...(automation ?? sequence)} />
      </UnlessPaused>
    ),
  },
  lists: { cell: ({ automation, sequence }) => <Lists {...(automation ?? sequence)} /> },
  eligibility: {
    explained: ELIGIBLE_MEANS,
    cell: ({ automation, sequence }) =>
      automation ? <EligibilityBadge {...automation} /> : <WrittenCell {...sequence} />,
  },
  created_at: {
    sort: 'desc',
    cell: ({ automation, sequence }) => formatDate((automation ?? sequence).created_at),
  },
});

const NONE = '–';
/** Nothing until it is loaded, but with its room: an empty cell has none in a card. */
const LOADING = '\u00a0';
const formatCount = (count: number | undefined) => (count === undefined ? LOADING : formatNumber(count));
const rateText = (count: number | null | undefined, sent: number | undefined) => {
  if (sent === undefined) return LOADING;
  return sent === 0 || count == null ? NONE : percentage(count, sent);
};
const nextText = (next: Figures['next']) => {
  if (!next) return LOADING;
  return next.at ? formatSoon(next.at) : next.count > 0 ? 'Within 7 days' : 'None in 7 days';
};

type NameProps = { sequence: Sequence; isOpen: boolean; onOpen: (sequence: string) => void };

/** The link to a sequence, and the button that shows its steps in the table. */
function SequenceName({ sequence: { id, name, steps }, isOpen, onOpen }: NameProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Flex wrap="wrap" align="center" columnGap="2">
      <TextLink to={paths.sequence(id)}>{name}</TextLink>
      {steps.length > 0 && (
        <Button
          variant="ghost"
          height="5"
          px="1"
          aria-expanded={isOpen}
          aria-label={`${plural(steps.length, 'step')} of ${name}`}
          onClick={() => onOpen(id)}
        >
          <Chevron aria-hidden />
          {plural(steps.length, 'step')}
        </Button>
      )}
    </Flex>
  );
}

const StepName = ({ automation: { id }, sequence }: { automation: Automation; sequence: Sequence }) => (
  <TextLink ps="4" to={paths.automation(id)}>
    Step {formatNumber(sequence.steps.findIndex(step => step.automation_id === id) + 1)} of {sequence.name}
  </TextLink>
);

/** "3 emails, until 7 days after signed_up". */
function sequenceText(sequence: Sequence): string {
  const last = sequence.steps.at(-1);
  if (!last) return 'No steps yet';
  const text = stepText(last, sequence);
  const { length } = sequence.steps;
  return length === 1 ? `1 email, ${text}` : `${formatNumber(length)} emails, the last ${text}`;
}

function Lists({ email_lists }: Pick<Automation, 'email_lists'>) {
  const text = listsText(email_lists.length);
  if (email_lists.length === 0) return <Badge>{text}</Badge>;
  return <BadgeWithTooltip text={text} more={listLines(email_lists)} />;
}

function WrittenCell(sequence: Sequence) {
  const { steps } = sequence;
  const written = steps.filter(isWritten).length;
  const isWhole = written === steps.length && written > 0;
  const badge = (
    <BadgeWithTooltip
      text={isWhole ? 'Eligible' : `${formatNumber(written)} of ${plural(steps.length, 'step')}`}
      more={isWhole ? 'Each of its steps has an email.' : 'Only steps with an email are sent.'}
      isWrong={!isWhole}
    />
  );
  return isWhole ? <UnlessPaused mailing={sequence}>{badge}</UnlessPaused> : badge;
}

function EligibilityBadge(automation: Automation) {
  const { email_eligibility } = automation;
  if (!email_eligibility) return <Badge>No eligibility data</Badge>;
  const { is_eligible } = email_eligibility;
  const badge = (
    <BadgeWithTooltip
      text={is_eligible ? 'Eligible' : 'Not Eligible'}
      more={eligibilityText(email_eligibility)}
      isWrong={!is_eligible}
    />
  );
  return is_eligible ? <UnlessPaused mailing={automation}>{badge}</UnlessPaused> : badge;
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
