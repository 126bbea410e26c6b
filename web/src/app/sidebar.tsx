import { chakra } from '@chakra-ui/react';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { IconButton } from '../components/button.tsx';
import { Logo, Wordmark } from '../components/wordmark.tsx';
import { SidebarContent } from './sidebar-content.tsx';

const Column = chakra('header', {
  base: {
    // Dark in both themes, as the background is yellow.
    '--focus': 'var(--brand-ink)',
    position: 'sticky',
    top: 0,
    // What it opens covers the page.
    zIndex: 'header',
    flexShrink: 0,
    display: { base: 'none', md: 'flex' },
    flexDirection: 'column',
    height: '100dvh',
    overflowY: 'auto',
    bg: 'brand',
    color: 'brand.ink',
  },
  variants: { folded: { true: { width: '64px' }, false: { width: '300px' } } },
});

const Head = chakra('div', {
  base: { display: 'flex', alignItems: 'center', justifyContent: 'space-between', pt: '4', pb: '3' },
  variants: {
    folded: { true: { flexDirection: 'column', gap: '2', px: '3' }, false: { pl: '5', pr: '3' } },
  },
});

type Props = { folded: boolean; onFold: () => void; onSearch: () => void };

/** The sidebar of wide viewports. */
export function Sidebar({ folded, onFold, onSearch }: Props) {
  const Icon = folded ? PanelLeftOpen : PanelLeftClose;
  return (
    <Column folded={folded} data-sidebar={folded ? 'folded' : 'open'}>
      <Head folded={folded}>
        {folded ? <Logo plain /> : <Wordmark plain />}
        <IconButton
          colorPalette="yellow"
          label={folded ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!folded}
          onClick={onFold}
        >
          <Icon aria-hidden />
        </IconButton>
      </Head>
      <SidebarContent folded={folded} onSearch={onSearch} />
    </Column>
  );
}
