import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** What an expression is in a process with the clock preload, a year ahead. */
function ahead(expression: string): unknown {
  const script = `process.stdout.write(JSON.stringify(await (async () => ${expression})()))`;
  const output = execFileSync(
    process.execPath,
    ['--import', resolve('local/clock-preload.ts'), '--input-type=module', '--eval', script],
    { env: { LETTERFLOW_CLOCK_OFFSET: String(YEAR) }, encoding: 'utf8' },
  );
  return JSON.parse(output);
}

const isAYearAhead = (instant: unknown) => Math.abs(Number(instant) - Date.now() - YEAR) < 60_000;

describe('The clock preload', () => {
  it.each(['Date.now()', 'new Date().getTime()', 'Date.parse(Date())', '+new (class extends Date {})()'])(
    'moves %s',
    expression => {
      expect(ahead(expression)).toSatisfy(isAYearAhead);
    },
  );

  it('does not move dates that are given', () => {
    expect(ahead('new Date(0).toISOString()')).toBe('1970-01-01T00:00:00.000Z');
    expect(ahead('new Date(2030, 0, 31).getDate()')).toBe(31);
    expect(ahead('Date.UTC(2030, 0)')).toBe(Date.UTC(2030, 0));
    expect(ahead('new Date(new Date(5)).getTime()')).toBe(5);
  });

  it('leaves instances of Date as they are', () => {
    expect(ahead('new Date() instanceof Date')).toBe(true);
    expect(ahead('new Date().constructor === Date')).toBe(true);
    expect(ahead('Date.name + Date.length')).toBe('Date7');
    expect(ahead('structuredClone(new Date(7)).getTime()')).toBe(7);
  });

  it('leaves timers and the performance clock to real time', () => {
    expect(ahead('new Promise(done => setTimeout(() => done(true), 20))')).toBe(true);
    expect(ahead('performance.timeOrigin')).toSatisfy(
      origin => Math.abs(Number(origin) - Date.now()) < 60_000,
    );
  });

  it('removes its variable from the environment', () => {
    expect(ahead('Object.keys(process.env).filter(name => name.includes("CLOCK"))')).toEqual([]);
  });

  it('is moved again while it runs', () => {
    const twoYears = 2 * YEAR;
    const moved = `(globalThis[Symbol.for('letterflow.clock')](${twoYears}), Date.now())`;
    expect(ahead(moved)).toSatisfy(instant => isAYearAhead(Number(instant) - YEAR));
  });
});
