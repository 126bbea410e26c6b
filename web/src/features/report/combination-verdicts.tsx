import { Box } from '@chakra-ui/react';
import type { AutomationComparison, ComparedBy, Comparisons } from '#shared/comparisons.ts';
import { PARTS } from '#shared/email/content.ts';
import { labelsOf, verdictText } from '#shared/report/verdict-texts.ts';
import type { CombinationReport } from '#shared/reporting.ts';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { formatDay } from './periods.ts';
import { ComparisonsSection } from './verdicts.tsx';

type Combination = CombinationReport['combination'];
type Props = { combination: Combination | undefined };

export const CombinationVerdicts = ({ combination }: Props) => (
  <ComparisonsSection title="Beside the others" height={72}>
    {comparisons =>
      combination ? (
        <Verdicts comparisons={comparisons} combination={combination} />
      ) : (
        <Loading shape={[72]} />
      )
    }
  </ComparisonsSection>
);

type VerdictsProps = { comparisons: Comparisons; combination: Combination };

function Verdicts({ comparisons: { by, automations, since }, combination }: VerdictsProps) {
  const holding = automations.filter(({ combinations }) =>
    combinations.rows.some(({ id }) => id === combination.id),
  );
  if (holding.length === 0) {
    const isIncomplete = automations.some(({ combinations }) => combinations.left_out > 0);
    return (
      <Panel p="4" color="fg.muted">
        {isIncomplete
          ? 'It is not among the combinations with the most emails, which alone are listed here.'
          : `No automation has sent it beside another combination since ${formatDay(since)}.`}
      </Panel>
    );
  }
  return (
    <Box display="grid" gap="3">
      {holding.map(one => (
        <InAutomation key={one.automation_id} by={by} comparison={one} combination={combination} />
      ))}
    </Box>
  );
}

type InAutomationProps = { by: ComparedBy; comparison: AutomationComparison; combination: Combination };

function InAutomation({ by, comparison, combination: { id, asset_ids } }: InAutomationProps) {
  const { automation, combinations, parts } = comparison;
  const own = combinations.rows.find(one => one.id === id);
  const ofParts = parts.flatMap(({ part, rows }) => {
    const row = rows.find(one => one.id === asset_ids[part]);
    return row ? [{ part, name: labelsOf(rows)(row.id), row }] : [];
  });
  return (
    <Panel p="4" role="group" aria-label={`Comparison in ${automation}`} overflowWrap="anywhere">
      <Box color="fg.muted" fontSize="xs" lineHeight="20px">
        In <bdi>{automation}</bdi>, this combination
      </Box>
      <Box fontSize="md" fontWeight="semibold">
        {own ? verdictText(own, by) : 'Not enough data yet'}
      </Box>
      {ofParts.length > 0 && (
        <Box as="ul" mt="2" display="grid" gap="1">
          {ofParts.map(({ part, name, row }) => (
            <li key={part}>
              <Box as="span" color="fg.muted">
                {PARTS[part]} {name}:
              </Box>{' '}
              {verdictText(row, by)}
            </li>
          ))}
        </Box>
      )}
    </Panel>
  );
}
