import { EmptyState as ChakraEmptyState } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = { title: string; cause?: ReactNode; action?: ReactNode };

export const EmptyState = ({ title, cause, action }: Props) => (
  <ChakraEmptyState.Root>
    <ChakraEmptyState.Content>
      {/* Not a heading, as its level would depend on where it is used. */}
      <ChakraEmptyState.Title as="p">{title}</ChakraEmptyState.Title>
      {cause && <ChakraEmptyState.Description>{cause}</ChakraEmptyState.Description>}
      {action}
    </ChakraEmptyState.Content>
  </ChakraEmptyState.Root>
);
