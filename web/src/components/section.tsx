import { chakra, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import type { ReactNode } from 'react';

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

export function Section({ title, titleHidden, note, actions, hidden, children }: Props) {
  return (
    <Frame hidden={hidden}>
      {titleHidden ? (
        <VisuallyHidden as="h2">{title}</VisuallyHidden>
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
          <Text as="h2" fontSize="lg" lineHeight="24px">
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
