import { expect, it } from 'vitest';
import { extent } from '../support/prove.ts';
import { FUNCTIONS, runFailing } from './each-request.ts';
import { FAILURES } from './scheduler.ts';

const EVERY = extent(80, 1);
const LONGEST = extent(120_000, 7_200_000);

it.each(FUNCTIONS)(
  'whichever request of the %s fails, nothing is lost and nobody is mailed twice',
  async of => {
    const { wrong, requests } = await runFailing({ of, at: 0, how: 'refused' });
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(10);
    const found: string[] = [];
    for (const [offset, how] of FAILURES.entries()) {
      const first = 1 + Math.floor((offset * EVERY) / FAILURES.length);
      for (let at = first; at <= requests; at += EVERY) {
        const { wrong } = await runFailing({ of, at, how });
        found.push(...wrong.map(one => `${how}, request ${at}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  },
  LONGEST,
);
