import { type ComponentProps, useId, useRef, useState } from 'react';
import { useMay } from '../lib/organization.ts';
import { Button } from './button.tsx';
import type { MenuItem } from './menu-content.tsx';
import { onDemand } from './on-demand.tsx';

const MenuContent = onDemand(() => import('./menu-content.tsx'));

export type { MenuItem };

type Props = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  items: MenuItem[];
  placement?: 'bottom-start' | 'bottom-end' | 'right-start';
};

/** A button that opens a menu. The code of the menu is loaded when the first one is opened. */
export function MenuButton({ items, placement = 'bottom-end', children, ...rest }: Props) {
  const buttonId = useId();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const byPointer = useRef(false);
  const may = useMay();
  const offered = items.filter(({ right }) => may(right));

  function change(next: boolean) {
    if (next && rest.loading) return;
    setOpen(next);
    if (next) setWasOpened(true);
    else byPointer.current = false;
  }

  /** Called if the code could not be loaded. The next press tries again. */
  function reset() {
    setOpen(false);
    setWasOpened(false);
  }

  function select(run: () => void) {
    change(false);
    // Runs after the menu has closed, as it moves the focus in the next frame. A dialog would close because of that, and
    // without a dialog the focus would be lost with the menu.
    requestAnimationFrame(() => {
      document.getElementById(buttonId)?.focus();
      run();
    });
  }

  if (offered.length === 0) return null;
  return (
    <>
      <Button
        {...rest}
        id={buttonId}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerDown={() => {
          byPointer.current = true;
        }}
        onClick={() => change(!open)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          change(true);
        }}
      >
        {children}
      </Button>
      {wasOpened && (
        <MenuContent
          trigger={buttonId}
          open={open}
          beginsWithFirst={!byPointer.current}
          items={offered}
          placement={placement}
          onOpenChange={change}
          onClose={reset}
          onSelect={select}
        />
      )}
    </>
  );
}
