import { Badge, Box, Flex } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import type { SortedBy } from '#shared/report/figures.ts';
import type { Range } from '#shared/report/range.ts';
import type { Figures, ReportRow } from '#shared/reporting.ts';
import { IconButton, ignoreDoubleClick, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/content/content.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { type CombinationRow, NO_DESCRIPTION } from './combination-rows.ts';
import { formatAmount, formatShare, PeopleLink, Rate, TEXTS } from './report-cells.tsx';

/** What the page of a combination knows from the row that links to it. */
export type CombinationState = Range & {
  type: ReportRow['type'];
  /** The URL of the report, for the way back. */
  report: string;
};

type Place = { range: Range; report: string; isGrouped: boolean };

export function combinationColumns({ range, report, isGrouped }: Place): Column<CombinationRow>[] {
  const id: Column<CombinationRow> = {
    key: 'id',
    header: 'ID',
    width: '108px',
    sort: 'desc',
    sticky: true,
    cell: ({ id, row, title }) =>
      row && (
        <TextLink
          fontFamily="mono"
          fontSize="xs"
          to={paths.combination(id)}
          state={{ ...range, type: row.type, report } satisfies CombinationState}
          aria-label={`${id}, ${title}`}
        >
          {id}
        </TextLink>
      ),
  };
  const name: Column<CombinationRow> = {
    header: 'Combination',
    width: '196px',
    sticky: true,
    cell: shown => <Name {...shown} />,
  };
  const [counts, machines] = [countsIn(range, COUNTS), countsIn(range, MACHINES)];
  return [...(isGrouped ? [name] : [id, name]), ...counts, ...rates, ...values, ...machines];
}

function Name({ name, title, row, count }: CombinationRow) {
  const subject = row?.assets.subject_line;
  return (
    <Flex align="flex-start" gap="2">
      <Box flex="1" minWidth="0">
        <Box
          color={title === NO_DESCRIPTION ? 'fg.muted' : undefined}
          lineClamp="3"
          title={name === title ? undefined : name}
        >
          <bdi>{title}</bdi>
        </Box>
        {subject && !title.includes(subject) && (
          <Box color="fg.muted" fontSize="xs" lineHeight="18px" lineClamp="1" dir="auto">
            {subject}
          </Box>
        )}
        {count > 1 && (
          <Box color="fg.muted" fontSize="xs" lineHeight="18px">
            {plural(count, 'combination')}
          </Box>
        )}
        {row && <State {...row} />}
      </Box>
      {row?.can_edit && row.type === 'template' && <PauseButton row={row} />}
    </Flex>
  );
}

const State = ({ is_deleted, is_active }: ReportRow) =>
  is_deleted ? <Badge>Deleted</Badge> : !is_active && <Badge>Inactive</Badge>;

const figureColumn = (
  key: SortedBy & keyof Figures,
  header: string,
  width: string,
  explained: string | undefined,
  cell: Column<CombinationRow>['cell'],
): Column<CombinationRow> => ({
  key,
  header,
  ...(explained && { explained }),
  width: `minmax(${width}, 1fr)`,
  align: 'end',
  sort: 'desc',
  cell,
});

// As narrow as their headers: at a width of 1440 the value is in view.
const COUNTS = [
  ['sent', 'Sent', '72px'],
  ['opened', 'Opened', '92px', TEXTS.opened],
  ['clicked', 'Clicked', '94px'],
  ['unsubscribed', 'Unsubscribed', '126px'],
] as const;
const MACHINES = [['machine_opened', 'Machine Opened', '160px', TEXTS.machine_opened]] as const;

const countsIn = (
  range: Range,
  counts: readonly (readonly [(typeof COUNTS | typeof MACHINES)[number][0], string, string, string?])[],
) =>
  counts.map(([key, header, width, explained]) =>
    // The log cannot be filtered by several combinations.
    figureColumn(key, header, width, explained, ({ figures, row }) =>
      row ? (
        <PeopleLink count={figures[key]} combination={row.id} status={key} range={range} />
      ) : (
        formatNumber(figures[key])
      ),
    ),
  );

const RATES = [
  ['open_rate', 'Open-%', 'opened'],
  ['click_rate', 'Click-%', 'clicked'],
  ['unsubscribe_rate', 'Unsub-%', 'unsubscribed'],
] as const;

const rates = RATES.map(([key, header, counted]) =>
  figureColumn(key, header, '98px', TEXTS[key], ({ figures }) => (
    <Rate rate={figures[key]} count={figures[counted]} sent={figures.sent} />
  )),
);

const VALUES = [
  ['value', 'Value', '88px'],
  ['value_per_send', 'Value/Send', '128px', 'sent'],
  ['value_per_click', 'Value/Click', '128px', 'clicked'],
] as const;

const values = VALUES.map(([key, header, width, per]) =>
  figureColumn(key, header, width, TEXTS[key], ({ figures }) =>
    per ? formatShare(figures[key], figures[per]) : formatAmount(figures[key]),
  ),
);

/** A template in a report, whose rows have its id. */
const REPORTED_TEMPLATE = {
  ...EMAIL_TEMPLATE,
  rows: 'GET /api/reporting/combinations',
  texts: {
    ...EMAIL_TEMPLATE.texts,
    switched: (_: unknown, active: boolean) => `Template ${active ? 'activated' : 'paused'} successfully`,
  },
} as const;

const NO_ID = 'Cannot update template status: Template ID not found';

function PauseButton({ row }: { row: ReportRow }) {
  const { toggle, isChanging } = useToggle(REPORTED_TEMPLATE);
  const { template_id: id, combination: name, is_active } = row;

  function press() {
    if (id) void toggle({ id, name }, !is_active);
    else toast(NO_ID, 'error', RESULT_DURATION);
  }

  const Icon = is_active ? Pause : Play;
  return (
    <IconButton
      label={`${is_active ? 'Pause' : 'Activate'} ${name}`}
      my="calc((20px - var(--control)) / 2)"
      loading={id !== null && isChanging(id)}
      onClickCapture={ignoreDoubleClick}
      onClick={press}
    >
      <Icon aria-hidden />
    </IconButton>
  );
}
