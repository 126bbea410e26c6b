import { Box, Grid, Text } from '@chakra-ui/react';
import { Failure } from '../../components/failure.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';
import type { useAutomations } from '../../entities/automation/automation.ts';
import { obstaclesOf } from '../../entities/automation/obstacles.ts';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';

const MOST_SHOWN = 5;

/** The active automations that cannot send, each with why and what mends it. Nothing where all of them can. */
export function UnableAutomations({ data, error, mutate }: ReturnType<typeof useAutomations>) {
  if (!data && error) {
    return (
      <Box mt="8">
        <Section title="Automations">
          <Failure
            problem={error}
            message="Failed to fetch automations. Please try again."
            onRetry={() => void mutate()}
          />
        </Section>
      </Box>
    );
  }
  const unable = (data ?? []).flatMap(automation => {
    const [first] = automation.active ? obstaclesOf(automation) : [];
    return first ? [{ ...automation, ...first }] : [];
  });
  if (unable.length === 0) return null;
  return (
    <Box mt="8">
      <Section title="Active automations that send nothing">
        <Panel as="ul" divideY="1px">
          {unable.slice(0, MOST_SHOWN).map(({ id, name, text, mend }) => (
            <Grid
              as="li"
              key={id}
              templateColumns="minmax(0, 1fr)"
              rowGap="1"
              px="4"
              py="2.5"
              lineHeight="20px"
            >
              <TextLink to={paths.automation(id)} overflowWrap="anywhere" fontWeight="medium">
                {name}
              </TextLink>
              <Box>
                <Box as="span" color="fg.warning">
                  {text}
                </Box>{' '}
                {mend && (
                  <TextLink to={mend.to} aria-label={`${mend.label}: ${name}`}>
                    {mend.label}
                  </TextLink>
                )}
              </Box>
            </Grid>
          ))}
        </Panel>
        {unable.length > MOST_SHOWN && (
          <Text mt="3" fontSize="sm">
            <TextLink to={paths.automations()}>All {plural(data?.length ?? 0, 'automation')}</TextLink>
          </Text>
        )}
      </Section>
    </Box>
  );
}
