import { type ReadFile, readFile, Unreadable } from './csv.ts';
import { Pass } from './pass.ts';
import type { Reply, WorkerCalls } from './reader.ts';

// The file stays in the worker. The page gets several rows at a time.
let file: File;
let known: ReadFile;
let pass: Pass;

type Answer<Call extends keyof WorkerCalls> = (
  input: WorkerCalls[Call]['input'],
  id: number,
) => Promise<WorkerCalls[Call]['answer']>;

const ANSWERS: { [Call in keyof WorkerCalls]: Answer<Call> } = {
  read: async (asked, id) => {
    file = asked;
    known = await readFile(file, share => reply({ id, share }));
    return known;
  },
  start: async ({ columns, earlier }) => {
    pass = new Pass(file, known, columns, earlier);
    return undefined;
  },
  next: from => pass.next(from),
  unreadDates: async () => pass.unreadDates(),
  refuse: async refused => pass.refuse(refused),
  refusedFile: async () => pass.refusedFile(),
};

const reply = (message: Reply) => postMessage(message);

addEventListener(
  'message',
  async ({ data }: MessageEvent<{ id: number; ask: keyof WorkerCalls; input: never }>) => {
    const { id, ask, input } = data;
    try {
      reply({ id, value: await ANSWERS[ask](input, id) });
    } catch (error) {
      reply({ id, error: error instanceof Unreadable ? error.message : NOT_READ });
    }
  },
);

const NOT_READ = 'This file could not be read. If it was changed or moved since, choose it again.';
