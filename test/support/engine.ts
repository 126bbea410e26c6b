import { afterAll, beforeAll } from 'vitest';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type EngineTable, startEngine } from './table-engine.ts';

type Wanted = { anyItems?: boolean };

// With TABLE=engine, what is tested on the table in memory is tested on the engine.
const ALWAYS_ENGINE = process.env.TABLE === 'engine';

/** An empty table of this test file's own. */
export function freshTable({ anyItems = false }: Wanted = {}): MemoryTable | EngineTable {
  return ALWAYS_ENGINE ? engineTable({ anyItems, stream: true }) : memoryTable({ anyItems });
}

/** The same by a real table engine, with its stream where a test reads that: for what depends on how it answers. */
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
