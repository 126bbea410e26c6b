import type { ImportColumn } from '#shared/member-import.ts';
import type { ReadFile } from './file.ts';
import type { Batch, Refused, RefusedCell } from './pass.ts';

/** The calls of the worker, with their inputs and results. */
export type WorkerCalls = {
  read: { input: File; answer: ReadFile };
  /** Begins a pass through the file. */
  start: { input: { columns: ImportColumn[]; earlier: Refused[] }; answer: undefined };
  /** The rows from this number on; undefined at the end of the file. */
  next: { input: number; answer: Batch | undefined };
  refuse: { input: Refused[]; answer: RefusedCell[] };
  refusedFile: { input: undefined; answer: Blob };
};

export type Reply = { id: number } & ({ value: unknown } | { error: string } | { share: number });
