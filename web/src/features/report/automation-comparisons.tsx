import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationComparison, Compared, Comparing, Comparisons } from '#shared/comparisons.ts';
import { PARTS } from '#shared/email/content.ts';
import { comparisonSentence, verdictText } from '#shared/report/verdict-texts.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { usePages } from '#web/components/use-table-view.ts';
import { countText, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { today } from '#web/lib/save-file.ts';
import { NO_DESCRIPTION } from './combination-rows.ts';
import { Rate, scaleOf } from './report-cells.tsx';
import { formatDay } from './report-range.ts';
import { labelsOf } from './verdicts.tsx';

/** The table is below: first only those with a difference, or one without. */
const MOST_SHOWN = 2;
const RESULTS: AutomationComparison['combinations']['result'][] = [
  'difference',
  'no_difference',
  'not_enough_data',
];
const AND = new Intl.ListFormat('en', { type: 'conjunction' });

export default function AutomationComparisons({ automations, not_compared, since }: Comparisons) {
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
          No automation has sent two different combinations since {formatDay(since)}. They can be compared
          where an automation chooses between them.
        </Panel>
      )}
      <Box display="grid" gap="3">
        {shown.map(one => (
          <Comparison key={one.automation_id} {...one} />
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

const Disclosed = chakra('summary', {
  base: { width: 'fit-content', mt: '2', py: '1', color: 'fg.muted', cursor: 'pointer' },
});

function Comparison({ automation, combinations, parts, has_uneven_shares }: AutomationComparison) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel p="4" role="group" aria-label={`Comparison in ${automation}`} overflowWrap="anywhere">
      <Box as="h3" color="fg.muted" fontSize="xs" lineHeight="20px">
        <bdi>{automation}</bdi>
      </Box>
      <Box fontSize="md" fontWeight="semibold">
        {sentenceOf(combinations)}
      </Box>
      {parts.length > 0 && (
        <Box as="ul" mt="2" display="grid" gap="1">
          {parts.map(one => (
            <li key={one.part}>
              <Box as="span" color="fg.muted">
                {PARTS[one.part]}:
              </Box>{' '}
              {sentenceOf(one)}
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
        <Disclosed>Details</Disclosed>
        {isOpen && (
          <>
            <Details label="Combinations" automation={automation} comparing={combinations} isLinked />
            {parts.map(one => (
              <Details key={one.part} label={PARTS[one.part]} automation={automation} comparing={one} />
            ))}
          </>
        )}
      </details>
    </Panel>
  );
}

const PER_PAGE = 10;

const clickRate = ({ clicked, sent }: Compared) => (sent === 0 ? 0 : clicked / sent);
const byClicks = (a: Compared, b: Compared) => clickRate(b) - clickRate(a) || b.sent - a.sent;

type DetailsProps = { label: string; automation: string; comparing: Comparing; isLinked?: boolean };

function Details({ label, automation, comparing: { rows, left_out }, isLinked = false }: DetailsProps) {
  const pages = usePages(rows.toSorted(byClicks), PER_PAGE);
  return (
    <Box mt="3">
      <Box as="h4" mb="1" fontSize="xs">
        {label}
      </Box>
      <DataTable
        label={`${label} of ${automation}`}
        columns={columnsOf(isLinked, scaleOf(rows.map(({ clicked, sent }) => ({ count: clicked, sent }))))}
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

const columnsOf = (isLinked: boolean, scale: number): Column<Compared>[] => [
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
  { header: 'Compared with the rest', width: '200px', cell: verdictText },
  { header: 'Sent', width: '92px', align: 'end', cell: ({ sent }) => formatNumber(sent) },
  { header: 'Clicked', width: '92px', align: 'end', cell: ({ clicked }) => formatNumber(clicked) },
  {
    header: 'Click-%',
    width: '108px',
    align: 'end',
    cell: ({ clicked, sent }) => <Rate count={clicked} sent={sent} scale={scale} />,
  },
];

const sentenceOf = (comparing: Comparing) => comparisonSentence(comparing, labelsOf(comparing.rows));
