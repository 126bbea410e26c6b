import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const Frame = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '1',
    px: '4',
    py: '10',
    textAlign: 'center',
    '& > button, & > a': { mt: '3' },
  },
});

const Title = chakra('p', { base: { fontWeight: 'semibold' } });
const Cause = chakra('p', { base: { color: 'fg.muted', fontSize: 'sm', maxWidth: '48ch' } });

type Props = { title: string; cause?: ReactNode; action?: ReactNode };

/** Shown instead of rows or content: why there is none, and what to do about it. */
export function EmptyState({ title, cause, action }: Props) {
  return (
    <Frame>
      <Title>{title}</Title>
      {cause && <Cause>{cause}</Cause>}
      {action}
    </Frame>
  );
}
