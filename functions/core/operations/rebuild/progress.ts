const REPORTED_EVERY = 50_000;

/** Counts what was read, and reports it after each 50,000: `wording` makes a line of the number. */
export function progressTicker(report: (line: string) => void, wording: (count: string) => string) {
  let count = 0;
  return (more: number): void => {
    const reported = Math.floor(count / REPORTED_EVERY);
    count += more;
    if (Math.floor(count / REPORTED_EVERY) > reported) report(wording(count.toLocaleString('en-US')));
  };
}
