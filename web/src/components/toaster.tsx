import { Toaster as ChakraToaster, Toast } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { isTone, toaster } from '../lib/toaster.ts';
import { Button, IconButton } from './button.tsx';
import { ToneIcon } from './notice.tsx';
import { useToastRoom } from './use-toast-room.ts';

/** Shows the toasts. Each disappears after its duration, but not while one of them is hovered or focused. */
export default function Toaster() {
  const focusedBefore = useRef<HTMLElement>(null);
  useToastRoom();

  /** Returns the focus, which would be lost with the toast. */
  function dismiss(id: string | undefined) {
    focusedBefore.current?.focus();
    toaster.dismiss(id);
  }

  return (
    <ChakraToaster
      toaster={toaster}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
          focusedBefore.current = relatedTarget;
        }
      }}
    >
      {({ id, title, type, action }) => (
        <Toast.Root role={type === 'error' ? 'alert' : 'status'}>
          {isTone(type) && <ToneIcon tone={type} />}
          <Toast.Title>{title}</Toast.Title>
          {action && (
            <Button
              variant="ghost"
              onClick={() => {
                dismiss(id);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => dismiss(id)}>
            <X aria-hidden />
          </IconButton>
        </Toast.Root>
      )}
    </ChakraToaster>
  );
}
