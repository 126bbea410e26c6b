import { chakra, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useKeptFocus } from './use-kept-focus.ts';

const Frame = chakra('section', { base: { '& + section': { mt: '8' } } });

type Props = {
  title: string;
  /** The title is shown above already, as by a tab, so it is only for screen readers. */
  titleHidden?: boolean;
  note?: ReactNode;
  actions?: ReactNode;
  hidden?: boolean;
  children: ReactNode;
};

/** Its heading gets the focus of what is replaced in it, such as "Try again" by what was loaded. */
export function Section({ title, titleHidden, note, actions, hidden, children }: Props) {
  const keptFocus = useKeptFocus(frame => frame.querySelector<HTMLElement>('h2'));
  return (
    <Frame hidden={hidden} {...keptFocus}>
      {titleHidden ? (
        <VisuallyHidden as="h2" tabIndex={-1}>
          {title}
        </VisuallyHidden>
      ) : (
        <Flex
          as="header"
          wrap="wrap"
          align="center"
          justify="space-between"
          gap="2"
          minHeight="control"
          mb="3"
        >
          <Text as="h2" tabIndex={-1} fontSize="lg" lineHeight="24px">
            {title}
          </Text>
          {actions}
        </Flex>
      )}
      {note && (
        <Text mt="-2" mb="3" maxWidth="65ch" textWrap="pretty" color="fg.muted" fontSize="sm">
          {note}
        </Text>
      )}
      {children}
    </Frame>
  );
}
