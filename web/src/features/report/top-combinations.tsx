import { Box, chakra, Flex } from '@chakra-ui/react';
import { combinationTitles } from '#shared/report/combination-titles.ts';
import type { CombinationsReport } from '#shared/reporting.ts';
import { Panel } from '#web/components/panel.tsx';
import { plural } from '#web/lib/format.ts';
import type { Shown } from './shown-combinations.ts';

const MOST = 5;
const ONE_LINE = 50;

const List = chakra('ol', {
  base: { mt: '2', display: 'grid', gap: '2', minHeight: '182px', alignContent: 'start' },
});
const Bar = chakra('div', {
  base: {
    height: '6px',
    mt: '1',
    minWidth: '2px',
    borderRadius: 'full',
    bg: 'light-dark(var(--ink), var(--brand))',
  },
});

type Props = { shown: Shown[] | undefined; names: CombinationsReport['asset_names'] };

/** The combinations with the most clicks, as bars; undefined while they are loading. */
export function TopCombinations({ shown, names }: Props) {
  const clicked = shown?.filter(({ figures }) => figures.clicked > 0) ?? [];
  const top = clicked.toSorted((a, b) => b.figures.clicked - a.figures.clicked).slice(0, MOST);
  const most = top[0]?.figures.clicked ?? 1;
  const titles = combinationTitles(
    top.flatMap(({ row }) => row ?? []),
    names,
    ONE_LINE,
  );
  return (
    <Panel p="4">
      <Box as="h2" fontSize="sm" fontWeight="semibold">
        Top combinations by clicks
      </Box>
      <List>
        {top.map(({ id, title, figures }) => (
          <li key={id}>
            <Flex justify="space-between" gap="3" lineHeight="20px">
              <Box minWidth="0" lineClamp="1" overflowWrap="anywhere">
                <bdi>{titles.get(id) || title}</bdi>
              </Box>
              <Box flexShrink="0" color="fg.muted" fontVariantNumeric="tabular-nums">
                {plural(figures.clicked, 'click')}, {figures.click_rate}
              </Box>
            </Flex>
            <Bar style={{ width: `${(figures.clicked / most) * 100}%` }} />
          </li>
        ))}
        {shown && top.length === 0 && (
          <Box as="li" color="fg.muted">
            Nobody has clicked in this range yet.
          </Box>
        )}
      </List>
    </Panel>
  );
}
