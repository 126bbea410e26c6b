// npm run model -- [--worlds 100000] [--from 1]
import { parseArgs } from 'node:util';
import { compareWorlds, describe } from './compare.ts';

const { values } = parseArgs({
  options: { worlds: { type: 'string', default: '100000' }, from: { type: 'string', default: '1' } },
});
const { worlds, results, different } = compareWorlds(Number(values.from), Number(values.worlds));
for (const difference of different) console.log(`${describe(difference)}\n`);
console.log(Object.fromEntries([...results].sort(([, a], [, b]) => b - a)));
console.log(`${worlds} worlds, ${different.length} of them differ.`);
process.exitCode = different.length > 0 ? 1 : 0;
