import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { LogIn, LogOut, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Tooltip } from '../components/tooltip.tsx';
import { OrganizationSwitcher } from '../features/organization/switcher.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { isCurrent, navigation } from './navigation.ts';
import { logOut } from './session.tsx';

const Column = chakra('div', {
  base: { flex: 1, display: 'flex', flexDirection: 'column', gap: '3', px: '3', pb: '3' },
});

const List = chakra('ul', { base: { display: 'flex', flexDirection: 'column', gap: '0.5' } });

const entry = {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    width: 'full',
    height: 'control',
    px: '2.5',
    borderRadius: 'md',
    fontSize: 'sm',
    fontWeight: 'medium',
    textDecoration: 'none',
    transition: 'background-color 120ms',
    _hover: { bg: 'brand.hover' },
    _currentPage: { bg: 'brand.ink', color: 'brand', _hover: { bg: 'brand.ink' } },
    _icon: { width: '4', height: '4', flexShrink: 0 },
    '& kbd': {
      ml: 'auto',
      fontFamily: 'inherit',
      fontSize: 'xs',
      color: 'brand.muted',
      '@media (hover: none)': { display: 'none' },
    },
  },
  variants: { folded: { true: { width: '10', px: 0, justifyContent: 'center', mx: 'auto' } } },
} as const;

const EntryLink = chakra(Link, entry);
const EntryButton = chakra('button', entry, { defaultProps: { type: 'button' } });
const EntryAnchor = chakra('a', entry);

const Footer = chakra('div', { base: { mt: 'auto', display: 'flex', flexDirection: 'column', gap: '2' } });

const Legal = chakra('div', {
  base: {
    display: 'flex',
    gap: '4',
    px: '2.5',
    fontSize: 'xs',
    color: 'brand.muted',
    '& a:hover': { color: 'brand.ink' },
  },
  variants: { folded: { true: { flexDirection: 'column', alignItems: 'center', gap: '2', px: 0 } } },
});

type Props = { folded?: boolean; onSearch: () => void };

/** The content of the sidebar, and of the drawer on narrow viewports. */
export function SidebarContent({ folded = false, onSearch }: Props) {
  const signedIn = token() !== null;
  const { pathname } = useLocation();
  return (
    <Column>
      {signedIn && <OrganizationSwitcher folded={folded} />}
      <WithTooltip text="Search" folded={folded}>
        <EntryButton folded={folded} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
          <Search aria-hidden />
          <Label folded={folded}>Search</Label>
          {!folded && <kbd aria-hidden>Ctrl K</kbd>}
        </EntryButton>
      </WithTooltip>
      {signedIn && (
        <nav aria-label="Main">
          <List>
            {navigation.map(destination => (
              <li key={destination.path}>
                <WithTooltip text={destination.label} folded={folded}>
                  <EntryLink
                    to={destination.path}
                    folded={folded}
                    aria-current={isCurrent(destination, pathname) ? 'page' : undefined}
                  >
                    <destination.icon aria-hidden />
                    <Label folded={folded}>{destination.label}</Label>
                  </EntryLink>
                </WithTooltip>
              </li>
            ))}
          </List>
        </nav>
      )}
      <Footer>
        {signedIn ? <LogoutEntry folded={folded} /> : <SignInEntry folded={folded} />}
        <Legal folded={folded}>
          <a href={paths.terms()} target="_blank" rel="noreferrer" title="Terms and Conditions">
            {folded ? 'T&C' : 'Terms and Conditions'}
          </a>
          <a href={paths.privacy()} target="_blank" rel="noreferrer" title="Privacy Policy">
            {folded ? 'PP' : 'Privacy Policy'}
          </a>
        </Legal>
      </Footer>
    </Column>
  );
}

function LogoutEntry({ folded }: { folded: boolean }) {
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    logOut();
  };
  return (
    <WithTooltip text="Logout" folded={folded}>
      <EntryButton folded={folded} onClick={leave} aria-busy={leaving}>
        <LogOut aria-hidden />
        <Label folded={folded}>Logout</Label>
      </EntryButton>
    </WithTooltip>
  );
}

const SignInEntry = ({ folded }: { folded: boolean }) => (
  <WithTooltip text="Sign in" folded={folded}>
    <EntryAnchor href={paths.login()} folded={folded}>
      <LogIn aria-hidden />
      <Label folded={folded}>Sign in</Label>
    </EntryAnchor>
  </WithTooltip>
);

/** The label of an entry, visually hidden while the sidebar is folded. */
const Label = ({ folded, children }: { folded: boolean; children: ReactNode }) =>
  folded ? <VisuallyHidden>{children}</VisuallyHidden> : <span>{children}</span>;

/** Shows the label as a tooltip while the sidebar is folded. */
const WithTooltip = ({ text, folded, children }: { text: string; folded: boolean; children: ReactNode }) =>
  folded ? (
    <Tooltip text={text} side="right" names>
      {children}
    </Tooltip>
  ) : (
    children
  );
