import { Box, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { ChevronsUpDown, Pause, Play, Plus, Settings } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Organization } from '#shared/organization.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Mark } from '#web/components/mark.tsx';
import { MenuButton } from '#web/components/menu.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import { paths } from '#web/lib/paths.ts';
import { sendingText, useOrganizations } from './use-organizations.ts';

const CommandSearch = onDemand(async () => ({
  default: (await import('#web/components/command-palette.tsx')).CommandSearch,
}));

/** With this many organizations, a search replaces the menu. */
const MANY = 6;

const Manage = () => (
  <ButtonLink variant="ghost" colorPalette="yellow" to={paths.organizations()}>
    Manage
  </ButtonLink>
);

const FRAME = {
  variant: 'ghost',
  colorPalette: 'yellow',
  height: '10',
  borderWidth: '1px',
  borderColor: 'yellow.line',
  borderRadius: 'lg',
} as const;

export function OrganizationSwitcher({ folded }: { folded: boolean }) {
  const { all, active, activate, create, setSending } = useOrganizations();
  const navigate = useNavigate();
  const [searching, setSearching] = useState(false);
  // An empty place while loading, to avoid a layout shift.
  if (!all) return <Box height="10" aria-hidden />;
  if (!active) return folded ? null : <Manage />;

  const entries = [
    ...all.map(organization => ({
      id: String(organization.id),
      group: 'Organizations',
      label: organization.name,
      icon: <Mark of={organization} size="small" />,
      current: organization.id === active.id,
      run: () => activate(organization.id),
    })),
    ...(setSending
      ? [
          {
            id: 'sending',
            group: 'More',
            label: sendingText(active.active),
            icon: active.active ? <Pause aria-hidden /> : <Play aria-hidden />,
            run: () => setSending(!active.active),
          },
        ]
      : []),
    { id: 'create', group: 'More', label: 'Create organization', icon: <Plus aria-hidden />, run: create },
    {
      id: 'manage',
      group: 'More',
      label: 'Manage organizations',
      icon: <Settings aria-hidden />,
      to: paths.organizations(),
      run: () => navigate(paths.organizations()),
    },
  ];
  const props = {
    ...FRAME,
    ...(folded ? { width: '10', px: '0', mx: 'auto' } : { flex: 1, minWidth: 0, justifyContent: 'start' }),
    children: <Shown of={active} folded={folded} />,
  };
  const button =
    all.length < MANY ? (
      <MenuButton {...props} placement={folded ? 'right-start' : 'bottom-start'} items={entries} />
    ) : (
      <Button {...props} aria-haspopup="dialog" onClick={() => setSearching(true)} />
    );
  return (
    <Flex align="center" gap="1">
      {folded ? (
        <Tooltip text={active.name} side="right">
          {button}
        </Tooltip>
      ) : (
        <>
          {button}
          <Manage />
        </>
      )}
      {searching && (
        <CommandSearch
          title="Switch organization"
          label="Search your organizations"
          commands={entries}
          onClose={() => setSearching(false)}
        />
      )}
    </Flex>
  );
}

const Shown = ({ of, folded }: { of: Organization; folded: boolean }) => (
  <>
    <Mark of={of} size="small" onYellow />
    <VisuallyHidden>Active organization: {folded && of.name}</VisuallyHidden>
    {!folded && (
      <>
        <Text as="span" flex="1" minWidth="0" truncate textAlign="start" lineHeight="20px" title={of.name}>
          {of.name}
        </Text>
        <ChevronsUpDown aria-hidden />
      </>
    )}
  </>
);
