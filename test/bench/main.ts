// npm run bench [-- mails due=10000 --save]
import { synthesize } from '#local/template/assembly.ts';
import { ASSEMBLY } from '#test/support/setup.ts';
import { BENCHES, type BenchName, bench } from './bench.ts';
import { saveCounts } from './counts.ts';
import { isOver, written } from './report.ts';
import { FULL, LEAST, type Sizes } from './sizes.ts';

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
  const sizes = { ...FULL };
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
