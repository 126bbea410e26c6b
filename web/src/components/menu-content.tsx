import { Menu } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { LandmarkPortal } from './landmark-portal.tsx';

export type MenuItem = {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Between two groups there is a line. */
  group?: string;
  /** The one that is chosen already. */
  current?: boolean;
  disabled?: boolean;
  /** It deletes something: shown in red. */
  danger?: boolean;
  run: () => void;
};

type Props = {
  /** The id of the button that opens it. */
  trigger: string;
  open: boolean;
  items: MenuItem[];
  placement: 'bottom-start' | 'bottom-end' | 'right-start';
  onOpenChange: (open: boolean) => void;
  /** Called in place of the menu when its code could not be loaded. */
  onClose: () => void;
  onSelect: (id: string) => void;
};

export default function MenuContent({ trigger, open, items, placement, onOpenChange, onSelect }: Props) {
  return (
    <Menu.Root
      open={open}
      ids={{ trigger }}
      onOpenChange={details => onOpenChange(details.open)}
      onSelect={({ value }) => onSelect(value)}
      positioning={{ placement, gutter: 4, strategy: 'fixed' }}
    >
      <LandmarkPortal of={document.getElementById(trigger)}>
        <Menu.Positioner>
          <Menu.Content aria-labelledby={trigger}>
            {items.map((item, index) => (
              <Fragment key={item.id}>
                {index > 0 && item.group !== items[index - 1]?.group && <Menu.Separator />}
                <Menu.Item
                  value={item.id}
                  disabled={item.disabled}
                  color={item.danger ? 'fg.error' : undefined}
                  aria-current={item.current || undefined}
                >
                  {item.icon}
                  <Menu.ItemText>{item.label}</Menu.ItemText>
                  {item.current && <Check aria-hidden />}
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </LandmarkPortal>
    </Menu.Root>
  );
}
