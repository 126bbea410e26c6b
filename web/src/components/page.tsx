import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { pageTitle } from '../../../shared/brand.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** The history entry of the page that was shown last. */
let lastShown: string | undefined;

type Props = {
  title: string;
  /** The heading, where it differs from the title. */
  heading?: string;
  actions?: ReactNode;
  children: ReactNode;
};

/** Sets the document's title, and focuses the heading after a navigation, and when what has the focus is removed. */
export function Page({ title, heading = title, actions, children }: Props) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const keptFocus = useKeptFocus(() => headingRef.current);
  const { key } = useLocation();
  const arrivedByNavigation = useRef(key !== 'default' || ![undefined, key].includes(lastShown));

  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);

  useEffect(() => {
    lastShown = key;
  }, [key]);

  useEffect(() => {
    if (arrivedByNavigation.current && !isFocusTaken(headingRef.current)) headingRef.current?.focus();
  }, []);

  return (
    <Box maxWidth="1280px" {...keptFocus}>
      <Flex as="header" wrap="wrap" align="flex-start" gap="3" minHeight="control" mb="5">
        <Box
          as="h1"
          ref={headingRef}
          tabIndex={-1}
          // A long one takes more lines, and leaves the actions where they are.
          flex="1 1 160px"
          minWidth="0"
          py="0.5"
          fontSize="xl"
          lineHeight="28px"
          letterSpacing="-0.015em"
          overflowWrap="anywhere"
        >
          {heading}
        </Box>
        {actions && (
          <Flex wrap="wrap" gap="2">
            {actions}
          </Flex>
        )}
      </Flex>
      {children}
    </Box>
  );
}

/** Whether something on the page, such as a dialog, or a menu that is open, has the focus already. */
function isFocusTaken(heading: HTMLElement | null) {
  const focused = document.activeElement?.closest('main *, [role=menu]') ?? null;
  return focused !== null && focused !== heading;
}
