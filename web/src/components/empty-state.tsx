import { EmptyState as ChakraEmptyState } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { HelpTopic } from '../lib/help.ts';
import { helpPath } from '../lib/paths.ts';
import { TextLink } from './button.tsx';

type Props = {
  title: string;
  cause?: ReactNode;
  action?: ReactNode;
  /** The section of the help about it. */
  more?: HelpTopic;
};

export const EmptyState = ({ title, cause, action, more }: Props) => (
  <ChakraEmptyState.Root>
    <ChakraEmptyState.Content>
      {/* Not a heading, as its level would depend on where it is used. */}
      <ChakraEmptyState.Title as="p">{title}</ChakraEmptyState.Title>
      {cause && <ChakraEmptyState.Description>{cause}</ChakraEmptyState.Description>}
      {action}
      {more && <TextLink to={helpPath(more)}>More in the help</TextLink>}
    </ChakraEmptyState.Content>
  </ChakraEmptyState.Root>
);
