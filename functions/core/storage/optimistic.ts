import { Refusal } from '../refusal.ts';

// More writers than a person and their programs ever are.
const MOST_TRIES = 12;

type Optimistic<State, Result> = {
  /** The state, if it has been read already. */
  known?: State | undefined;
  read: () => Promise<State>;
  /** Writes on the condition that the state is still this one; undefined where it lost that race. */
  write: (state: State) => Promise<Result | undefined>;
  /** The message of the refusal after the last lost race. */
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
