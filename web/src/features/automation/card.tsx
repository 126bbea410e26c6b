import { Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { Panel } from '#web/components/panel.tsx';

type Props = {
  title: string;
  actions?: ReactNode;
  /** The card is a part of a section that has a heading already. */
  isPart?: boolean;
  children: ReactNode;
};

/** A framed section of a page. */
export function Card({ title, actions, isPart = false, children }: Props) {
  const heading = useId();
  return (
    <Panel as="section" aria-labelledby={heading} p="4">
      <Flex wrap="wrap" align="center" justify="space-between" gap="2" minHeight="control" mb="2">
        <Text
          as={isPart ? 'h3' : 'h2'}
          id={heading}
          {...(isPart ? { fontSize: 'md' } : { fontSize: 'lg', lineHeight: '24px' })}
        >
          {title}
        </Text>
        {actions}
      </Flex>
      {children}
    </Panel>
  );
}
