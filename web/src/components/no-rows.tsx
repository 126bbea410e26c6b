import type { ReactNode } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

type Props = {
  isFiltered: boolean;
  noMatch: string;
  onClear: () => void;
  page: number;
  onFirstPage: () => void;
  /** Where there is nothing at all. */
  children: ReactNode;
};

/** Why a table that the server searches and pages has no rows, and what to do. */
export function NoRows({ isFiltered, noMatch, onClear, page, onFirstPage, children }: Props) {
  if (isFiltered) {
    return (
      <EmptyState title={noMatch} action={<Button onClick={onClear}>Clear search and filters</Button>} />
    );
  }
  if (page <= 1) return children;
  return (
    <EmptyState
      title={`There is no page ${formatNumber(page)}`}
      action={<Button onClick={onFirstPage}>Go to the first page</Button>}
    />
  );
}
