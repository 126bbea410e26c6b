import { chakra } from '@chakra-ui/react';
import { ChevronsUpDown } from 'lucide-react';
import { Link } from 'react-router';
import { Mark } from '../../components/mark.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { paths } from '../../lib/paths.ts';
import { useOrganizations } from './use-organizations.ts';

const Row = chakra('div', { base: { display: 'flex', alignItems: 'center', gap: '1' } });

const Frame = chakra('div', {
  base: {
    position: 'relative',
    flex: 1,
    minWidth: 0,
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    height: '10',
    px: '2',
    borderWidth: '1px',
    borderColor: 'brand.line',
    borderRadius: 'lg',
    fontSize: 'sm',
    fontWeight: 'medium',
    '&:has(select:focus-visible)': { outline: '2px solid', outlineColor: 'brand.ink', outlineOffset: '2px' },
    '&:has(select:hover)': { bg: 'brand.hover' },
  },
  variants: {
    folded: { true: { flex: 'none', width: '10', justifyContent: 'center', px: '0', mx: 'auto' } },
  },
});

const Name = chakra('span', {
  base: { flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

// A transparent select covers the whole frame, which shows the current value.
const Choice = chakra('select', {
  base: { position: 'absolute', inset: 0, width: 'full', height: 'full', opacity: 0 },
});

const Manage = chakra(Link, {
  base: {
    flexShrink: 0,
    px: '2',
    lineHeight: '32px',
    borderRadius: 'md',
    fontSize: 'sm',
    fontWeight: 'medium',
    textDecoration: 'none',
    _hover: { bg: 'brand.hover' },
  },
});

type Props = { folded: boolean };

/** Shows the active organization, with a select to switch and a link to manage them. */
export function OrganizationSwitcher({ folded }: Props) {
  const { all, active } = useOrganizations();
  if (all && !active) return folded ? null : <Manage to={paths.organizations()}>Manage</Manage>;
  if (folded && active) {
    return (
      <Tooltip text={active.name} side="right">
        <Shown folded />
      </Tooltip>
    );
  }
  return (
    <Row>
      <Shown folded={folded} />
      {!folded && <Manage to={paths.organizations()}>Manage</Manage>}
    </Row>
  );
}

function Shown({ folded }: Props) {
  const { all, active, activate } = useOrganizations();
  // An empty frame while loading, to avoid a layout shift.
  if (!all || !active) return <Frame folded={folded} aria-hidden />;
  const choosable = all.length > 1;
  return (
    <Frame folded={folded}>
      <Mark of={active} size="small" onYellow />
      {!folded && (
        <Name aria-hidden={choosable} title={active.name}>
          {active.name}
        </Name>
      )}
      {choosable && !folded && <ChevronsUpDown aria-hidden width={14} />}
      {choosable && (
        <Choice
          aria-label="Active organization"
          title={active.name}
          value={active.id}
          onChange={event => activate(Number(event.target.value))}
        >
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
    </Frame>
  );
}
