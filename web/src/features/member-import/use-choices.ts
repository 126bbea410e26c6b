import { useState } from 'react';
import type { ImportedAs, NewImport } from '../../../../shared/member-import.ts';
import { useMay } from '../../lib/use-may.ts';
import { type ChosenColumn, chosenOf, importedColumns } from './chosen-columns.ts';
import type { FileColumn } from './reading/columns.ts';

/** What the user chooses besides the columns. */
export type ImportOptions = { mode: NewImport['mode']; as: ImportedAs; source: string; date: string };
const OPTIONS: ImportOptions = { mode: 'update', as: 'subscribed', source: '', date: '' };

/** What the columns of a file become, and how its people are imported; `onChange` is called with each other choice. */
export function useChoices(onChange: () => void) {
  const maySuppress = useMay()('recipients:suppress');
  const [columns, setColumns] = useState<ChosenColumn[]>([]);
  const [options, setOptions] = useState(OPTIONS);
  const choosing =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      onChange();
      set(value);
    };
  return {
    columns,
    options,
    maySuppress,
    /** As the API takes them. */
    imported: importedColumns(columns),
    suggest: (found: FileColumn[]) => setColumns(found.map(column => chosenOf(column, maySuppress))),
    setColumns: choosing(setColumns),
    setOptions: choosing(setOptions),
  };
}

export type ImportChoices = ReturnType<typeof useChoices>;
