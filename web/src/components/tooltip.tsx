import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { onDemand } from './on-demand.tsx';

const HOVER_DELAY = 300;

// A tooltip that cannot be loaded is not worth a message.
const TooltipContent = onDemand(() => import('./tooltip-content.tsx').catch(() => ({ default: () => null })));
const Anchor = chakra('span', { base: { display: 'contents' } });

/** Otherwise, as on a phone, there is no keyboard either, and a tooltip would open by itself. */
const canHover = () => matchMedia('(hover: hover)').matches;

type Props = {
  text: string;
  children: ReactNode;
  side?: 'top' | 'right';
  /** The text is the accessible name of the target already, so that no aria-describedby is needed. */
  names?: boolean;
  /** Pressing the target opens it too: for one that does nothing else, also where nothing can hover. */
  onPress?: boolean;
};

/** Chakra's tooltip, on hover and on keyboard focus. Its code is loaded when the first one is shown. */
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
        // What the keyboard has opened stays where the pointer, which may have rested there, goes away.
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
