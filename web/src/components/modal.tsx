import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import {
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { anythingUnsaved, formsSoFar } from '../lib/unsaved.ts';
import { Button, IconButton } from './button.tsx';
import { Notice } from './notice.tsx';

const Dialog = chakra('dialog', {
  base: {
    bg: 'bg.panel',
    color: 'fg',
    boxShadow: 'panel',
    borderWidth: '1px',
    borderColor: 'border',
    overflow: 'hidden auto',
    overscrollBehavior: 'contain',
    _backdrop: { bg: 'veil' },
    _open: { animation: 'appear 120ms' },
  },
  variants: {
    place: {
      center: {
        m: 'auto',
        width: 'min(var(--wide), calc(100vw - 24px))',
        maxHeight: 'calc(100dvh - 24px)',
        borderRadius: 'xl',
      },
      top: {
        mx: 'auto',
        mt: '12vh',
        width: 'min(var(--wide), calc(100vw - 24px))',
        maxHeight: '76vh',
        borderRadius: 'xl',
      },
      left: { m: 0, width: 'min(300px, 85vw)', height: '100dvh', maxHeight: 'none', borderWidth: 0 },
    },
  },
});

const Header = chakra('header', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    justifyContent: 'space-between',
    gap: '3',
    px: '5',
    pt: '4',
  },
});
const Title = chakra('h2', {
  base: {
    fontSize: 'lg',
    lineHeight: '32px',
    fontWeight: 'semibold',
    overflowWrap: 'anywhere',
    minWidth: 0,
  },
});
const Held = chakra('div', { base: { px: '5', pt: '2' } });
const Body = chakra('div', { base: { px: '5', pt: '2', pb: '5' } });

type Props = {
  /** The name of the dialog: its heading, unless `bare`. */
  title: string;
  onClose: () => void;
  children: ReactNode;
  place?: 'center' | 'top' | 'left';
  /** Without heading, close button and padding. */
  bare?: boolean;
  /** Stays until its own buttons end it. */
  blocking?: boolean;
  width?: string;
};

/** The browser's own modal dialog: it keeps the focus inside, and gives it back; asks before it drops what was typed. */
export function Modal({
  title,
  onClose,
  children,
  place = 'center',
  bare = false,
  blocking = false,
  width = '480px',
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [before] = useState(formsSoFar);
  const [held, setHeld] = useState(false);

  // A layout effect, for its cleanup still finds the element in the page and the focus can return.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => element?.close();
  }, []);

  function leave() {
    if (anythingUnsaved(before)) setHeld(true);
    else onClose();
  }

  function reopen({ currentTarget: element }: SyntheticEvent<HTMLDialogElement>) {
    if (!element.isConnected) return;
    if (blocking || anythingUnsaved(before)) element.showModal();
    if (!blocking) leave();
  }

  return (
    <Dialog
      ref={dialog}
      place={place}
      css={{ '--wide': width }}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={event => {
        event.preventDefault();
        if (!blocking) leave();
      }}
      // A browser may close a dialog at the second Escape whatever the page says to it.
      onClose={reopen}
      onPointerDown={event => !blocking && isBeside(event) && leave()}
    >
      {bare ? (
        children
      ) : (
        <>
          <Header>
            <Title id={id}>{title}</Title>
            {!blocking && (
              <IconButton label="Close" onClick={leave}>
                <X aria-hidden />
              </IconButton>
            )}
          </Header>
          {held && (
            <Held>
              <Notice
                tone="warning"
                action={
                  <Button look="quiet" onClick={onClose}>
                    Discard
                  </Button>
                }
              >
                What you entered has not been saved.
              </Notice>
            </Held>
          )}
          <Body>{children}</Body>
        </>
      )}
    </Dialog>
  );
}

/** Whether the backdrop was pressed, which counts as the dialog itself; so does its scrollbar. */
function isBeside({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>) {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !inside;
}

/** The buttons at the end of a dialog. */
export const ModalActions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: '2', mt: '5' },
});
