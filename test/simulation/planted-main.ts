// npm run simulate:planted [-- --seeds 2000] [--only <part of a name>]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PLANTED, type Planted } from './planted.ts';
import { runAll } from './runs.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '2000' }, only: { type: 'string', default: '' } },
});

const PLANT = fileURLToPath(new URL('plant.ts', import.meta.url));

/** How many runs it took to find a fault, and by which invariants it was found. */
async function hunt({ name }: Planted) {
  const { failed } = await runAll({
    from: 1,
    count: Number(values.seeds),
    execArgv: ['--import', PLANT],
    env: { PLANTED: name },
    untilFailure: true,
  });
  const errors = failed.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const invariants = failed.flatMap(({ violations }) => violations.map(({ invariant }) => invariant));
  return { seed: failed[0]?.seed, errors, invariants: [...new Set(invariants)] };
}

let isMissed = false;
for (const planted of PLANTED.filter(({ name }) => name.includes(values.only))) {
  const { seed, errors, invariants } = await hunt(planted);
  const isCaught = invariants.includes(planted.caughtBy);
  isMissed ||= !isCaught;
  const found = isCaught
    ? `seed ${seed}: ${planted.caughtBy}`
    : `MISSED. ${[...invariants, ...errors].join('; ')}`;
  console.log(`${planted.name}\n    ${found}`);
}
process.exitCode = isMissed ? 1 : 0;
