import { afterAll, beforeAll } from 'vitest';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type EngineTable, startEngine } from './table-engine.ts';

type Wanted = { anyItems?: boolean };

// With TABLE=engine, tests of the table in memory run on the engine.
const ALWAYS_ENGINE = process.env.TABLE === 'engine';

export function freshTable({ anyItems = false }: Wanted = {}): MemoryTable | EngineTable {
  return ALWAYS_ENGINE ? engineTable({ anyItems, stream: true }) : memoryTable({ anyItems });
}

/** An empty table of the real engine, with its stream if a test reads that. For tests that depend on the engine's responses. */
export function engineTable({
  stream = false,
  anyItems = false,
}: Wanted & { stream?: boolean } = {}): EngineTable {
  const table = {} as EngineTable;
  let end: () => void;
  beforeAll(async () => {
    const engine = await startEngine({ stream, anyItems });
    Object.assign(table, engine.table);
    end = engine.end;
  });
  afterAll(() => end?.());
  return table;
}
