import { chakra, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { Panel } from '#web/components/panel.tsx';

type Props = { title: string; actions?: ReactNode; children: ReactNode };

export function Card({ title, actions, children }: Props) {
  const heading = useId();
  return (
    <Panel as="section" aria-labelledby={heading} p="4">
      <Flex wrap="wrap" align="center" justify="space-between" gap="2" minHeight="control" mb="2">
        <Text as="h3" id={heading} fontSize="md">
          {title}
        </Text>
        {actions}
      </Flex>
      {children}
    </Panel>
  );
}

/** Fields that belong together, and their name. */
export const Group = chakra('fieldset', { base: { minWidth: '0' } });
export const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'medium' } });
