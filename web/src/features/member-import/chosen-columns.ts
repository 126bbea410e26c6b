import type { ImportColumn } from '#shared/member-import.ts';
import type { FileColumn } from './reading/columns.ts';

/** The imported columns in the format of the API. */
export const importedColumns = (columns: ChosenColumn[]): ImportColumn[] =>
  columns.flatMap(({ position, name, to, key, dates }) =>
    to === 'ignored'
      ? []
      : [{ position, name, to, ...(to === 'metadata' && { key }), ...(dates && { dates }) }],
  );

/** A column, with the conversion of its dates. */
export type ChosenColumn = Omit<FileColumn, 'dates'> & {
  found: FileColumn['dates'];
  dates?: ImportColumn['dates'];
};

/**
 * The initial choice for a column. If only one order of day and month fits all of its dates, that is chosen. Suppressions are
 * not imported if the user may not suppress.
 */
export const chosenOf = ({ dates: found, to, ...column }: FileColumn, maySuppress: boolean): ChosenColumn => {
  const [order, other] = found?.others ? found.orders : [];
  const isAllowed = to !== 'suppression' || maySuppress;
  return { ...column, to: isAllowed ? to : 'ignored', found, ...(order && !other && { dates: order }) };
};
