import { useNavigate } from 'react-router';
import { commandOf, useCommands } from '../lib/commands.ts';
import { dialogPath, paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { navigation } from './navigation.ts';
import { logOut } from './session.tsx';

/** The commands of the shell: the pages of the navigation, signing in and out, the legal texts. */
export function useAppCommands(foldSidebar: () => void) {
  const navigate = useNavigate();
  const session = token()
    ? [
        ...navigation.map(({ path, label, about }) => commandOf('Pages', label, about, () => navigate(path))),
        commandOf('Commands', 'Create API token', 'new key', () => navigate(dialogPath('token'))),
        commandOf('Commands', 'Logout', 'sign out', logOut),
      ]
    : [
        commandOf('Pages', 'API Reference', 'openapi', () => navigate(paths.apiReference())),
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
