import { Flex } from '@chakra-ui/react';
import { type LucideIcon, Menu, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { IconButton } from '../components/button.tsx';
import { Drawer } from '../components/modal.tsx';
import { BrandSurface } from '../components/panel.tsx';
import { Wordmark } from '../components/wordmark.tsx';
import { SidebarContent } from './sidebar-content.tsx';

/** The header of narrow viewports, with the sidebar in a drawer. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  const { key } = useLocation();
  const close = () => setOpen(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the drawer
  useEffect(close, [key]);

  return (
    <BrandSurface
      as="header"
      display={{ base: 'flex', md: 'none' }}
      position="sticky"
      top="0"
      zIndex="header"
    >
      <Bar label="Open menu" icon={Menu} onClick={() => setOpen(true)} />
      {open && (
        <Drawer title="Menu" onClose={close}>
          <BrandSurface flexDirection="column" gap="2" minHeight="full">
            <Bar label="Close menu" icon={X} onClick={close} />
            <SidebarContent
              onSearch={() => {
                close();
                onSearch();
              }}
            />
          </BrandSurface>
        </Drawer>
      )}
    </BrandSurface>
  );
}

type BarProps = { label: string; icon: LucideIcon; onClick: () => void };

const Bar = ({ label, icon: Icon, onClick }: BarProps) => (
  <Flex align="center" gap="2" height="12" px="3">
    <IconButton colorPalette="yellow" label={label} onClick={onClick}>
      <Icon aria-hidden />
    </IconButton>
    <Wordmark plain />
  </Flex>
);
