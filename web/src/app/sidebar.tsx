import { Box, Flex, Stack, Text, VisuallyHidden } from '@chakra-ui/react';
import { LogIn, LogOut, type LucideIcon, Menu, PanelLeftClose, PanelLeftOpen, Search, X } from 'lucide-react';
import { type AriaAttributes, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink, IconButton } from '../components/button.tsx';
import { Drawer } from '../components/modal.tsx';
import { BrandSurface } from '../components/panel.tsx';
import { Tooltip } from '../components/tooltip.tsx';
import { Logo, Wordmark } from '../components/wordmark.tsx';
import { OrganizationSwitcher } from '../features/organization/switcher.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { leaveBy } from '../lib/unsaved.ts';
import { useMedia } from '../lib/use-media.ts';
import { isCurrent, navigationGroups } from './navigation.ts';
import { endSession } from './session.tsx';

type Props = { folded: boolean; onFold: () => void; onSearch: () => void };

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

const ENTRY = {
  variant: 'ghost',
  colorPalette: 'yellow',
  gap: '2.5',
  _currentPage: { bg: 'yellow.current', color: 'yellow.currentInk', _hover: { bg: 'yellow.current' } },
} as const;
const WIDE = { width: 'full', px: '2.5', justifyContent: 'start' };
const FOLDED = { display: 'flex', width: '10', px: '0', mx: 'auto' };

function SidebarContent({ folded = false, onSearch }: { folded?: boolean; onSearch: () => void }) {
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
          {navigationGroups.map(({ name, entries }) => (
            <Box
              key={entries[0]?.path}
              {...(name && (folded ? { mt: '2', pt: '2', borderTopWidth: '1px' } : { mt: '2.5' }))}
            >
              {name && !folded && (
                <Text px="2.5" mb="0.5" fontSize="xs" lineHeight="16px" color="yellow.muted">
                  {name}
                </Text>
              )}
              <Stack as="ul" gap="0.5">
                {entries.map(destination => (
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
            </Box>
          ))}
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

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  const { key } = useLocation();
  const close = () => setOpen(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the drawer
  useEffect(close, [key]);

  return (
    <BrandSurface
      as="header"
      display={{ base: 'flex', md: 'none' }}
      position="sticky"
      top="0"
      zIndex="header"
    >
      <Bar label="Open menu" icon={Menu} onClick={() => setOpen(true)} />
      {open && (
        <Drawer title="Menu" onClose={close}>
          <BrandSurface flexDirection="column" gap="2" minHeight="full">
            <Bar label="Close menu" icon={X} onClick={close} />
            <SidebarContent
              onSearch={() => {
                close();
                onSearch();
              }}
            />
          </BrandSurface>
        </Drawer>
      )}
    </BrandSurface>
  );
}

const Bar = ({ label, icon: Icon, onClick }: { label: string; icon: LucideIcon; onClick: () => void }) => (
  <Flex align="center" gap="2" height="12" px="3">
    <IconButton colorPalette="yellow" label={label} onClick={onClick}>
      <Icon aria-hidden />
    </IconButton>
    <Wordmark plain />
  </Flex>
);

const STORED = 'sidebarCollapsed';

/** Below this width the page needs the space: the sidebar is folded until it is opened, which is not stored. */
const NARROW = '(max-width: 1179.98px)';

export function useSidebarFold() {
  const isNarrow = useMedia(NARROW);
  const [isFolded, setFolded] = useState(() => readStored(STORED) === 'true');
  const [isOpened, setOpened] = useState(false);
  const folded = isNarrow ? !isOpened : isFolded;
  function toggle() {
    if (isNarrow) return setOpened(folded);
    writeStored(STORED, String(!folded));
    setFolded(!folded);
  }
  return { folded, toggle };
}
