import { Flex } from '@chakra-ui/react';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { IconButton } from '../components/button.tsx';
import { BrandSurface } from '../components/panel.tsx';
import { Logo, Wordmark } from '../components/wordmark.tsx';
import { SidebarContent } from './sidebar-content.tsx';

type Props = { folded: boolean; onFold: () => void; onSearch: () => void };

/** The sidebar of wide viewports. */
export function Sidebar({ folded, onFold, onSearch }: Props) {
  const Icon = folded ? PanelLeftOpen : PanelLeftClose;
  return (
    <BrandSurface
      as="header"
      data-sidebar={folded ? 'folded' : 'open'}
      display={{ base: 'none', md: 'flex' }}
      flexDirection="column"
      flexShrink="0"
      position="sticky"
      top="0"
      // Menus and tooltips of the sidebar cover the page.
      zIndex="header"
      width={folded ? '64px' : '300px'}
      height="100dvh"
      overflowY="auto"
    >
      <Flex
        {...(folded ? { direction: 'column', gap: '2', px: '3' } : { pl: '5', pr: '3' })}
        align="center"
        justify="space-between"
        pt="4"
        pb="3"
      >
        {folded ? <Logo plain /> : <Wordmark plain />}
        <IconButton
          colorPalette="yellow"
          label={folded ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!folded}
          onClick={onFold}
        >
          <Icon aria-hidden />
        </IconButton>
      </Flex>
      <SidebarContent folded={folded} onSearch={onSearch} />
    </BrandSurface>
  );
}
