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

/** Where only one order fits all dates of a column, it is taken. Who may suppress nobody does not import suppressions. */
export const chosenOf = ({ dates: found, to, ...column }: FileColumn, maySuppress: boolean): ChosenColumn => {
  const [order, other] = found?.others ? found.orders : [];
  const isAllowed = to !== 'suppression' || maySuppress;
  return { ...column, to: isAllowed ? to : 'ignored', found, ...(order && !other && { dates: order }) };
};
