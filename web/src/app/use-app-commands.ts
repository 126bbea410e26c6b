import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../lib/commands.ts';
import { dialogPath, paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { navigation } from './navigation.ts';
import { logOut } from './session.tsx';

/** The commands of the shell: the pages of the navigation, signing in and out, the legal texts. */
export function useAppCommands(foldSidebar: () => void) {
  const navigate = useNavigate();
  const commands = useMemo((): Command[] => {
    const pages = navigation.map(({ path, label, about }) => ({
      id: path,
      group: 'Pages',
      label,
      words: about,
      run: () => navigate(path),
    }));
    const always: Command[] = [
      {
        id: 'fold',
        group: 'Commands',
        label: 'Collapse or expand the sidebar',
        words: 'fold menu',
        run: foldSidebar,
      },
      {
        id: 'terms',
        group: 'Legal',
        label: 'Terms and Conditions',
        words: 't&c',
        run: () => openInNewTab(paths.terms()),
      },
      {
        id: 'privacy',
        group: 'Legal',
        label: 'Privacy Policy',
        words: 'pp data',
        run: () => openInNewTab(paths.privacy()),
      },
    ];
    const signIn = {
      id: 'in',
      group: 'Commands',
      label: 'Sign in',
      run: () => location.assign(paths.login()),
    };
    const signOut = { id: 'out', group: 'Commands', label: 'Logout', words: 'sign out', run: logOut };
    const newToken = {
      id: 'token',
      group: 'Commands',
      label: 'Create API token',
      words: 'new key',
      run: () => navigate(dialogPath('token')),
    };
    return token() ? [...pages, newToken, signOut, ...always] : [signIn, ...always];
  }, [navigate, foldSidebar]);
  useCommands(commands);
}

const openInNewTab = (path: string) => open(path, '_blank', 'noopener');
