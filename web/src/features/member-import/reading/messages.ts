import type { ImportColumn } from '../../../../../shared/member-import.ts';
import type { ReadFile } from './file.ts';
import type { Batch, Refused, RefusedCell } from './pass.ts';

/** What the page asks of the worker, and what that answers. */
export type WorkerCalls = {
  read: { input: File; answer: ReadFile };
  /** Begins a way through the file. */
  start: { input: { columns: ImportColumn[]; earlier: Refused[] }; answer: undefined };
  /** The rows from this number on; undefined at the end. */
  next: { input: number; answer: Batch | undefined };
  refuse: { input: Refused[]; answer: RefusedCell[] };
  refusedFile: { input: undefined; answer: Blob };
};

export type Reply = { id: number } & ({ value: unknown } | { error: string } | { share: number });
