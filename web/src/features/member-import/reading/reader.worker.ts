import { Unreadable } from './csv.ts';
import { type ReadFile, readFile } from './file.ts';
import { Pass } from './pass.ts';
import type { Question, Reply } from './reader.ts';

// Everything of a file stays here: the page gets some rows at a time.
let file: File;
let known: ReadFile;
let pass: Pass;

const ANSWERS = {
  read: async (asked: File, id: number) => {
    file = asked;
    known = await readFile(file, share => reply({ id, share }));
    return known;
  },
  start: async ({ columns, earlier }: Question<'start'>) => {
    pass = new Pass(file, known, columns, earlier);
  },
  next: (from: number) => pass.next(from),
  refuse: async (refused: Question<'refuse'>) => pass.refuse(refused),
  refusedFile: async () => pass.refusedFile(),
};
export type Answers = typeof ANSWERS;

const reply = (message: Reply) => postMessage(message);

addEventListener(
  'message',
  async ({ data }: MessageEvent<{ id: number; ask: keyof Answers; input: never }>) => {
    const { id, ask, input } = data;
    try {
      reply({ id, value: await ANSWERS[ask](input, id) });
    } catch (error) {
      reply({ id, error: error instanceof Unreadable ? error.message : NOT_READ });
    }
  },
);

const NOT_READ = 'This file could not be read. If it was changed or moved since, choose it again.';
