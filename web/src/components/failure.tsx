import { Flex, VStack } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf, serverMessageOr } from '../lib/problem.ts';
import { Button } from './button.tsx';

type Props = {
  problem: unknown;
  /** Replaces the message of `problem`. The `fallback` does so only if the server gave no reason. */
  message?: string;
  fallback?: string;
  onRetry: () => void;
  children?: ReactNode;
};

export function Failure({ problem, message, fallback, onRetry, children }: Props) {
  return (
    <VStack role="alert" align="flex-start" gap="3" py="6" maxWidth="60ch">
      <p>{message ?? (fallback ? serverMessageOr(problem, fallback) : messageOf(problem))}</p>
      <Flex wrap="wrap" gap="2">
        <Button onClick={onRetry}>
          <RotateCw aria-hidden />
          Try again
        </Button>
        {children}
      </Flex>
    </VStack>
  );
}
