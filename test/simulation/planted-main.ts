// npm run simulate:planted [-- --seeds 2000] [--only <part of a name>]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PLANTED, type Planted } from './planted.ts';
import { type Report, runAll } from './runs.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '2000' }, only: { type: 'string', default: '' } },
});

const PLANT = fileURLToPath(new URL('plant.ts', import.meta.url));

/** Returns the run in which the expected invariant found a fault, and which other invariants were violated until then. */
async function hunt({ name, caughtBy }: Planted) {
  const isCaught = ({ violations }: Report) => violations.some(({ invariant }) => invariant === caughtBy);
  const { failed } = await runAll({
    from: 1,
    count: Number(values.seeds),
    execArgv: ['--import', PLANT],
    env: { PLANTED: name },
    until: isCaught,
  });
  const errors = failed.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const invariants = failed.flatMap(({ violations }) => violations.map(({ invariant }) => invariant));
  return { seed: failed.find(isCaught)?.seed, others: [...new Set([...invariants, ...errors])] };
}

let isMissed = false;
for (const planted of PLANTED.filter(({ name }) => name.includes(values.only))) {
  const { seed, others } = await hunt(planted);
  isMissed ||= seed === undefined;
  const found = seed === undefined ? `MISSED. ${others.join('; ')}` : `seed ${seed}: ${planted.caughtBy}`;
  console.log(`${planted.name}\n    ${found}`);
}
process.exitCode = isMissed ? 1 : 0;
