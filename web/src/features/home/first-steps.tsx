import { Box, Flex, Text } from '@chakra-ui/react';
import { Circle, CircleCheck } from 'lucide-react';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';

export type FirstStep = {
  label: string;
  about: string;
  isDone: boolean;
  /** The others are enough to be done. */
  isOptional?: boolean;
  /** Where it is done; undefined while an earlier step has to come first. */
  to: string | undefined;
};

const ICON = { width: '18px', height: '18px', mt: '1px' };

/** What a new organization does first. Nothing is shown when it is done. */
export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (steps.every(({ isDone, isOptional }) => isDone || isOptional)) return null;
  return (
    <Section
      title="First steps"
      actions={
        <Text fontSize="sm" color="fg.muted">
          {done} of {steps.length} done
        </Text>
      }
    >
      <Panel as="ul" divideY="1px">
        {steps.map(({ label, about, isDone, to }) => (
          <Flex as="li" key={label} gap="3" px="4" py="2.5" lineHeight="20px">
            <Box flexShrink="0" _icon={ICON} color={isDone ? 'fg.success' : 'fg.subtle'}>
              {isDone ? <CircleCheck role="img" aria-label="Done" /> : <Circle aria-hidden />}
            </Box>
            <div>
              <Text fontWeight="medium" color={isDone ? 'fg.muted' : undefined}>
                {isDone || !to ? label : <TextLink to={to}>{label}</TextLink>}
              </Text>
              {!isDone && <Text color="fg.muted">{about}</Text>}
            </div>
          </Flex>
        ))}
      </Panel>
    </Section>
  );
}
