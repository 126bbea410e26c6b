import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** A process with the clock preload, a year ahead, that answers what each line it reads is. */
const SCRIPT = `
  import { createInterface } from 'node:readline';
  for await (const line of createInterface({ input: process.stdin }))
    console.log(JSON.stringify(await eval(line)));
`;
const child = spawn(
  process.execPath,
  ['--import', resolve('local/clock-preload.ts'), '--input-type=module', '--eval', SCRIPT],
  { env: { LETTERFLOW_CLOCK_OFFSET: String(YEAR) }, stdio: ['pipe', 'pipe', 'inherit'] },
);
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
afterAll(() => child.kill());

async function ahead(expression: string): Promise<unknown> {
  child.stdin.write(`${expression}\n`);
  return JSON.parse(String((await answers.next()).value));
}

const isAYearAhead = (instant: unknown) => Math.abs(Number(instant) - Date.now() - YEAR) < 60_000;

describe('The clock preload', () => {
  it.each(['Date.now()', 'new Date().getTime()', 'Date.parse(Date())', '+new (class extends Date {})()'])(
    'moves %s',
    async expression => {
      expect(await ahead(expression)).toSatisfy(isAYearAhead);
    },
  );

  it('does not move dates that are given', async () => {
    expect(await ahead('new Date(0).toISOString()')).toBe('1970-01-01T00:00:00.000Z');
    expect(await ahead('new Date(2030, 0, 31).getDate()')).toBe(31);
    expect(await ahead('Date.UTC(2030, 0)')).toBe(Date.UTC(2030, 0));
    expect(await ahead('new Date(new Date(5)).getTime()')).toBe(5);
  });

  it('leaves instances of Date as they are', async () => {
    expect(await ahead('new Date() instanceof Date')).toBe(true);
    expect(await ahead('new Date().constructor === Date')).toBe(true);
    expect(await ahead('Date.name + Date.length')).toBe('Date7');
    expect(await ahead('structuredClone(new Date(7)).getTime()')).toBe(7);
  });

  it('leaves timers and the performance clock to real time', async () => {
    expect(await ahead('new Promise(done => setTimeout(() => done(true), 20))')).toBe(true);
    expect(await ahead('performance.timeOrigin')).toSatisfy(
      origin => Math.abs(Number(origin) - Date.now()) < 60_000,
    );
  });

  it('removes its variable from the environment', async () => {
    expect(await ahead('Object.keys(process.env).filter(name => name.includes("CLOCK"))')).toEqual([]);
  });

  it('is moved again while it runs', async () => {
    const twoYears = 2 * YEAR;
    const moved = `(globalThis[Symbol.for('letterflow.clock')](${twoYears}), Date.now())`;
    expect(await ahead(moved)).toSatisfy(instant => isAYearAhead(Number(instant) - YEAR));
  });
});
