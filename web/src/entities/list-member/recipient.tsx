import { chakra } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';
import { Breakable } from '#web/components/breakable.tsx';
import { onDemand } from '#web/components/on-demand.tsx';

// A card that cannot be loaded fails silently, as the page of the member shows the same.
const RecipientCard = onDemand(() => import('./recipient-card.tsx').catch(() => ({ default: () => null })));

const HOVER_DELAY = 300;
/** Lets the pointer cross the gap to the card. */
const LEAVING_DELAY = 200;

const Address = chakra('button', {
  base: {
    maxWidth: 'full',
    textAlign: 'start',
    overflowWrap: 'anywhere',
    textDecoration: 'underline dotted',
    textDecorationColor: 'border.emphasized',
    '@media (pointer: coarse)': { py: '12px', my: '-12px' },
    _hover: { textDecorationColor: 'fg' },
  },
});

/** An address with a card about its member: on hover, on keyboard focus, and when it is pressed. */
export function Recipient({ email, member }: { email: string; member: string | null }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (member === null) return <Breakable>{email}</Breakable>;

  const change = (open: boolean, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), delay);
  };
  return (
    <>
      <Address
        id={id}
        type="button"
        aria-haspopup="true"
        aria-expanded={isOpen}
        onPointerEnter={event => event.pointerType === 'mouse' && change(true, HOVER_DELAY)}
        onPointerLeave={event => event.pointerType === 'mouse' && change(false, LEAVING_DELAY)}
        // Only focus by Tab opens the card: closing it returns the focus, which must not open it again.
        onKeyUp={event => event.key === 'Tab' && change(true, HOVER_DELAY)}
        onBlur={() => !isOpen && clearTimeout(timer.current)}
        onClick={() => change(true, 0)}
      >
        <Breakable>{email}</Breakable>
      </Address>
      {isOpen && (
        <RecipientCard
          trigger={id}
          member={member}
          email={email}
          onEnter={() => clearTimeout(timer.current)}
          onLeave={() => change(false, LEAVING_DELAY)}
          onClose={() => {
            clearTimeout(timer.current);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
