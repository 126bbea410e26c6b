const TOLD_AFTER = 50_000;

/** Counts what was read, and tells how much after each 50,000: `wording` makes a line of the number. */
export function progressOf(tell: (line: string) => void, wording: (count: string) => string) {
  let count = 0;
  return (more: number): void => {
    const told = Math.floor(count / TOLD_AFTER);
    count += more;
    if (Math.floor(count / TOLD_AFTER) > told) tell(wording(count.toLocaleString('en-US')));
  };
}
