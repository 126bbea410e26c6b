import { Box, Flex, Stack, VisuallyHidden } from '@chakra-ui/react';
import { LogIn, LogOut, type LucideIcon, Search } from 'lucide-react';
import { type AriaAttributes, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink } from '../components/button.tsx';
import { Tooltip } from '../components/tooltip.tsx';
import { OrganizationSwitcher } from '../features/organization/switcher.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { leaveBy } from '../lib/unsaved.ts';
import { isCurrent, navigation } from './navigation.ts';
import { endSession } from './session.tsx';

const ENTRY = {
  variant: 'ghost',
  colorPalette: 'yellow',
  gap: '2.5',
  _currentPage: { bg: 'yellow.current', color: 'yellow.currentInk', _hover: { bg: 'yellow.current' } },
} as const;
const WIDE = { width: 'full', px: '2.5', justifyContent: 'start' };
const FOLDED = { display: 'flex', width: '10', px: '0', mx: 'auto' };

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
        <Box
          as="kbd"
          ml="auto"
          fontFamily="inherit"
          fontSize="xs"
          color="yellow.muted"
          css={{ '@media (hover: none)': { display: 'none' } }}
          aria-hidden
        >
          Ctrl K
        </Box>
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
        <Flex
          {...(folded ? { direction: 'column', align: 'center', gap: '2' } : { gap: '4', px: '2.5' })}
          fontSize="xs"
          color="yellow.muted"
          css={{ '& a:hover': { color: 'yellow.ink' } }}
        >
          <a href={paths.terms()} target="_blank" rel="noreferrer" title="Terms and Conditions">
            {folded ? 'T&C' : 'Terms and Conditions'}
          </a>
          <a href={paths.privacy()} target="_blank" rel="noreferrer" title="Privacy Policy">
            {folded ? 'PP' : 'Privacy Policy'}
          </a>
        </Flex>
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
  /** The path of a link. An entry without one is a button. */
  to?: string;
  reloadDocument?: boolean;
  onClick?: () => void;
  /** Hidden while the sidebar is folded. */
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
  const props = { ...ENTRY, ...(folded ? FOLDED : WIDE), ...aria };
  const element = to ? (
    <ButtonLink to={to} reloadDocument={reloadDocument} {...props}>
      {content}
    </ButtonLink>
  ) : (
    <Button onClick={onClick} {...props}>
      {content}
    </Button>
  );
  if (!folded) return element;
  return (
    <Tooltip text={label} side="right" names>
      {element}
    </Tooltip>
  );
}
