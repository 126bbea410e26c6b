import { Box } from '@chakra-ui/react';
import { type Audience, audienceFault, cleanAudience, describeAudience, listsOf } from '#shared/audience.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import type { Filter } from '#web/lib/filters.ts';

const json = (audience: Audience | null) => (audience ? JSON.stringify(audience) : '');

/** Conditions in the URL, as JSON. */
export const audienceFilter: Filter<Audience | null> = {
  read(written) {
    try {
      const audience: unknown = JSON.parse(written);
      return audienceFault(audience) === undefined ? cleanAudience(audience as Audience) : null;
    } catch {
      return null;
    }
  },
  write: json,
  ask: json,
};

/** "Members for whom plan is pro". The names of the lists are loaded if the conditions are about lists. */
export function AudienceSentence({ audience }: { audience: Audience }) {
  const isAboutLists = listsOf(audience).length > 0;
  const { data } = useOrganizationData(isAboutLists ? 'GET /api/email-lists' : undefined);
  if (isAboutLists && !data) return null;
  return (
    <Box as="span" overflowWrap="anywhere">
      {describeAudience(audience, new Map(data?.map(({ id, name }) => [id, name])))}
    </Box>
  );
}
