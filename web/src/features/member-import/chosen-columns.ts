import type { ImportColumn } from '../../../../shared/member-import.ts';
import type { FileColumn } from './reading/columns.ts';

/** The columns that are imported, as the API takes them. */
export const importedColumns = (columns: ChosenColumn[]): ImportColumn[] =>
  columns.flatMap(({ position, name, to, key, dates }) =>
    to === 'ignored'
      ? []
      : [{ position, name, to, ...(to === 'metadata' && { key }), ...(dates && { dates }) }],
  );

/** A column, and how its dates are converted. */
export type ChosenColumn = Omit<FileColumn, 'dates'> & {
  found: FileColumn['dates'];
  dates?: ImportColumn['dates'];
};

/** Where only one order fits all dates of a column, it is taken. */
export const chosenOf = ({ dates: found, ...column }: FileColumn): ChosenColumn => {
  const [order, other] = found?.others ? found.orders : [];
  return { ...column, found, ...(order && !other && { dates: order }) };
};
