import { expect, it } from 'vitest';
import { TRACKING_ROUTES } from '#lib/stacks/tracking.ts';
import type { StageName } from '#lib/stages.ts';
import { composed } from './templates.ts';

it.each<[StageName, string]>([
  ['local', '0'],
  ['dev', '5'],
  ['prod', '5'],
])('in %s, who follows a link within %s seconds is no person', (stage, seconds) => {
  const functions = composed(stage).functions();
  for (const { Properties } of functions.filter(({ entry }) => entry.startsWith('functions/tracking/')))
    expect(Properties.Environment.Variables.EARLIEST_VISIT).toBe(seconds);
});

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
