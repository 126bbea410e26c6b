import { Box } from '@chakra-ui/react';
import { PARTS, type Part } from '../../../../shared/email/content.ts';
import { type Comparison as Compared, comparisonSentence } from '../../../../shared/report/comparison.ts';
import { Explained } from '../../components/explained.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatDay } from './dates.ts';

const HOW =
  'The clicks of each one are compared with those of all others together, day by day. You may look as often as you like: a difference that is not there is named in at most 5% of cases.';

type Props = {
  /** The name of the automation: only what it chooses from for the same emails can be compared. */
  automation: string;
  comparison: Compared;
  /** Of the parts with several variants. */
  parts: { part: Part; comparison: Compared }[];
  /** The UTC day since when everything is compared. */
  since: string;
  /** What is shown for the id of a combination, or of an asset. */
  nameOf: (id: string) => string;
};

/** Whether the combinations of an automation differ, in a sentence; and the same of their parts. */
export const Comparison = ({ automation, comparison, parts, since, nameOf }: Props) => (
  <Panel p="4" mb="5" aria-label={`Comparison in ${automation}`} role="group">
    <Box color="fg.muted" fontSize="xs">
      <Explained word={`${automation}, since ${formatDay(since)}`}>{HOW}</Explained>
    </Box>
    <Box mt="1" fontSize="md" fontWeight="semibold" overflowWrap="anywhere">
      {comparisonSentence(comparison, nameOf)}
    </Box>
    {parts.length > 0 && (
      <Box as="ul" mt="2" display="grid" gap="1">
        {parts.map(({ part, comparison }) => (
          <Box as="li" key={part} overflowWrap="anywhere">
            <Box as="span" color="fg.muted">
              {PARTS[part]}:
            </Box>{' '}
            {comparisonSentence(comparison, nameOf)}
          </Box>
        ))}
      </Box>
    )}
  </Panel>
);
