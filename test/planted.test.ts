import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { PLANTED as OF_WEBHOOKS } from './core/list/unsubscribe-webhook-planted.ts';
import { PLANTED as OF_THE_MODEL } from './model/planted.ts';
import { PLANTED as OF_THE_SIMULATION } from './simulation/planted.ts';

// Apart from the tests that find the faults: these read the product as text, so they would fail for any fault of a mutation run.
describe.each([
  ['the model', OF_THE_MODEL],
  ['the simulation of sending', OF_THE_SIMULATION],
  ['webhooks', OF_WEBHOOKS],
])('The planted faults of %s', (_, planted) => {
  it.each(planted)(
    'occur once in the product, which can still be read with it: $name',
    ({ file, find, replace }) => {
      const parts = readFileSync(file, 'utf8').split(find);
      expect(parts).toHaveLength(2);
      transformSync(parts.join(replace), { loader: 'ts' });
    },
  );
});
