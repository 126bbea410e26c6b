import { afterAll, beforeAll } from 'vitest';
import type { Table } from '../../functions/core/storage/table.store.ts';
import { startEngine, TABLE_NAME } from './table-engine.ts';

/** A real table engine of this test file's own, with an empty table; with its stream where a test reads that. */
export function freshTable({ stream = false, anyItems = false } = {}): Table & { endpoint: string } {
  const table = { name: TABLE_NAME } as Table & { endpoint: string };
  let end: () => void;
  beforeAll(async () => {
    const engine = await startEngine({ stream, anyItems });
    Object.assign(table, engine.table);
    end = engine.end;
  });
  afterAll(() => end?.());
  return table;
}
