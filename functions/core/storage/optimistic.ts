import { Refusal } from '#core/refusal.ts';

// More than the writers that a person and their programs ever run at a time.
const MOST_TRIES = 12;

type Optimistic<State, Result> = {
  /** The state, if it has been read already. */
  known?: State | undefined;
  read: () => Promise<State>;
  /** Writes on condition that the state is unchanged. Returns undefined after a conflict. */
  write: (state: State) => Promise<Result | undefined>;
  /** The message of the error after the last conflict. */
  conflict: string;
};

/** Optimistic concurrency: reads, writes conditionally, and repeats both after a conflict. */
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
