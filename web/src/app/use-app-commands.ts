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
    const newToken = () => navigate(dialogPath('token'));
    const session = token()
      ? [
          ...pages,
          {
            id: paths.emailAssets(),
            group: 'Pages',
            label: 'Email Assets',
            words: 'pieces content',
            run: () => navigate(paths.emailAssets()),
          },
          { id: 'token', group: 'Commands', label: 'Create API token', words: 'new key', run: newToken },
          { id: 'out', group: 'Commands', label: 'Logout', words: 'sign out', run: logOut },
        ]
      : [{ id: 'in', group: 'Commands', label: 'Sign in', run: () => location.assign(paths.login()) }];
    return [
      ...session,
      {
        id: 'fold',
        group: 'Commands',
        label: 'Collapse or expand the sidebar',
        words: 'fold menu',
        run: foldSidebar,
      },
      legal(paths.terms(), 'Terms and Conditions', 't&c'),
      legal(paths.privacy(), 'Privacy Policy', 'pp data'),
    ];
  }, [navigate, foldSidebar]);
  useCommands(commands);
}

const legal = (path: string, label: string, words: string): Command => ({
  id: path,
  group: 'Legal',
  label,
  words,
  run: () => open(path, '_blank', 'noopener'),
});
