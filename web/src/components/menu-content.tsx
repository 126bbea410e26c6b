import { Box, Menu } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import { Link, useNavigate } from 'react-router';
import type { Action } from '#shared/permissions.ts';
import { LandmarkPortal } from './landmark-portal.tsx';

export type MenuItem = {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Below the label. */
  hint?: string;
  /** A line separates two groups. */
  group?: string;
  current?: boolean;
  disabled?: boolean;
  danger?: boolean;
  /** Not offered to users without it. */
  right?: Action;
  run?: () => void;
  /** The path of a link, instead of `run`. */
  to?: string;
};

type Props = {
  trigger: string;
  open: boolean;
  /** The menu was opened by keyboard, so the first item is highlighted. */
  beginsWithFirst: boolean;
  items: MenuItem[];
  placement: 'bottom-start' | 'bottom-end' | 'right-start';
  onOpenChange: (open: boolean) => void;
  /** Called if the code of the menu could not be loaded. */
  onClose: () => void;
  onSelect: (run: () => void) => void;
};

export default function MenuContent(props: Props) {
  const { trigger, open, beginsWithFirst, items, placement, onOpenChange, onSelect } = props;
  const navigate = useNavigate();
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const first = beginsWithFirst ? items.find(({ disabled }) => !disabled)?.id : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens, not when its items change
  useEffect(() => setHighlighted((open && first) || null), [open]);

  const select = (item: MenuItem | undefined) =>
    onSelect(() => void (item?.to ? navigate(item.to) : item?.run?.()));

  // Zag takes the focus and listens for Escape one frame later. Keys that are pressed before that would be lost.
  const takeFocus = (menu: HTMLElement | null) => {
    if (open && document.activeElement?.id === trigger) menu?.focus({ preventScroll: true });
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onOpenChange(false);
  };

  return (
    <Menu.Root
      open={open}
      ids={{ trigger }}
      highlightedValue={highlighted}
      onHighlightChange={({ highlightedValue }) => setHighlighted(highlightedValue)}
      onOpenChange={details => onOpenChange(details.open)}
      // Zag's own click cannot be prevented, so the browser would load a new document.
      navigate={({ node }) => queueMicrotask(() => node.click())}
      onSelect={({ value }) => select(items.find(({ id }) => id === value))}
      positioning={{ placement, gutter: 4, strategy: 'fixed' }}
    >
      <LandmarkPortal of={document.getElementById(trigger)}>
        <Menu.Positioner>
          <Menu.Content
            ref={takeFocus}
            aria-labelledby={trigger}
            onKeyDownCapture={ignoreHeldDown}
            onKeyDown={closeOnEscape}
          >
            {items.map((item, index) => (
              <Fragment key={item.id}>
                {index > 0 && item.group !== items[index - 1]?.group && <Menu.Separator />}
                <Menu.Item
                  value={item.id}
                  disabled={item.disabled}
                  color={item.danger ? 'fg.error' : undefined}
                  aria-current={item.current || undefined}
                  asChild
                >
                  <Entry to={item.to}>
                    {item.icon}
                    <Menu.ItemText>
                      {item.label}
                      {item.hint && (
                        <Box color="fg.muted" fontSize="xs" lineClamp="1">
                          {item.hint}
                        </Box>
                      )}
                    </Menu.ItemText>
                    {item.current && <Check aria-hidden />}
                  </Entry>
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </LandmarkPortal>
    </Menu.Root>
  );
}

const Entry = ({ to, ...rest }: Omit<ComponentProps<typeof Link>, 'to'> & { to: string | undefined }) =>
  to === undefined ? (
    <div {...(rest as ComponentProps<'div'>)} />
  ) : (
    <Link to={to} {...rest} onClickCapture={leaveToMenu} />
  );

/** Lets the menu navigate itself, after it has given up the focus, unless the link opens a new tab. */
function leaveToMenu(event: MouseEvent) {
  if (!event.ctrlKey && !event.metaKey) event.preventDefault();
}

/** The key that has opened the menu may still be held down. It must not choose the first item. */
function ignoreHeldDown(event: KeyboardEvent) {
  if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  event.stopPropagation();
}
