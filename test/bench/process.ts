import { readFileSync } from 'node:fs';
import type { Line } from './report.ts';

export type ProcessorTime = { pid: number; name: string; seconds: number };

// What a name has beside those of its stack and its function.
const GENERATED = /^letterflow-local-|[0-9A-F]{8}$/g;
// Of Linux on every architecture that Node runs on: `getconf CLK_TCK`.
const TICKS = 100;

/** For how long a process has used a processor, with its name: the stack's, an engine's or that of a function. */
export function processorTimeOf(pid: number): ProcessorTime {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the second field may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return { pid, name: nameOf(pid), seconds: (user + system) / TICKS };
}

function nameOf(pid: number): string {
  if (pid === process.pid) return 'the stack itself: endpoints, clock, mail provider';
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const runtime = args.findIndex(arg => arg.endsWith('functions/runtime.ts'));
  // Its arguments: the file of the function, what it exports, and its name.
  if (runtime >= 0) return `the function ${args[runtime + 3]?.replace(GENERATED, '')}`;
  return args.some(arg => arg.endsWith('engines/process.ts'))
    ? 'the engine of queues'
    : 'the engine of the table';
}

/** What each process has used between two readings. */
export const spentBetween = (before: ProcessorTime[], after: ProcessorTime[]) =>
  after.map(({ pid, name, seconds }) => ({
    name,
    seconds: seconds - (before.find(one => one.pid === pid)?.seconds ?? 0),
  }));

/** Of fewer things, most of what is used is that of a start. */
export const MANY = 10_000;

/** Processor time for each of so many things: of the functions alone, and of all processes. */
export function processorLines(
  spent: ReturnType<typeof spentBetween>,
  count: number,
  budgets: { functions: number; all?: number },
): Line[] {
  const line = (what: string, isOf: (name: string) => boolean, budget: number | undefined): Line => ({
    what: `processor milliseconds of ${what}`,
    measured: (spent.reduce((sum, { name, seconds }) => sum + (isOf(name) ? seconds : 0), 0) * 1000) / count,
    ...(budget !== undefined && count >= MANY && { budget }),
  });
  return [
    line('functions', name => name.startsWith('the function '), budgets.functions),
    line('functions, engines and stack', () => true, budgets.all),
  ];
}
