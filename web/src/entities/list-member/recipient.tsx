import { chakra } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';
import { onDemand } from '../../components/on-demand.tsx';

// A card that cannot be loaded is not worth a message: the page of the member has the same.
const RecipientCard = onDemand(() => import('./recipient-card.tsx').catch(() => ({ default: () => null })));

const HOVER_DELAY = 300;
/** So that the pointer may cross the gap to the card. */
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

/** Where there is no room for it, it continues in the next line with its domain. */
function Breakable({ email }: { email: string }) {
  const domain = email.lastIndexOf('@') + 1;
  return (
    <bdi>
      {email.slice(0, domain)}
      <wbr />
      {email.slice(domain)}
    </bdi>
  );
}

type Props = {
  email: string;
  /** The id of the list member; null where there is none any more. */
  member: string | null;
};

/** An address, with a card about the member: on hover, on focus of the keyboard, and when it is pressed. */
export function Recipient({ email, member }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (member === null) return <Breakable email={email} />;

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
        // Not on any focus: it comes back here when the card is closed, which must not open it again.
        onKeyUp={event => event.key === 'Tab' && change(true, HOVER_DELAY)}
        onBlur={() => !isOpen && clearTimeout(timer.current)}
        onClick={() => change(true, 0)}
      >
        <Breakable email={email} />
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
