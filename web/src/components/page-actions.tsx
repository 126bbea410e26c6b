import { Ellipsis } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useMay } from '../lib/organization.ts';
import { useMedia } from '../lib/use-media.ts';
import { Button, ButtonLink } from './button.tsx';
import { MenuButton, type MenuItem } from './menu.tsx';

export type PageAction = MenuItem & {
  /** Instead of the button that follows from the item. */
  button?: ReactNode;
  variant?: 'solid' | 'ghost';
  /** In the menu on wide screens too. */
  inMenu?: boolean;
};

const PHONE = '(max-width: 47.99rem)';

/** The actions of a page, of which the last one is the primary. On a phone it comes first, and the others are in a menu. */
export function PageActions({ items }: { items: (PageAction | false | undefined)[] }) {
  const may = useMay();
  const isPhone = useMedia(PHONE);
  const offered = items
    .filter(item => item !== false && item !== undefined)
    .filter(({ right }) => may(right));
  const buttons = offered.filter(({ inMenu }) => !inMenu);
  const shown = isPhone ? buttons.slice(-1) : buttons;
  const others = offered.filter(item => !shown.includes(item));
  return (
    <>
      {shown.map(({ id, button, label, to, run, variant, disabled = false }) => (
        <Fragment key={id}>
          {button ??
            (to ? (
              <ButtonLink to={to} variant={variant}>
                {label}
              </ButtonLink>
            ) : (
              <Button variant={variant} disabled={disabled} onClick={run}>
                {label}
              </Button>
            ))}
        </Fragment>
      ))}
      <MenuButton
        variant={isPhone ? 'outline' : 'ghost'}
        aria-label="More actions"
        px="2"
        items={others.toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))}
      >
        <Ellipsis aria-hidden />
      </MenuButton>
    </>
  );
}
