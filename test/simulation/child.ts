// A child process of runs.ts: simulates the seeds that it receives, and responds with a report of each.
import type { Report, Seeds } from './runs.ts';
import { simulate } from './simulate.ts';

async function reportOf(seed: number): Promise<Report> {
  try {
    const { lines: _, ...report } = await simulate({ seed });
    return report;
  } catch (error) {
    return {
      seed,
      hash: 0,
      violations: [],
      faults: [],
      situations: [],
      error: String((error as Error).stack ?? error),
    };
  }
}

process.on('message', async ({ from, count }: Seeds) => {
  const reports: Report[] = [];
  for (let seed = from; seed < from + count; seed++) reports.push(await reportOf(seed));
  process.send?.(reports);
});
