import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { dismissToast, type Toast, useToasts } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';
import { ToneMark } from './notice.tsx';

// At the top, for the pager of a table is at the bottom.
const Stack = chakra('div', {
  base: {
    position: 'fixed',
    inset: '12px 12px auto',
    mx: 'auto',
    width: 'fit-content',
    maxWidth: 'min(420px, calc(100vw - 24px))',
    bg: 'transparent',
    overflow: 'visible',
    '&:popover-open': { display: 'flex' },
    flexDirection: 'column',
    gap: '2',
  },
});

const Card = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '2.5',
    pl: '3',
    pr: '1',
    py: '1',
    bg: 'bg.panel',
    color: 'fg',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'lg',
    boxShadow: 'panel',
    fontSize: 'sm',
    lineHeight: '20px',
    animation: 'appear 120ms',
    '& > span:first-of-type': { alignSelf: 'center' },
  },
});

const Text = chakra('p', { base: { flex: 1, py: '1.5', overflowWrap: 'anywhere', minWidth: 0 } });

/** Where toasts appear. Each goes by itself, but not while it is pointed at or focused. */
export function Toaster() {
  const toasts = useToasts();
  const newest = toasts.at(-1)?.id;
  const place = useRef<HTMLDivElement>(null);

  // Opened anew for each, so that it lies above a dialog that was opened in between.
  useEffect(() => {
    if (place.current?.matches(':popover-open')) place.current.hidePopover();
    if (newest !== undefined) place.current?.showPopover();
  }, [newest]);

  return (
    <Stack ref={place} popover="manual" role="region" aria-label="Messages">
      {toasts.map(one => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </Stack>
  );
}

function ToastCard({ toast: { id, tone, message, duration, undo } }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const cameFrom = useRef<HTMLElement>(null);

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [held, id, duration]);

  /** The focus goes back to where it was before, for the toast would take it along. */
  function dismiss() {
    cameFrom.current?.focus();
    dismissToast(id);
  }

  return (
    <Card
      role={tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        setHeld(true);
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
          cameFrom.current = relatedTarget;
        }
      }}
      onBlur={() => setHeld(false)}
    >
      <ToneMark tone={tone} />
      <Text>{message}</Text>
      {undo && (
        <Button
          look="quiet"
          onClick={() => {
            dismiss();
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton label="Dismiss" onClick={dismiss}>
        <X aria-hidden />
      </IconButton>
    </Card>
  );
}
