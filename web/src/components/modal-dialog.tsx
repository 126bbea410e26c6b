import { Box, Dialog, Drawer, Portal } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { anythingUnsaved, registeredChecks } from '../lib/unsaved.ts';
import { canHover } from '../lib/use-media.ts';
import { Button, IconButton } from './button.tsx';
import { Notice } from './notice.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The element that gets the focus when the modal is closed. */
export type FinalFocus = { finalFocus: () => HTMLElement | null };

export type ModalProps = {
  /** The name of the dialog: its heading, unless `bare`. */
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** `side`: a drawer. */
  placement?: 'center' | 'top' | 'side';
  /** Without heading, close button and padding. */
  bare?: boolean;
  /** Only its own buttons close it, not Escape or a click outside. */
  blocking?: boolean;
  width?: string;
};

export type DrawerProps = Pick<ModalProps, 'title' | 'onClose' | 'children'>;

export function ModalDialog({ finalFocus, ...props }: ModalProps & FinalFocus) {
  const { title, onClose, children, placement = 'center', bare, blocking = false, width = '480px' } = props;
  const content = useRef<HTMLDivElement>(null);
  const [outerForms] = useState(registeredChecks);
  /** What had the focus when it asked whether unsaved input is discarded. */
  const [askedAt, setAskedAt] = useState<Element | null>(null);
  const keptFocus = useKeptFocus(firstFocus);

  /** Whether its form or draft waits for a response, which could not be shown after closing. */
  const isBusy = () => Boolean(content.current?.querySelector('form[aria-busy=true], [data-saving]'));
  const close = () => isBusy() || onClose();

  function requestClose() {
    if (!isBusy() && anythingUnsaved(outerForms)) setAskedAt(document.activeElement);
    else close();
  }

  function keepEditing() {
    setAskedAt(null);
    if (askedAt instanceof HTMLElement) askedAt.focus();
  }

  return (
    <Dialog.Root
      open
      // Chakra's types do not know the variants of the theme.
      placement={placement as 'center'}
      closeOnEscape={!blocking}
      closeOnInteractOutside={!blocking}
      initialFocusEl={() => content.current && firstFocus(content.current)}
      finalFocusEl={finalFocus}
      onFocusOutside={stayOpen}
      onOpenChange={requestClose}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content
            {...keptFocus}
            ref={content}
            onInput={() => setAskedAt(null)}
            css={{ '--dialog-width': width }}
            aria-label={bare ? title : undefined}
          >
            {bare ? (
              children
            ) : (
              <>
                <Dialog.Header>
                  <Dialog.Title>{title}</Dialog.Title>
                  {!blocking && (
                    <IconButton label="Close" onClick={requestClose}>
                      <X aria-hidden />
                    </IconButton>
                  )}
                </Dialog.Header>
                <Dialog.Body>{children}</Dialog.Body>
                {askedAt && (
                  // Covers the buttons, so that it moves nothing, and stays in view when the dialog is scrolled.
                  <Box position="sticky" bottom="0">
                    <Box position="absolute" insetX="0" bottom="0" p="3" bg="bg.panel">
                      <Notice
                        tone="warning"
                        action={
                          <>
                            <Button variant="ghost" onClick={keepEditing}>
                              Keep editing
                            </Button>
                            <Button variant="ghost" onClick={close}>
                              Discard
                            </Button>
                          </>
                        }
                      >
                        What you entered has not been saved.
                      </Notice>
                    </Box>
                  </Box>
                )}
              </>
            )}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

/** For `onFocusOutside`: the page behind may still take the focus late, after a navigation, without any action of the user. */
const stayOpen = (event: Event) => event.preventDefault();

const autofocused = (element: Element) => element.querySelector<HTMLElement>('[data-autofocus]');

/** The first field; without one, or on a touch screen, whose keyboard would cover it, the dialog: on the close button, the tooltip would open. */
const firstFocus = (element: Element) =>
  autofocused(element) ??
  (canHover() ? element.querySelector<HTMLElement>('input, select, textarea') : null) ??
  (element as HTMLElement);

export function ModalDrawer({ title, onClose, children, finalFocus }: DrawerProps & FinalFocus) {
  return (
    <Drawer.Root open placement="start" finalFocusEl={finalFocus} onOpenChange={onClose}>
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content aria-label={title}>{children}</Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
