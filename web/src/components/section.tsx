import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const Box = chakra('section', { base: { '& + section': { mt: '8' } } });

const Header = chakra('header', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '2',
    minHeight: 'control',
    mb: '3',
  },
});

const Heading = chakra('h2', { base: { fontSize: 'lg', lineHeight: '24px', fontWeight: 'semibold' } });
const Note = chakra('p', {
  base: { color: 'fg.muted', fontSize: 'sm', maxWidth: '65ch', mt: '-2', mb: '3' },
});

type Props = { title: string; note?: ReactNode; actions?: ReactNode; hidden?: boolean; children: ReactNode };

/** A section of a page with its heading. */
export function Section({ title, note, actions, hidden, children }: Props) {
  return (
    <Box hidden={hidden}>
      <Header>
        <Heading>{title}</Heading>
        {actions}
      </Header>
      {note && <Note>{note}</Note>}
      {children}
    </Box>
  );
}
