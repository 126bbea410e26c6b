import { Refusal } from './refusal.ts';

// Writers of one item that meet this often are many more than a person and their programs.
const MOST_TRIES = 12;

type Optimistic<State, Result> = {
  /** The state, where it is read already. */
  known?: State | undefined;
  read: () => Promise<State>;
  /** Writes on the condition that the state is still this one; undefined where it lost that race. */
  write: (state: State) => Promise<Result | undefined>;
  /** The answer where each try lost. */
  conflict: string;
};

/** Optimistic concurrency: reads, writes conditionally, and repeats both after a lost race. */
export async function optimistically<State, Result>({
  known,
  read,
  write,
  conflict,
}: Optimistic<State, Result>): Promise<Result> {
  let state = known ?? (await read());
  for (let attempt = 1; ; attempt++) {
    const result = await write(state);
    if (result !== undefined) return result;
    if (attempt === MOST_TRIES) throw new Refusal('conflict', conflict);
    state = await read();
  }
}
