import { expect, it } from 'vitest';
import { TRACKING_ROUTES } from '#lib/stacks/tracking.ts';
import { STAGES, type StageName } from '#lib/stages.ts';
import { composed } from './templates.ts';

const functionsOf = (stage: StageName) =>
  composed(stage)
    .functions()
    .filter(({ entry }) => entry.startsWith('functions/tracking/'));

it.each<[StageName, string]>([
  ['local', '0'],
  ['dev', '5'],
  ['prod', '5'],
])(
  'in %s, who follows a link within %s seconds is no person, and each function has its own share where any has',
  (stage, seconds) => {
    for (const { Properties } of functionsOf(stage)) {
      expect(Properties.Environment.Variables.EARLIEST_VISIT).toBe(seconds);
      expect(Properties.ReservedConcurrentExecutions).toBe(
        STAGES[stage].reserves ? STAGES[stage].mostVisits : undefined,
      );
    }
  },
);

it('each link is answered to GET and HEAD, which the gateway tells apart, and only one takes a POST', () => {
  const methods = Object.groupBy(Object.keys(TRACKING_ROUTES), key => key.split(' ')[1] ?? '');
  expect(
    Object.entries(methods).map(([path, keys = []]) => [path, keys.map(key => key.split(' ')[0])]),
  ).toEqual([
    ['/t/o/{token}', ['GET', 'HEAD']],
    ['/t/c/{token}', ['GET', 'HEAD']],
    ['/t/u/{token}', ['GET', 'HEAD', 'POST']],
  ]);
});
