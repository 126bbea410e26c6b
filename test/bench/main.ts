// npm run bench [-- members=10000]
import { resolve } from 'node:path';
import { synthesize } from '../../local/template/assembly.ts';
import { bench } from './bench.ts';
import { isOver, written } from './report.ts';

const ASSEMBLY = resolve('dist/assembly-bench');

const members = sizeOf(process.argv.slice(2));
await synthesize(ASSEMBLY);
let isBroken = false;
for await (const section of bench(ASSEMBLY, members)) {
  console.log(`${written(section)}\n`);
  isBroken ||= section.lines.some(isOver);
}
console.log(isBroken ? 'Some of it is over its budget.' : 'All of it is within its budget.');
process.exitCode = isBroken ? 1 : 0;

function sizeOf(args: string[]): number {
  const [given, ...more] = args;
  if (given === undefined) return 1_000_000;
  const size = Number(/^members=(\d+)$/.exec(given)?.[1]);
  if (size >= 1000 && more.length === 0) return size;
  console.error('Usage: npm run bench [-- members=<how many, at least 1000>]');
  process.exit(2);
}
