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
import { anythingUnsaved, registeredChecks } from '../lib/unsaved.ts';
import { Button, IconButton } from './button.tsx';
import { Notice } from './notice.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

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
const UnsavedNotice = chakra('div', { base: { px: '5', pt: '2' } });
const Body = chakra('div', { base: { px: '5', pt: '2', pb: '5' } });

type Props = {
  /** The name of the dialog: its heading, unless `bare`. */
  title: string;
  onClose: () => void;
  children: ReactNode;
  place?: 'center' | 'top' | 'left';
  /** Without heading, close button and padding. */
  bare?: boolean;
  /** Only its own buttons close it, not Escape or the backdrop. */
  blocking?: boolean;
  width?: string;
};

/** A native modal dialog: the browser traps and restores the focus. Asks before it discards unsaved input. */
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
  const [outerForms] = useState(registeredChecks);
  const [isAsking, setAsking] = useState(false);
  const keptFocus = useKeptFocus(autofocused);

  // A layout effect: its cleanup runs while the element is in the document, so that close() can restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    if (element) autofocused(element)?.focus();
    return () => element?.close();
  }, []);

  function requestClose() {
    if (anythingUnsaved(outerForms)) setAsking(true);
    else onClose();
  }

  function afterClose({ currentTarget: element }: SyntheticEvent<HTMLDialogElement>) {
    if (!element.isConnected) return;
    if (blocking || anythingUnsaved(outerForms)) element.showModal();
    if (!blocking) requestClose();
  }

  return (
    <Dialog
      {...keptFocus}
      ref={dialog}
      place={place}
      css={{ '--wide': width }}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={event => {
        event.preventDefault();
        if (!blocking) requestClose();
      }}
      // Browsers may close a dialog on a second Escape even if the cancel event was prevented.
      onClose={afterClose}
      onPointerDown={event => !blocking && isOnBackdrop(event) && requestClose()}
    >
      {bare ? (
        children
      ) : (
        <>
          <Header>
            <Title id={id}>{title}</Title>
            {!blocking && (
              <IconButton label="Close" onClick={requestClose}>
                <X aria-hidden />
              </IconButton>
            )}
          </Header>
          {isAsking && (
            <UnsavedNotice>
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
            </UnsavedNotice>
          )}
          <Body>{children}</Body>
        </>
      )}
    </Dialog>
  );
}

const autofocused = (element: Element) => element.querySelector<HTMLElement>('[data-autofocus]');

export const openModals = () => document.querySelectorAll('dialog[open]').length;

/** Whether the backdrop was pressed. The dialog is the target of its events, and of those of its scrollbar. */
function isOnBackdrop({ target, currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>) {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !inside;
}

/** The buttons at the end of a dialog. */
export const ModalActions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: '2', mt: '5' },
});
