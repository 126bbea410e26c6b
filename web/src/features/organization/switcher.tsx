import { chakra } from '@chakra-ui/react';
import { ChevronsUpDown } from 'lucide-react';
import { Tooltip } from '../../components/tooltip.tsx';
import { useOrganizations } from './organizations.tsx';

const Frame = chakra('div', {
  base: {
    position: 'relative',
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
  variants: { folded: { true: { width: '10', justifyContent: 'center', px: '0', mx: 'auto' } } },
});

const Letter = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '6',
    height: '6',
    flexShrink: 0,
    borderRadius: 'md',
    bg: 'brand.ink',
    color: 'brand',
    fontSize: 'xs',
    fontWeight: 'semibold',
  },
});

const Name = chakra('span', {
  base: { flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

// The whole frame is the control; what it shows is drawn beneath.
const Choice = chakra('select', {
  base: { position: 'absolute', inset: 0, width: 'full', height: 'full', opacity: 0 },
});

/** Shows the active organization, and lets who has several choose another. */
export function OrganizationSwitcher({ folded }: { folded: boolean }) {
  const { all, active, activate } = useOrganizations();
  // While they load, the place is kept.
  if (!all) return <Frame folded={folded} aria-hidden />;
  if (!active) return null;
  const shown = (
    <Frame folded={folded}>
      <Letter aria-hidden>{[...active.name][0]?.toUpperCase()}</Letter>
      {!folded && <Name aria-hidden={all.length > 1}>{active.name}</Name>}
      {all.length > 1 && !folded && <ChevronsUpDown aria-hidden width={14} />}
      {all.length > 1 && (
        <Choice
          aria-label="Active organization"
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
  return folded ? (
    <Tooltip text={active.name} side="right">
      {shown}
    </Tooltip>
  ) : (
    shown
  );
}
