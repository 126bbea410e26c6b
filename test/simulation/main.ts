// npm run simulate -- [--seeds 20000] [--from 1] [--seed 7 [--trace]] [--agreement 1000]
import { parseArgs } from 'node:util';
import { compareMany } from './agreement.ts';
import { runAll } from './runs.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    agreement: { type: 'string' },
  },
});

if (values.agreement !== undefined) {
  const { differing, seen } = await compareMany(1, Number(values.agreement));
  for (const one of differing.slice(0, 20)) console.log(JSON.stringify(one));
  console.log(`${seen.sent} emails were sent. ${differing.length} organizations sent what was not said.`);
  process.exitCode = differing.length > 0 ? 1 : 0;
} else if (values.seed !== undefined) {
  const { lines, violations, faults, hash } = await simulate({
    seed: Number(values.seed),
    traced: values.trace,
  });
  for (const line of lines) console.log(line);
  console.log(
    `Trace ${hash.toString(16)}. Faults: ${faults.map(([fault, count]) => `${fault} ${count}`).join(', ')}`,
  );
  for (const { invariant, found } of violations) console.log(`${invariant}: ${found}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
} else {
  const { seeds, failed, runsWith } = await runAll({
    from: Number(values.from),
    count: Number(values.seeds),
  });
  for (const { seed, violations, error } of failed.slice(0, 20)) {
    console.log(
      `seed ${seed}: ${error ?? violations.map(({ invariant, found }) => `${invariant}: ${found}`).join('; ')}`,
    );
  }
  for (const [fault, runs] of runsWith)
    console.log(`${fault}: in ${((100 * runs) / seeds).toFixed(1)}% of the runs`);
  console.log(`${seeds} runs, ${failed.length} of them failed.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
