import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far the readers of streams have come, kept between runs. */
export type Positions = {
  read: (reader: string) => string | undefined;
  write: (reader: string, sequenceNumber: string) => void;
};

export function createPositions(dataDir: string): Positions {
  const file = join(dataDir, 'streams.json');
  const positions: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return {
    read: reader => positions[reader],
    write(reader, sequenceNumber) {
      if (positions[reader] === sequenceNumber) return;
      positions[reader] = sequenceNumber;
      writeFileSync(`${file}.new`, JSON.stringify(positions));
      renameSync(`${file}.new`, file);
    },
  };
}
