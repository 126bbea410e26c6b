// npm run bench [-- mails due=10000 --save]
import { resolve } from 'node:path';
import { synthesize } from '../../local/template/assembly.ts';
import { BENCHES, type BenchName, bench, type Sizes } from './bench.ts';
import { saveCounts } from './counts.ts';
import { isOver, written } from './report.ts';

const ASSEMBLY = resolve('dist/assembly-bench');
const SIZES: Sizes = {
  ...{ members: 1_000_000, sends: 10_000, due: 100_000, pack: 1_000, outageHours: 6 },
  ...{ organizations: 100_000, crowd: 1_000_000, daily: 10_000, people: 1_000 },
  ...{ combinations: 5_000, reportDays: 1_826 },
};
const LEAST: Sizes = {
  ...{ members: 1_000, sends: 250, due: 250, pack: 50, outageHours: 1 },
  ...{ organizations: 1_000, crowd: 5_000, daily: 2_000, people: 100 },
  ...{ combinations: 243, reportDays: 40 },
};

const args = process.argv.slice(2);
const { names, sizes } = askedFor(args.filter(arg => arg !== '--save'));
await synthesize(ASSEMBLY);
let isBroken = false;
for await (const section of bench(ASSEMBLY, sizes, names)) {
  console.log(`${written(section)}\n`);
  if (args.includes('--save')) saveCounts(section);
  isBroken ||= section.lines.some(isOver);
}
console.log(isBroken ? 'Some of it is over its budget.' : 'All of it is within its budget.');
process.exitCode = isBroken ? 1 : 0;

function askedFor(args: string[]): { names?: BenchName[]; sizes: Sizes } {
  const sizes = { ...SIZES };
  const names: BenchName[] = [];
  for (const arg of args) {
    const [, name = '', given] = /^(\w+)=(\d+)$/.exec(arg) ?? [];
    if (Object.hasOwn(BENCHES, arg)) names.push(arg as BenchName);
    else if (
      Number(given) >= (Object.hasOwn(LEAST, name) ? LEAST[name as keyof Sizes] : Number.POSITIVE_INFINITY)
    ) {
      sizes[name as keyof Sizes] = Number(given);
    } else {
      const smallest = Object.entries(LEAST).map(([size, least]) => `[${size}=<at least ${least}>]`);
      console.error(
        `Usage: npm run bench [-- [--save] [${Object.keys(BENCHES).join('|')}] ${smallest.join(' ')}]`,
      );
      process.exit(2);
    }
  }
  return { ...(names.length > 0 && { names }), sizes };
}
