import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../lib/problem.ts';
import { Button } from './button.tsx';

const Frame = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    gap: '3',
    py: '6',
    maxWidth: '60ch',
  },
});

type Props = {
  problem: unknown;
  /** Shown instead of the message of `problem`. */
  message?: string;
  onRetry: () => void;
  children?: ReactNode;
};

/** Shown instead of content that could not be loaded: the message and a retry button. */
export function Failure({ problem, message = messageOf(problem), onRetry, children }: Props) {
  return (
    <Frame role="alert">
      <p>{message}</p>
      <span>
        <Button onClick={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
        {children}
      </span>
    </Frame>
  );
}
