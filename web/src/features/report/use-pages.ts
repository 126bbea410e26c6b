import { useState } from 'react';
import type { PositionChange } from '../../lib/table-view.ts';

/** Rows that are all there, page by page: props for a table that is one of several on its page. */
export function usePages<Row>(all: Row[] | undefined, perPage: number) {
  const [chosen, setChosen] = useState(1);
  const lastPage = all && Math.max(1, Math.ceil(all.length / perPage));
  // There may be fewer than before.
  const page = Math.min(chosen, lastPage ?? chosen);
  return {
    rows: all?.slice((page - 1) * perPage, page * perPage),
    view: { page, sort: undefined, direction: 'asc' as const },
    onChange: (change: PositionChange) => setChosen(change.page ?? 1),
    lastPage,
  };
}
