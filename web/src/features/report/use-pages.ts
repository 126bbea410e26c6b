import { useState } from 'react';
import type { PositionChange } from '#web/lib/table-view.ts';

/** Pages through rows that are all loaded: props for one of several tables on a page. */
export function usePages<Row>(all: Row[] | undefined, perPage: number) {
  const [chosen, setChosen] = useState(1);
  const lastPage = all && Math.max(1, Math.ceil(all.length / perPage));
  // There may be fewer rows than before.
  const page = Math.min(chosen, lastPage ?? chosen);
  return {
    rows: all?.slice((page - 1) * perPage, page * perPage),
    view: { page, sort: undefined, direction: 'asc' as const },
    onChange: (change: PositionChange) => setChosen(change.page ?? 1),
    lastPage,
  };
}
