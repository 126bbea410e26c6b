import { Box } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { ComparedBy, Comparisons } from '#shared/comparisons.ts';
import { TextLink } from '#web/components/button.tsx';
import { Choices } from '#web/components/choices.tsx';
import { Failure } from '#web/components/failure.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { helpPath } from '#web/lib/paths.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { formatDay } from './periods.ts';

type Props = {
  title: string;
  /** In pixels, while they are loading. */
  height: number;
  children: (comparisons: Comparisons) => ReactNode;
};

/**
 * The comparisons of all automations, by clicks or by conversions. Not revalidated, as most of their days are over and reading
 * them is expensive.
 */
export function ComparisonsSection({ title, height, children }: Props) {
  const [by, compareBy] = useState<ComparedBy>('clicks');
  const { data, error, mutate } = useOrganizationData(
    'GET /api/reporting/comparisons',
    { query: { by } },
    { revalidateOnFocus: false, keepPreviousData: true },
  );
  const { isRepeating, repeat } = useRepeat(mutate);
  const hasFailed = error !== undefined && !isRepeating && data?.by !== by;
  return (
    <Section title={title} note={data && <ComparisonNote {...data} />}>
      {data && data.automations.length > 0 && (
        <Box mb="3">
          <Choices
            label="Compare by"
            choices={{ 'By clicks': 'clicks', 'By conversions': 'conversions' }}
            value={hasFailed ? by : data.by}
            onChange={compareBy}
          />
        </Box>
      )}
      {hasFailed ? (
        <Failure
          problem={error}
          fallback="Failed to load comparisons. Please try again."
          onRetry={() => void repeat()}
        />
      ) : !data ? (
        <Loading shape={[height]} />
      ) : lacksConversions(data) ? (
        <Panel p="4" color="fg.muted">
          No conversion names its email yet, so there is nothing to compare.{' '}
          <TextLink to={helpPath('value')}>How to report conversions</TextLink>
        </Panel>
      ) : (
        children(data)
      )}
    </Section>
  );
}

const lacksConversions = ({ by, automations }: Comparisons) =>
  by === 'conversions' &&
  automations.length > 0 &&
  automations.every(({ combinations }) => combinations.rows.every(({ conversions }) => conversions === 0));

const ComparisonNote = ({ since }: Pick<Comparisons, 'since'>) => (
  <WithHelpTip
    word={`Of emails sent since ${formatDay(since)}, of each automation by itself, whatever the range of the report`}
  >
    Each one is compared with all others together, day by day, without the days on which the content was
    changed. It may be looked at every day: of the differences named on this page, and of their sizes, at most
    5% are false on average.
  </WithHelpTip>
);
