import { Badge, Box, Flex } from '@chakra-ui/react';
import { Pause, Play } from 'lucide-react';
import type { Range } from '#shared/report/range.ts';
import type { CombinationsReport, ReportRow } from '#shared/reporting.ts';
import { Amount, amountText } from '#web/components/amount.tsx';
import { IconButton, ignoreDoubleClick, TextLink } from '#web/components/button.tsx';
import { fitting } from '#web/components/columns-menu.tsx';
import { copyText } from '#web/components/copy-button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { CARD_WIDTH } from '#web/components/data-table-layout.ts';
import type { MenuItem } from '#web/components/menu.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/content/content.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import type { Explained } from '#web/lib/help.ts';
import { logPath, paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { type CombinationRow, NO_DESCRIPTION } from './combination-rows.ts';
import { peopleFilter } from './periods.ts';
import { PeopleLink, Rate, Share, scaleOf, scaleOfValue, TEXTS, ValuePerSend } from './report-cells.tsx';

/** What the page of a combination knows from the row that links to it. */
export type CombinationState = Range & {
  type: ReportRow['type'];
  /** The URL of the report, for the way back. */
  report: string;
};

type Place = {
  range: Range;
  report: string;
  names: CombinationsReport['automation_names'];
  /** Those on the page: the bars of a column have one scale. */
  rows: CombinationRow[];
  currency: string | null | undefined;
};

/**
 * In the order in which they get room, with their widths, as narrow as their headers: at 1280 the first seven are in view, beside
 * the sidebar. The combination itself is always shown.
 */
export const COLUMNS = {
  automation: ['Automation', 108],
  sent: ['Sent', 84],
  open_rate: ['Open-%', 98],
  click_rate: ['Click-%', 96],
  unsubscribe_rate: ['Unsub-%', 106],
  value: ['Value', 90],
  value_per_send: ['Value/Send', 122],
  opened: ['Opened', 94],
  clicked: ['Clicked', 94],
  unsubscribed: ['Unsubscribed', 128],
  conversions: ['Conversions', 122],
  value_per_click: ['Value/Click', 122],
  machine_opened: ['Machine opened', 146],
  id: ['ID', 124],
} as const;
export type ColumnName = keyof typeof COLUMNS;

const NAME_WIDTH = 176;
const MORE_NAME = 84;
const MENU_WIDTH = 42;
const ON_CARD: ColumnName[] = ['sent', 'open_rate', 'click_rate', 'value'];

/** The first columns that fit into so many pixels. Further ones come where the names have room already. */
export const fittingOf = (width: number): ColumnName[] =>
  width < CARD_WIDTH ? ON_CARD : fitting(COLUMNS, width, NAME_WIDTH + MENU_WIDTH, { opened: MORE_NAME });

export function combinationColumns(shown: readonly ColumnName[], place: Place): Column<CombinationRow>[] {
  const name: Column<CombinationRow> = {
    header: 'Combination',
    explained: ['The content of one email: a template, or one asset of each type.', 'combinations'],
    width: `minmax(${NAME_WIDTH}px, 1fr)`,
    cell: row => <Named {...row} {...place} />,
  };
  return [name, ...shown.map(one => columnOf(one, place))];
}

const EXPLAINED: Partial<Record<ColumnName, Explained>> = TEXTS;

function columnOf(name: ColumnName, place: Place): Column<CombinationRow> {
  const explained = EXPLAINED[name];
  const [header, least] = COLUMNS[name];
  const pixels = name === 'value' ? Math.max(least, widthOfAmounts(place)) : least;
  const width = name === 'automation' ? `minmax(${least}px, 0.5fr)` : `${pixels}px`;
  const shared = { header, width, ...(explained && { explained }) };
  if (name === 'automation')
    return { ...shared, cell: ({ automations }) => <Automations ids={automations} names={place.names} /> };
  const sorted = { ...shared, key: name, sort: 'desc' } as const;
  if (name === 'id')
    return {
      ...sorted,
      cell: ({ row }) => (
        <Box as="code" fontFamily="mono" fontSize="xs">
          {row?.id}
        </Box>
      ),
    };
  return { ...sorted, align: 'end', cell: cellOf(name, place) };
}

const PADDING = 24;
const DIGIT_WIDTH = 8;

/** So that no amount on the page is broken. */
const widthOfAmounts = ({ rows, currency }: Place) =>
  PADDING +
  DIGIT_WIDTH * Math.max(0, ...rows.map(({ figures }) => amountText(figures.value, 2, currency).length));

const RATES = { open_rate: 'opened', click_rate: 'clicked', unsubscribe_rate: 'unsubscribed' } as const;

function cellOf(
  name: Exclude<ColumnName, 'automation' | 'id'>,
  { rows, range }: Place,
): Column<CombinationRow>['cell'] {
  switch (name) {
    case 'open_rate':
    case 'click_rate':
    case 'unsubscribe_rate': {
      const part = ({ figures }: CombinationRow) => ({ count: figures[RATES[name]], sent: figures.sent });
      const scale = scaleOf(rows.map(part));
      return row => <Rate {...part(row)} scale={scale} />;
    }
    case 'value':
      return ({ figures }) => <Amount of={figures.value} />;
    case 'conversions':
      return ({ figures }) => formatNumber(figures.conversions);
    case 'value_per_send': {
      const scale = scaleOfValue(rows.map(({ figures }) => figures));
      return ({ figures }) => <ValuePerSend {...figures} scale={scale} />;
    }
    case 'value_per_click':
      return ({ figures }) => <Share of={figures.value_per_click} count={figures.clicked} />;
    default:
      // The log cannot be filtered by several combinations.
      return ({ figures, row }) =>
        row ? (
          <PeopleLink count={figures[name]} combination={row.id} status={name} range={range} />
        ) : (
          formatNumber(figures[name])
        );
  }
}

function Automations({ ids, names }: { ids: string[]; names: Place['names'] }) {
  const [first, ...others] = ids.flatMap(id => names[id] ?? []);
  if (first === undefined) return '–';
  return (
    <Box lineClamp="2" title={[first, ...others].join(', ')}>
      {/* Names of automations have underscores in place of spaces: lines may break there. */}
      <bdi>{first.replaceAll('_', '_\u200b')}</bdi>
      {others.length > 0 && (
        <Box as="span" color="fg.muted">
          {' '}
          and {others.length} more
        </Box>
      )}
    </Box>
  );
}

function Named({ id, name, title, row, count, range, report }: CombinationRow & Place) {
  const subject = row?.assets.subject_line;
  const text = (
    <Box
      as="span"
      color={title === NO_DESCRIPTION ? 'fg.muted' : undefined}
      lineClamp="2"
      title={name === title ? undefined : name}
    >
      <bdi>{title}</bdi>
    </Box>
  );
  return (
    <Flex align="flex-start" gap="2">
      <Box flex="1" minWidth="0">
        {row ? (
          <TextLink
            display="block"
            to={paths.combination(id)}
            state={{ ...range, type: row.type, report } satisfies CombinationState}
          >
            {text}
          </TextLink>
        ) : (
          text
        )}
        {subject && !title.includes(subject) && (
          <Box color="fg.muted" fontSize="xs" fontWeight="normal" lineHeight="18px" lineClamp="1" dir="auto">
            {subject}
          </Box>
        )}
        {count > 1 && (
          <Box color="fg.muted" fontSize="xs" fontWeight="normal" lineHeight="18px">
            {plural(count, 'combination')}
          </Box>
        )}
        {row && <State {...row} />}
      </Box>
      {row?.can_edit && row.type === 'template' && <PauseButton row={row} />}
    </Flex>
  );
}

export const actionsOf =
  (range: Range) =>
  ({ row }: CombinationRow): MenuItem[] =>
    row
      ? [
          { id: 'copy', label: 'Copy ID', run: () => void copyId(row.id) },
          {
            id: 'log',
            label: 'Show its emails',
            to: logPath(peopleFilter({ combination: row.id, status: 'sent', range })),
          },
        ]
      : [];

const copyId = async (id: string) => {
  if (await copyText(id)) toast('ID copied', 'success', RESULT_DURATION);
};

const State = ({ is_deleted, is_active }: ReportRow) =>
  is_deleted ? <Badge>Deleted</Badge> : !is_active && <Badge>Inactive</Badge>;

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
