import { useState } from 'react';
import type { ImportedAs, NewImport } from '#shared/member-import.ts';
import { useMay } from '#web/lib/organization.ts';
import { type ChosenColumn, chosenOf, importedColumns } from './chosen-columns.ts';
import type { FileColumn } from './reading/columns.ts';

/** The options of an import besides its columns. */
export type ImportOptions = { mode: NewImport['mode']; as: ImportedAs; source: string; date: string };
const OPTIONS: ImportOptions = { mode: 'update', as: 'subscribed', source: '', date: '' };

/** The targets of the columns and the options of an import. `onChange` is called with each change. */
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
    /** In the format of the API. */
    imported: importedColumns(columns),
    suggest: (found: FileColumn[]) => setColumns(found.map(column => chosenOf(column, maySuppress))),
    setColumns: choosing(setColumns),
    setOptions: choosing(setOptions),
  };
}

export type ImportChoices = ReturnType<typeof useChoices>;
