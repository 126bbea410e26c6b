import { Badge, chakra } from '@chakra-ui/react';
import { Mark } from '../../components/mark.tsx';
import { Status } from '../../components/status.tsx';
import { ROLE_NAMES } from './roles.ts';
import { useOrganizations } from './use-organizations.ts';

const List = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(260px, 100%), 1fr))',
    gap: '3',
    mb: '6',
    _empty: { display: 'none' },
  },
});

const Card = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: 'full',
    height: 'full',
    p: '3',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'lg',
    bg: 'bg.panel',
    textAlign: 'start',
    fontSize: 'sm',
    transition: 'border-color 120ms',
    _hover: { borderColor: 'border.emphasized' },
    '&[aria-pressed=true]': { borderColor: 'fg', boxShadow: 'inset 0 0 0 1px var(--ink)' },
  },
});

const Text = chakra('span', { base: { flex: 1, minWidth: 0, color: 'fg.muted' } });
const Name = chakra('span', {
  base: {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontWeight: 'semibold',
    color: 'fg',
  },
});

/** The user's organizations; choosing one makes it active. */
export function OrganizationCards() {
  const { all = [], active, activate } = useOrganizations();
  return (
    <List aria-label="Your organizations">
      {all.map(organization => (
        <li key={organization.id}>
          <Card
            type="button"
            aria-pressed={organization.id === active?.id}
            onClick={() => organization.id !== active?.id && activate(organization.id)}
          >
            <Mark of={organization} />
            <Text>
              <Name>{organization.name}</Name>
              {ROLE_NAMES[organization.role]} {organization.is_default && <Badge>Default</Badge>}
            </Text>
            {!organization.active && <Status tone="off">Inactive</Status>}
          </Card>
        </li>
      ))}
    </List>
  );
}
