import { chakra } from '@chakra-ui/react';
import { Menu, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { IconButton } from '../components/button.tsx';
import { Drawer } from '../components/modal.tsx';
import { Wordmark } from '../components/wordmark.tsx';
import { SidebarContent } from './sidebar-content.tsx';

const Bar = chakra('header', {
  base: {
    '--focus': 'var(--brand-ink)',
    position: 'sticky',
    top: 0,
    zIndex: 'header',
    display: { base: 'flex', md: 'none' },
    alignItems: 'center',
    gap: '2',
    height: '12',
    px: '3',
    bg: 'brand',
    color: 'brand.ink',
  },
});

const Yellow = chakra('div', {
  base: {
    '--focus': 'var(--brand-ink)',
    display: 'flex',
    flexDirection: 'column',
    minHeight: 'full',
    bg: 'brand',
    color: 'brand.ink',
  },
});

const Head = chakra('div', {
  base: { display: 'flex', alignItems: 'center', gap: '2', height: '12', px: '3', mb: '2' },
});

/** The header of narrow viewports, with the sidebar in a drawer. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  const { key } = useLocation();
  const close = () => setOpen(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the drawer
  useEffect(close, [key]);

  return (
    <Bar>
      <IconButton colorPalette="yellow" label="Open menu" onClick={() => setOpen(true)}>
        <Menu aria-hidden />
      </IconButton>
      <Wordmark plain />
      {open && (
        <Drawer title="Menu" onClose={close}>
          <Yellow>
            <Head>
              <IconButton colorPalette="yellow" label="Close menu" onClick={close}>
                <X aria-hidden />
              </IconButton>
              <Wordmark plain />
            </Head>
            <SidebarContent
              onSearch={() => {
                close();
                onSearch();
              }}
            />
          </Yellow>
        </Drawer>
      )}
    </Bar>
  );
}
