import { chakra, Stack, VisuallyHidden } from '@chakra-ui/react';
import { LogIn, LogOut, type LucideIcon, Search } from 'lucide-react';
import { type AriaAttributes, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Tooltip } from '../components/tooltip.tsx';
import { OrganizationSwitcher } from '../features/organization/switcher.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { leaveBy } from '../lib/unsaved.ts';
import { isCurrent, navigation } from './navigation.ts';
import { endSession } from './session.tsx';

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
    <Stack flex="1" gap="3" px="3" pb="3">
      {signedIn && <OrganizationSwitcher folded={folded} />}
      <Entry
        icon={Search}
        label="Search"
        folded={folded}
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <kbd aria-hidden>Ctrl K</kbd>
      </Entry>
      {signedIn && (
        <nav aria-label="Main">
          <Stack as="ul" gap="0.5">
            {navigation.map(destination => (
              <li key={destination.path}>
                <Entry
                  {...destination}
                  folded={folded}
                  to={destination.path}
                  aria-current={isCurrent(destination, pathname) ? 'page' : undefined}
                />
              </li>
            ))}
          </Stack>
        </nav>
      )}
      <Stack mt="auto" gap="2">
        {signedIn ? (
          <LogoutEntry folded={folded} />
        ) : (
          <Entry icon={LogIn} label="Sign in" folded={folded} to={paths.login()} reloadDocument />
        )}
        <Legal folded={folded}>
          <a href={paths.terms()} target="_blank" rel="noreferrer" title="Terms and Conditions">
            {folded ? 'T&C' : 'Terms and Conditions'}
          </a>
          <a href={paths.privacy()} target="_blank" rel="noreferrer" title="Privacy Policy">
            {folded ? 'PP' : 'Privacy Policy'}
          </a>
        </Legal>
      </Stack>
    </Stack>
  );
}

function LogoutEntry({ folded }: { folded: boolean }) {
  const [leaving, setLeaving] = useState(false);
  const leave = () =>
    leaveBy(() => {
      setLeaving(true);
      return endSession();
    });
  return <Entry icon={LogOut} label="Logout" folded={folded} onClick={leave} aria-busy={leaving} />;
}

type EntryProps = AriaAttributes & {
  icon: LucideIcon;
  label: string;
  folded: boolean;
  /** Where it leads; without, it is a button. */
  to?: string;
  reloadDocument?: boolean;
  onClick?: () => void;
  /** Left out while the sidebar is folded. */
  children?: ReactNode;
};

/** An entry of the sidebar. While that is folded, its label is visually hidden, and shown as a tooltip. */
function Entry({ icon: Icon, label, folded, to, reloadDocument, onClick, children, ...aria }: EntryProps) {
  const content = (
    <>
      <Icon aria-hidden />
      {folded ? <VisuallyHidden>{label}</VisuallyHidden> : <span>{label}</span>}
      {!folded && children}
    </>
  );
  const element = to ? (
    <EntryLink to={to} reloadDocument={reloadDocument} folded={folded} {...aria}>
      {content}
    </EntryLink>
  ) : (
    <EntryButton onClick={onClick} folded={folded} {...aria}>
      {content}
    </EntryButton>
  );
  if (!folded) return element;
  return (
    <Tooltip text={label} side="right" names>
      {element}
    </Tooltip>
  );
}
