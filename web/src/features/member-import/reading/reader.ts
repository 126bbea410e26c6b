import type { ImportColumn } from '#shared/member-import.ts';
import { Problem } from '#web/lib/problem.ts';
import type { ReadFile } from './csv.ts';
import type { Batch, Refused, RefusedCell, UnreadDates } from './pass.ts';

type Waiting = {
  resolve: (value: never) => void;
  reject: (problem: Problem) => void;
  onProgress?: ((share: number) => void) | undefined;
};

export type Reader = ReturnType<typeof openReader>;

/** Reads files in a worker, so the page stays responsive. */
export function openReader() {
  const worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let last = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    if ('share' in data) return asked.onProgress?.(data.share);
    waiting.delete(data.id);
    if ('error' in data) asked.reject(new Problem(data.error));
    else asked.resolve(data.value as never);
  });
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Problem(FAILED_TO_READ));
    waiting.clear();
  });

  const ask = <Call extends keyof WorkerCalls>(
    asked: Call,
    input: WorkerCalls[Call]['input'],
    onProgress?: (share: number) => void,
  ) =>
    new Promise<WorkerCalls[Call]['answer']>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject, onProgress });
      worker.postMessage({ id, ask: asked, input });
    });
  return { ask, close: () => worker.terminate() };
}

const FAILED_TO_READ = 'The file could not be read. Reload the page, and choose the file again.';

export type WorkerCalls = {
  read: { input: File; answer: ReadFile };
  /** Begins a pass through the file. */
  start: { input: { columns: ImportColumn[]; earlier: Refused[] }; answer: undefined };
  /** The rows from this number on; undefined at the end of the file. */
  next: { input: number; answer: Batch | undefined };
  unreadDates: { input: undefined; answer: UnreadDates[] };
  refuse: { input: Refused[]; answer: RefusedCell[] };
  refusedFile: { input: undefined; answer: Blob };
};

export type Reply = { id: number } & ({ value: unknown } | { error: string } | { share: number });
