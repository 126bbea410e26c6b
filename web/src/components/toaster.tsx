import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { dismissToast, type Toast, useToasts } from '../lib/toasts.ts';
import { Button, IconButton } from './button.tsx';
import { ToneIcon } from './notice.tsx';

// At the top, where toasts do not cover the pager of a table.
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

/** Shows the toasts. Each disappears after its duration, but not while it is hovered or focused. */
export function Toaster() {
  const toasts = useToasts();
  const newest = toasts.at(-1)?.id;
  const region = useRef<HTMLDivElement>(null);

  // Reopened for each toast: the popover opened last is on top, also above a dialog that was opened in between.
  useEffect(() => {
    if (region.current?.matches(':popover-open')) region.current.hidePopover();
    if (newest !== undefined) region.current?.showPopover();
  }, [newest]);

  return (
    <Stack ref={region} popover="manual" role="region" aria-label="Messages">
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </Stack>
  );
}

function ToastCard({ toast: { id, tone, message, duration, undo } }: { toast: Toast }) {
  const [isPaused, setPaused] = useState(false);
  const focusedBefore = useRef<HTMLElement>(null);

  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [isPaused, id, duration]);

  /** Restores the focus, which would be lost with the toast. */
  function dismiss() {
    focusedBefore.current?.focus();
    dismissToast(id);
  }

  return (
    <Card
      role={tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        setPaused(true);
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
          focusedBefore.current = relatedTarget;
        }
      }}
      onBlur={() => setPaused(false)}
    >
      <ToneIcon tone={tone} />
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
