import { chakra, Flex } from '@chakra-ui/react';
import { type MouseEvent, useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { PendingConfirmation, UnsavedChanges } from '../components/confirm-dialog.tsx';
import { openModals } from '../components/modal.tsx';
import { onDemand } from '../components/on-demand.tsx';
import { NoOrganization } from '../features/organization/organizations.tsx';
import { commandOf, useCommands } from '../lib/commands.ts';
import { dialogPath, paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { navigation } from './navigation.ts';
import { PageLoading } from './page-loading.tsx';
import { logOut, Session } from './session.tsx';
import { Sidebar, TopBar, useSidebarFold } from './sidebar.tsx';

const PaletteCommands = onDemand(() => import('./palette-commands.tsx'));
const CommandPalette = onDemand(() => import('../components/command-palette.tsx'));
const Banners = onDemand(() => import('./banners.tsx'), null);
const Toaster = onDemand(() => import('../components/toaster.tsx'));

const SkipLink = chakra('a', {
  base: {
    position: 'fixed',
    top: '2',
    left: '2',
    zIndex: 'skip',
    px: '3',
    py: '1.5',
    borderRadius: 'md',
    bg: 'action',
    color: 'action.ink',
    '&:not(:focus)': { clipPath: 'inset(50%)' },
  },
});

export function Shell() {
  const [searching, setSearching] = useState(false);
  const { folded, toggle } = useSidebarFold();
  useAppCommands(toggle);
  useShortcuts({ k: () => setSearching(open => !open && openModals() === 0), b: toggle });
  const search = () => setSearching(true);

  return (
    <Session>
      <Flex direction={{ base: 'column', md: 'row' }} minHeight="100dvh">
        <SkipLink href="#main" onClick={skipToMain}>
          Skip to content
        </SkipLink>
        <TopBar onSearch={search} />
        <Sidebar folded={folded} onFold={toggle} onSearch={search} />
        <Flex
          as="main"
          id="main"
          tabIndex={-1}
          direction="column"
          flex="1"
          minWidth="0"
          px={{ base: '4', md: '8' }}
          py={{ base: '5', md: '6' }}
          _focusVisible={{ outline: 'none' }}
        >
          <NoOrganization />
          <Outlet />
          {token() && <Banners />}
        </Flex>
      </Flex>
      {searching && (
        <>
          <PaletteCommands />
          <CommandPalette onClose={() => setSearching(false)} />
        </>
      )}
      <PageLoading />
      <Toaster />
      <UnsavedChanges />
      <PendingConfirmation />
    </Session>
  );
}

/** Moves the focus without following the link, which would be a navigation to another URL. */
function skipToMain(event: MouseEvent) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function useShortcuts(shortcuts: Record<string, () => void>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcuts[event.key.toLowerCase()];
      const hasOnlyCtrl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!shortcut || !hasOnlyCtrl || event.repeat) return;
      event.preventDefault();
      shortcut();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

function useAppCommands(foldSidebar: () => void) {
  const navigate = useNavigate();
  const session = token()
    ? [
        ...navigation.map(({ path, label, about }) => commandOf('Pages', label, about, () => navigate(path))),
        commandOf('Commands', 'Create API token', 'new key', () => navigate(dialogPath('token'))),
        commandOf('Commands', 'Logout', 'sign out', logOut),
      ]
    : [
        commandOf('Pages', 'API Reference', 'openapi', () => navigate(paths.apiReference())),
        commandOf('Pages', 'Help', '', () => navigate(paths.help())),
        commandOf('Commands', 'Sign in', '', () => location.assign(paths.login())),
      ];
  useCommands([
    ...session,
    commandOf('Commands', 'Collapse or expand the sidebar', 'fold menu', foldSidebar),
    commandOf('Legal', 'Terms and Conditions', 't&c', () => openTab(paths.terms())),
    commandOf('Legal', 'Privacy Policy', 'pp data', () => openTab(paths.privacy())),
  ]);
}

const openTab = (path: string) => open(path, '_blank', 'noopener');
