import { join } from 'node:path';
import { readState, writeState } from '../state.ts';

/** The last sequence number that each reader of a stream has done, kept between runs. */
export type Positions = {
  read: (reader: string) => string | undefined;
  write: (reader: string, sequenceNumber: string) => void;
};

export function createPositions(dataDir: string): Positions {
  const file = join(dataDir, 'streams.json');
  const positions = readState<Record<string, string>>(file, {});
  return {
    read: reader => positions[reader],
    write(reader, sequenceNumber) {
      if (positions[reader] === sequenceNumber) return;
      positions[reader] = sequenceNumber;
      writeState(file, positions);
    },
  };
}
