import { Box, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationComparison, Compared, Comparing } from '#shared/comparisons.ts';
import { PARTS } from '#shared/email/content.ts';
import { percentage } from '#shared/report/figures.ts';
import { TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { Panel } from '#web/components/panel.tsx';
import { countText, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { sentenceOf } from './comparison-sentence.ts';
import { VERDICT_TEXTS } from './comparison-texts.ts';
import { Rate } from './rate.tsx';
import { NO_DESCRIPTION } from './report-texts.ts';
import { usePages } from './use-pages.ts';

const Disclosed = chakra('summary', {
  base: { width: 'fit-content', mt: '2', py: '1', color: 'fg.muted', cursor: 'pointer' },
});

/** The result of comparing the combinations of an automation, and the variants of each part, with the numbers behind it. */
export function Comparison({ automation, combinations, parts }: AutomationComparison) {
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

type DetailsProps = { label: string; automation: string; comparing: Comparing; isLinked?: boolean };

function Details({ label, automation, comparing: { rows, left_out }, isLinked = false }: DetailsProps) {
  const pages = usePages(rows, PER_PAGE);
  return (
    <Box mt="3">
      <Box as="h4" mb="1" fontSize="xs">
        {label}
      </Box>
      <DataTable
        label={`${label} of ${automation}`}
        columns={columnsOf(isLinked)}
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

const columnsOf = (isLinked: boolean): Column<Compared>[] => [
  {
    key: 'name',
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
  {
    key: 'verdict',
    header: 'Compared with the rest',
    width: '200px',
    cell: ({ verdict }) => VERDICT_TEXTS[verdict],
  },
  { key: 'sent', header: 'Sent', width: '92px', align: 'end', cell: ({ sent }) => formatNumber(sent) },
  {
    key: 'clicked',
    header: 'Clicked',
    width: '92px',
    align: 'end',
    cell: ({ clicked }) => formatNumber(clicked),
  },
  {
    key: 'click_rate',
    header: 'Click-%',
    width: '108px',
    align: 'end',
    cell: ({ clicked, sent }) => <Rate rate={percentage(clicked, sent)} count={clicked} sent={sent} />,
  },
];
