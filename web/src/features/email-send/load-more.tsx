import { Box, VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { formatMoment, plural } from '#web/lib/format.ts';

type Props = {
  /** How many rows are shown. */
  count: number;
  hasMore: boolean;
  /** The log was read only down to this instant. */
  searchedSince: string | undefined;
  isLoading: boolean;
  problem: string | undefined;
  onMore: () => void;
};

/** Below the rows: a button that loads more of them, and an announcement of how many were loaded. */
export function LoadMore({ count, hasMore, searchedSince, isLoading, problem, onMore }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef<number>(undefined);
  const [came, setCame] = useState('');
  const isShown = hasMore || searchedSince !== undefined;

  useEffect(() => {
    if (isLoading || before.current === undefined) return;
    const first = before.current;
    before.current = undefined;
    if (problem) return;
    setCame(count > first ? `${plural(count - first, 'more email')} loaded.` : 'No more emails found.');
    if (isShown) return;
    // The button disappears, so the focus moves to the first new row.
    const rows = frame.current?.closest('.data-table')?.querySelectorAll<HTMLElement>('tbody tr');
    rows?.[Math.min(first, rows.length - 1)]?.focus();
  }, [count, isLoading, problem, isShown]);

  function load() {
    before.current = count;
    setCame('');
    onMore();
  }

  return (
    <Box ref={frame} display="flex" flexWrap="wrap" alignItems="center" gap="2" ms="auto" p="1">
      <VisuallyHidden aria-live="polite">{came}</VisuallyHidden>
      {problem && (
        <Box role="alert" color="fg.error" ps="2">
          {problem}
        </Box>
      )}
      {!hasMore && searchedSince && (
        <Box color="fg.muted" ps="2">
          Emails that were due since {formatMoment(searchedSince)} were searched.
        </Box>
      )}
      {isShown && (
        <Button loading={isLoading} loadingText="Loading..." onClick={load}>
          {hasMore ? 'Load More' : 'Search further'}
        </Button>
      )}
    </Box>
  );
}
