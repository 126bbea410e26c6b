// npm run model -- [--worlds 100000] [--from 1], or -- --planted [--worlds 5000]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWorlds, describe } from './compare.ts';
import { differencesOfGuard } from './guard.ts';
import { PLANTED } from './planted.ts';

const { values } = parseArgs({
  options: {
    worlds: { type: 'string' },
    from: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
  },
});
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The first world that differs where a fault is planted. */
function foundIn(fault: string): string | undefined {
  const args = ['--import', pathOf('../simulation/plant.ts'), pathOf('main.ts'), '--from', values.from];
  const { stdout } = spawnSync(process.execPath, [...args, '--worlds', values.worlds ?? '5000'], {
    encoding: 'utf8',
    env: { ...process.env, PLANTED: fault },
  });
  return /^(World|Hours) \d+/m.exec(stdout)?.[0];
}

if (values.planted) {
  const found = PLANTED.map(({ name, caughtBy }) => ({ name, caughtBy, world: foundIn(name) }));
  for (const { name, caughtBy, world } of found)
    console.log(`${caughtBy}: ${name}\n    ${world ?? 'MISSED'}`);
  process.exitCode = found.some(({ world }) => world === undefined) ? 1 : 0;
} else {
  const [from, count] = [Number(values.from), Number(values.worlds ?? '100000')];
  const ofGuard = differencesOfGuard(from, count);
  for (const hours of ofGuard.different.slice(0, 3)) console.log(`${hours}\n`);
  const { worlds, results, different } = compareWorlds(from, count);
  for (const difference of different) console.log(`${describe(difference)}\n`);
  const both = [...ofGuard.results, ...results];
  console.log(Object.fromEntries(both.sort(([, a], [, b]) => b - a)));
  console.log(`${worlds} worlds, ${different.length} of them differ.`);
  console.log(`${count} times random hours, of ${ofGuard.different.length} the guard finds something else.`);
  process.exitCode = different.length + ofGuard.different.length > 0 ? 1 : 0;
}
