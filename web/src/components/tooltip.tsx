import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { canHover } from '../lib/use-media.ts';
import { onDemand } from './on-demand.tsx';

const HOVER_DELAY = 300;

// A tooltip that cannot be loaded fails silently.
const TooltipContent = onDemand(() => import('./tooltip-content.tsx').catch(() => ({ default: () => null })));
const Anchor = chakra('span', { base: { display: 'contents' } });

type Props = {
  text: string;
  children: ReactNode;
  side?: 'top' | 'right';
  /** The text is the accessible name of the target already, so aria-describedby is not needed. */
  names?: boolean;
  /** Pressing the target opens the tooltip too. For targets that do nothing else, also on devices that cannot hover. */
  onPress?: boolean;
};

/** Chakra's tooltip, on hover and on keyboard focus. Its code is loaded on demand. */
export function Tooltip({ text, children, side = 'top', names = false, onPress = false }: Props) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const byKeyboard = useRef(false);

  const show = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), delay);
  };
  const showByKeyboard = () => {
    byKeyboard.current = true;
    show(0);
  };
  const hide = () => {
    clearTimeout(timer.current);
    byKeyboard.current = false;
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
        // A tooltip that was opened by keyboard stays when the pointer leaves, which may have rested there.
        onPointerLeave={() => byKeyboard.current || hide()}
        onPointerDown={hide}
        onClick={({ detail }) => onPress && (detail === 0 ? showByKeyboard() : show(0))}
        onFocus={event => event.target.matches(':focus-visible') && canHover() && showByKeyboard()}
        onBlur={hide}
      >
        {children}
      </Anchor>
      {open && (
        <TooltipContent
          id={id}
          text={text}
          side={side}
          target={anchor.current?.firstElementChild}
          onClose={hide}
        />
      )}
    </>
  );
}
