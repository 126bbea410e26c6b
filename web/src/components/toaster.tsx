import { Toaster as ChakraToaster, Toast } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { isTone, toaster } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';
import { ToneIcon } from './notice.tsx';

/** Shows the toasts. Each disappears after its duration, but not while one of them is hovered or focused. */
export default function Toaster() {
  return (
    <ChakraToaster toaster={toaster}>
      {({ id, title, type, action }) => (
        <Toast.Root role={type === 'error' ? 'alert' : 'status'}>
          <span data-part="indicator">{isTone(type) && <ToneIcon tone={type} />}</span>
          <Toast.Title>{title}</Toast.Title>
          {action && (
            <Button variant="ghost" onClick={() => undoAnd(id, action.onClick)}>
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => toaster.dismiss(id)}>
            <X aria-hidden />
          </IconButton>
        </Toast.Root>
      )}
    </ChakraToaster>
  );
}

function undoAnd(id: string | undefined, undo: () => void) {
  toaster.dismiss(id);
  undo();
}
