import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type {
  AutomationComparison,
  Compared,
  ComparedBy,
  Comparing,
  Comparisons,
} from '#shared/comparisons.ts';
import { PARTS } from '#shared/email/content.ts';
import { COUNTED_BY, comparisonSentence, labelsOf, verdictText } from '#shared/report/verdict-texts.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { usePages } from '#web/components/use-table-view.ts';
import { AND, countText, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { today } from '#web/lib/save-file.ts';
import { NO_DESCRIPTION } from './combination-rows.ts';
import { formatDay } from './periods.ts';
import { Rate, scaleOf } from './report-cells.tsx';
import { ComparisonsSection } from './verdicts.tsx';

/** The table is below: first only those with a difference, or one without. */
const MOST_SHOWN = 2;
const RESULTS: AutomationComparison['combinations']['result'][] = [
  'difference',
  'no_difference',
  'not_enough_data',
];

/** Which combinations of each automation are better. */
const WhichIsBetter = () => (
  <ComparisonsSection title="Which is better" height={120}>
    {comparisons => <AutomationComparisons {...comparisons} />}
  </ComparisonsSection>
);
export default WhichIsBetter;

function AutomationComparisons({ by, automations, not_compared, since }: Comparisons) {
  const [isWhole, setWhole] = useState(false);
  const saysMost = ({ combinations, parts }: AutomationComparison) =>
    Math.min(...[combinations, ...parts].map(({ result }) => RESULTS.indexOf(result)));
  const sorted = automations.toSorted((a, b) => saysMost(a) - saysMost(b));
  const found = sorted.filter(one => saysMost(one) === 0).length;
  const shown = isWhole ? sorted : sorted.slice(0, Math.min(Math.max(found, 1), MOST_SHOWN));
  return (
    <>
      {automations.length === 0 && (
        <Panel p="4" color="fg.muted">
          No automation has sent two different combinations since {formatDay(since)}. To compare, link a
          second template, or a second asset of a type, to one of your{' '}
          <TextLink to={paths.automations()}>automations</TextLink>.
        </Panel>
      )}
      <Box display="grid" gap="3">
        {shown.map(one => (
          <Comparison key={one.automation_id} by={by} {...one} />
        ))}
      </Box>
      {automations.length > 0 && (
        <Flex wrap="wrap" align="center" columnGap="4" rowGap="1" mt="2" minHeight="control">
          {shown.length < sorted.length && (
            <Button onClick={() => setWhole(true)}>Show all {sorted.length} automations</Button>
          )}
          <TextLink to={`${paths.reporting()}?from=${since}&to=${today()}`}>
            Show the report since {formatDay(since)}
          </TextLink>
        </Flex>
      )}
      {not_compared.length > 0 && (
        <Notice tone="info" mt="3">
          {AND.format(not_compared.map(({ automation }) => automation))} are not compared: what they have sent
          is counted together.
        </Notice>
      )}
    </>
  );
}

type ComparisonProps = AutomationComparison & { by: ComparedBy };

function Comparison({ by, automation, combinations, parts, has_uneven_shares }: ComparisonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel p="4" role="group" aria-label={`Comparison in ${automation}`} overflowWrap="anywhere">
      <Box as="h3" color="fg.muted" fontSize="xs" lineHeight="20px">
        <bdi>{automation}</bdi>
      </Box>
      <Box fontSize="md" fontWeight="semibold">
        {sentenceOf(combinations, by)}
      </Box>
      {parts.length > 0 && (
        <Box as="ul" mt="2" display="grid" gap="1">
          {parts.map(one => (
            <li key={one.part}>
              <Box as="span" color="fg.muted">
                {PARTS[one.part]}:
              </Box>{' '}
              {sentenceOf(one, by)}
            </li>
          ))}
        </Box>
      )}
      {has_uneven_shares && (
        <Notice tone="warning" mt="2">
          Its content is chosen at random in equal shares, but was not sent so in the last weeks. Look for
          failed emails in the <TextLink to={paths.sendingLog()}>sending log</TextLink> before you trust the
          comparison.
        </Notice>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <chakra.summary mt="2" color="fg.muted">
          Details
        </chakra.summary>
        {isOpen && (
          <>
            <Details label="Combinations" by={by} automation={automation} comparing={combinations} isLinked />
            {parts.map(one => (
              <Details
                key={one.part}
                label={PARTS[one.part]}
                by={by}
                automation={automation}
                comparing={one}
              />
            ))}
          </>
        )}
      </details>
    </Panel>
  );
}

const PER_PAGE = 10;

const HEADERS = { clicks: ['Clicked', 'Click-%'], conversions: ['Conversions', 'Converted-%'] } as const;

const rateBy = (by: ComparedBy) => (row: Compared) => (row.sent === 0 ? 0 : row[COUNTED_BY[by]] / row.sent);

type DetailsProps = {
  label: string;
  by: ComparedBy;
  automation: string;
  comparing: Comparing;
  isLinked?: boolean;
};

function Details({ label, by, automation, comparing: { rows, left_out }, isLinked = false }: DetailsProps) {
  const rate = rateBy(by);
  const sorted = rows.toSorted((a, b) => rate(b) - rate(a) || b.sent - a.sent);
  const pages = usePages(sorted, PER_PAGE);
  return (
    <Box mt="3">
      <Box as="h4" mb="1" fontSize="xs">
        {label}
      </Box>
      <DataTable
        label={`${label} of ${automation}`}
        columns={columnsOf(
          isLinked,
          by,
          scaleOf(rows.map(row => ({ count: row[COUNTED_BY[by]], sent: row.sent }))),
        )}
        {...pages}
        rowKey={({ id }) => id}
        count={isLinked ? countText(rows.length, 'combination') : countText(rows.length, 'variant')}
        empty={null}
      />
      {left_out > 0 && (
        <Box color="fg.muted" fontSize="xs">
          {formatNumber(left_out)} more with fewer emails {left_out === 1 ? 'is' : 'are'} not listed.
        </Box>
      )}
    </Box>
  );
}

const columnsOf = (isLinked: boolean, by: ComparedBy, scale: number): Column<Compared>[] => [
  {
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) =>
      isLinked ? (
        <TextLink to={paths.combination(id)}>
          <bdi>{name || `${NO_DESCRIPTION} (${id})`}</bdi>
        </TextLink>
      ) : (
        <bdi>{name || id}</bdi>
      ),
  },
  { header: 'Compared with the rest', width: 'minmax(200px, 1fr)', cell: row => verdictText(row, by) },
  { header: 'Sent', width: '92px', align: 'end', cell: ({ sent }) => formatNumber(sent) },
  { header: HEADERS[by][0], width: '108px', align: 'end', cell: row => formatNumber(row[COUNTED_BY[by]]) },
  {
    header: HEADERS[by][1],
    width: '108px',
    align: 'end',
    cell: row => <Rate count={row[COUNTED_BY[by]]} sent={row.sent} scale={scale} />,
  },
];

const sentenceOf = (comparing: Comparing, by: ComparedBy) =>
  comparisonSentence(comparing, labelsOf(comparing.rows), by);
