import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | undefined>();

const BUNDLED = /(file:\/\/\/\S+\.mjs):(\d+):(\d+)/g;

/**
 * Maps the places in a stack trace to the sources. The map is read when an error occurs: with --enable-source-maps, Node
 * reads it whenever a process starts.
 */
export const inSources = (stack: string): string =>
  stack.replace(BUNDLED, (place, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${fileURLToPath(file)}.map`));
  return maps.get(file);
}

const readMap = (path: string) =>
  existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
