import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import type { Call } from '#shared/reference/calls.ts';
import type { Caller } from '#shared/reference/examples.ts';
import { Panel } from '#web/components/panel.tsx';
import { CallDetails } from './call-details.tsx';

const Heading = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '2.5',
    width: 'full',
    minHeight: '44px',
    px: '3',
    py: '3',
    borderRadius: 'lg',
    textAlign: 'start',
    lineHeight: '20px',
    fontWeight: 'normal',
    cursor: 'pointer',
    _hover: { bg: 'bg.subtle' },
    _icon: {
      flex: 'none',
      width: '4',
      height: '4',
      my: '0.5',
      color: 'fg.muted',
      transition: 'rotate 120ms',
    },
    '&[aria-expanded=true] > svg': { rotate: '90deg' },
  },
});

const CREDENTIALS = { token: undefined, session: 'Session', none: 'No token' };

type Props = {
  call: Call;
  caller: Caller;
  language: number;
  onLanguage: (index: number) => void;
  open: boolean;
  onToggle: () => void;
};

/** A call of the API, with details that can be opened. Links use its id as their anchor. */
export function CallPanel({ call, open, onToggle, ...shown }: Props) {
  const credential = CREDENTIALS[call.credential];
  return (
    <Panel as="article" id={call.id} mb="2" scrollMarginTop="4">
      <h3>
        <Heading type="button" aria-expanded={open} onClick={onToggle}>
          <ChevronRight aria-hidden />
          <Flex wrap="wrap" gapX="3" gapY="1" flex="1" minWidth="0">
            <Box as="span" fontFamily="mono" fontSize="xs" overflowWrap="anywhere">
              <Box as="span" fontWeight="semibold">
                {call.method}
              </Box>{' '}
              {call.path}
            </Box>
            <Box as="span" color="fg.muted" flex="1 1 240px">
              {call.summary}
            </Box>
          </Flex>
          {credential && <Badge>{credential}</Badge>}
        </Heading>
      </h3>
      {open && <CallDetails call={call} {...shown} />}
    </Panel>
  );
}
