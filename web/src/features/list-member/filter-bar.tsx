import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Audience } from '#shared/audience.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { AudienceSentence, audienceFilter } from '#web/entities/audience/audience.tsx';
import { newAutomationFor, WITH_AUDIENCE } from '#web/lib/paths.ts';

type Props = {
  list: string;
  audience: Audience;
  onClear: () => void;
  /** How far the members were looked at. */
  children: ReactNode;
};

/** The filter of the members, in a sentence. */
export function FilterBar({ list, audience, onClear, children }: Props) {
  const conditions = new URLSearchParams({ [WITH_AUDIENCE]: audienceFilter.write(audience) });
  return (
    <Panel role="region" aria-label="Filter" px="3" py="1" mb="3">
      <Flex wrap="wrap" align="center" justify="space-between" columnGap="4" minHeight="control">
        <Box py="1" minWidth="0">
          <AudienceSentence audience={audience} />
          <Box color="fg.muted">{children}</Box>
        </Box>
        <Flex wrap="wrap" mx="-2">
          <ButtonLink variant="ghost" right="automations:edit" to={`${newAutomationFor(list)}&${conditions}`}>
            Use as condition of a new automation
          </ButtonLink>
          <Button variant="ghost" onClick={onClear}>
            Clear filter
          </Button>
        </Flex>
      </Flex>
    </Panel>
  );
}
