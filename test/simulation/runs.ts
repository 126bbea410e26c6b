import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Fault } from './faults.ts';
import type { Violation } from './invariants.ts';

/** The report of a child process about one run. */
export type Report = {
  seed: number;
  hash: number;
  violations: Violation[];
  faults: [Fault, number][];
  situations: string[];
  error?: string;
};

export type Seeds = { from: number; count: number };

type Options = Seeds & {
  execArgv?: string[];
  env?: Record<string, string>;
  /** No run is started after a report for which this returns true. */
  until?: (report: Report) => boolean;
  processes?: number;
};

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
// A child gets only a few seeds at a time, so that none gets far ahead; fewer where a report may be the last one.
const AT_ONCE = 10;
const AT_ONCE_UNTIL = 2;

const isFailed = ({ violations, error }: Report) => violations.length > 0 || error !== undefined;

/** Runs seeds in child processes. Each child takes the next few seeds when it has finished some. */
export async function runAll(options: Options) {
  const { from, count, until = () => false, processes = availableParallelism() } = options;
  const reports: Report[] = [];
  const atOnce = options.until ? AT_ONCE_UNTIL : AT_ONCE;
  let next = from;
  const hasMore = () => next < from + count && !reports.some(until);
  const runChild = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(CHILD, {
        execArgv: options.execArgv ?? [],
        env: { ...process.env, ...options.env },
      });
      const give = () => {
        if (!hasMore()) return child.disconnect();
        const seeds = { from: next, count: Math.min(atOnce, from + count - next) };
        next += seeds.count;
        child.send(seeds);
      };
      child.on('message', (answered: Report[]) => {
        reports.push(...answered);
        give();
      });
      onEnd(child, resolve, reject);
      give();
    });
  await Promise.all(Array.from({ length: Math.min(processes, Math.ceil(count / atOnce)) }, runChild));
  reports.sort((a, b) => a.seed - b.seed);
  return {
    seeds: reports.length,
    failed: reports.filter(isFailed),
    reports,
    runsWith: runsWithEach(reports),
  };
}

function onEnd(child: ChildProcess, resolve: () => void, reject: (error: Error) => void): void {
  child.on('exit', code =>
    code === 0 ? resolve() : reject(new Error(`A simulating process ended with ${code}`)),
  );
}

/** The number of runs in which each fault or situation occurred. */
function runsWithEach(reports: Report[]): [string, number][] {
  const runs = new Map<string, number>();
  for (const { faults, situations } of reports) {
    for (const name of [...faults.map(([fault]) => fault), ...situations]) {
      runs.set(name, (runs.get(name) ?? 0) + 1);
    }
  }
  return [...runs].sort(([a], [b]) => a.localeCompare(b));
}
