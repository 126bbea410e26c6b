import { VStack } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../lib/problem.ts';
import { Button } from './button.tsx';

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
    <VStack role="alert" align="flex-start" gap="3" py="6" maxWidth="60ch">
      <p>{message}</p>
      <span>
        <Button onClick={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
        {children}
      </span>
    </VStack>
  );
}
