import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { pageTitle } from '#shared/brand.ts';
import type { Explained } from '../lib/help.ts';
import { onReset } from '../lib/store.ts';
import { Breakable } from './breakable.tsx';
import { HelpTip } from './help-tip.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The history entry of the last shown page. */
let lastShown: string | undefined;
onReset(() => {
  lastShown = undefined;
});

type Props = {
  title: string;
  heading?: string;
  /** It has a line of its own on a phone, as it is an address. */
  isLong?: boolean;
  /** What the heading means, by a mark beside it. */
  explained?: Explained;
  actions?: ReactNode;
  /** Narrower, so that the actions end with the content. */
  maxWidth?: string;
  children: ReactNode;
};

/** Sets the title of the document. Focuses the heading after a navigation, or if the focused element is removed. */
export function Page(props: Props) {
  const { title, heading = title, isLong = false, explained, actions, maxWidth = '1280px', children } = props;
  const headingRef = useRef<HTMLHeadingElement>(null);
  const keptFocus = useKeptFocus(() => headingRef.current);
  const { key } = useLocation();
  const arrivedByNavigation = useRef(key !== 'default' || ![undefined, key].includes(lastShown));
  const isFirst = useRef(lastShown !== key);

  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);

  useEffect(() => {
    lastShown = key;
  }, [key]);

  useEffect(() => {
    const isTaken = isFocusTaken(headingRef.current, isFirst.current);
    if (arrivedByNavigation.current && !isTaken) headingRef.current?.focus();
  }, []);

  return (
    <Box maxWidth={maxWidth} {...keptFocus}>
      <Flex as="header" wrap="wrap" align="flex-start" gap="3" minHeight="control" mb="5">
        {/* A long heading takes several lines, and does not move the actions. */}
        <Flex flex={{ base: `1 1 ${isLong ? '100%' : '160px'}`, md: '1 1 160px' }} minWidth="0" gap="1">
          <Box
            as="h1"
            ref={headingRef}
            tabIndex={-1}
            minWidth="0"
            py="0.5"
            fontSize="xl"
            lineHeight="28px"
            letterSpacing="-0.015em"
            overflowWrap="anywhere"
          >
            <Breakable>{heading}</Breakable>
          </Box>
          <Box pt="1.5">
            <HelpTip word={heading}>{explained}</HelpTip>
          </Box>
        </Flex>
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

/**
 * Whether another element of the page has the focus already, such as a dialog or an open menu. Once a page was shown while this
 * one was loading, any element: then it is not the link that led here.
 */
function isFocusTaken(heading: HTMLElement | null, isFirst: boolean) {
  const focused = document.activeElement?.closest(isFirst ? 'main *, [role=menu]' : 'body *') ?? null;
  return focused !== null && focused !== heading;
}
