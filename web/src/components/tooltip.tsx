import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

const HOVER_DELAY = 300;
const GAP = 6;
const EDGE = 8;

const Anchor = chakra('span', { base: { display: 'contents' } });

const Tip = chakra('div', {
  base: {
    position: 'fixed',
    inset: 'auto',
    width: 'max-content',
    maxWidth: '280px',
    px: '2',
    py: '1',
    bg: 'action',
    color: 'action.ink',
    borderRadius: 'md',
    fontSize: 'xs',
    lineHeight: '16px',
    pointerEvents: 'none',
  },
});

type Props = {
  text: string;
  children: ReactNode;
  side?: 'top' | 'right';
  /** The text is the accessible name of the target already, so that no aria-describedby is needed. */
  names?: boolean;
};

/** A tooltip on hover and on keyboard focus, rendered only while it is shown. */
export function Tooltip({ text, children, side = 'top', names = false }: Props) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const target = anchor.current?.firstElementChild;
    if (!open || names || !target) return;
    target.setAttribute('aria-describedby', id);
    return () => target.removeAttribute('aria-describedby');
  }, [open, names, id]);

  return (
    <>
      <Anchor
        ref={anchor}
        onPointerEnter={event => event.pointerType === 'mouse' && show(HOVER_DELAY)}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={event => event.target.matches(':focus-visible') && show(0)}
        onBlur={hide}
        onKeyDown={event => event.key === 'Escape' && hide()}
      >
        {children}
      </Anchor>
      {open && (
        <PositionedTip id={id} text={text} side={side} target={anchor.current?.firstElementChild ?? null} />
      )}
    </>
  );
}

type PositionedProps = { id: string; text: string; side: 'top' | 'right'; target: Element | null };

function PositionedTip({ id, text, side, target }: PositionedProps) {
  const tip = useRef<HTMLDivElement>(null);

  // A popover is in the top layer, where no overflow and no dialog clips it.
  useLayoutEffect(() => {
    if (!tip.current || !target) return;
    tip.current.showPopover();
    const rect = target.getBoundingClientRect();
    const { width, height } = tip.current.getBoundingClientRect();
    const above = rect.top - height - GAP;
    const left = side === 'right' ? rect.right + GAP : rect.left + (rect.width - width) / 2;
    const top =
      side === 'right' ? rect.top + (rect.height - height) / 2 : above < EDGE ? rect.bottom + GAP : above;
    tip.current.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
    tip.current.style.top = `${top}px`;
  }, [target, side]);

  return (
    <Tip ref={tip} id={id} role="tooltip" popover="manual">
      {text}
    </Tip>
  );
}
