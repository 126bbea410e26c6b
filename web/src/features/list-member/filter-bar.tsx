import { Box, Flex } from '@chakra-ui/react';
import type { Audience } from '#shared/audience.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { AudienceSentence, audienceFilter } from '#web/entities/audience/audience.tsx';
import { useMay } from '#web/lib/organization.ts';
import { newAutomationFor } from '#web/lib/paths.ts';

type Props = { list: string; audience: Audience; onClear: () => void };

/** The filter of the members, in a sentence. */
export function FilterBar({ list, audience, onClear }: Props) {
  const may = useMay();
  return (
    <Panel role="region" aria-label="Filter" ps="3" pe="1" py="1" mb="3">
      <Flex wrap="wrap" align="center" columnGap="2" minHeight="control">
        <Box flex="1 1 240px" minWidth="0">
          <AudienceSentence audience={audience} />
        </Box>
        {may('automations:edit') && (
          <ButtonLink variant="ghost" to={newAutomationFor(list, audienceFilter.write(audience))}>
            Use as condition of a new automation
          </ButtonLink>
        )}
        <Button variant="ghost" onClick={onClear}>
          Clear filter
        </Button>
      </Flex>
    </Panel>
  );
}
