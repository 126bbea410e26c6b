import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KINDS, kindsOf, partitionsOf } from '#core/storage/items/items.ts';
import type { ItemKind } from '#core/storage/items/kind.ts';
import { isOfKind } from '#functions/projector/projector.kinds.ts';
import { composed } from './templates.ts';

const entries = new Set(
  composed('prod')
    .functions()
    .map(({ entry }) => entry),
);

/** All files that a file imports, itself included. */
function importedBy(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file) || !existsSync(file)) return known;
  known.add(file);
  const code = readFileSync(file, 'utf8');
  for (const [, path = ''] of code.matchAll(/\bfrom '(\.[^']+)'/g))
    importedBy(join(dirname(file), path), known);
  return known;
}

const functionsOf = ({ read, written, index = {} }: ItemKind) => [
  ...new Set([...read, ...written, ...Object.values(index).flat()]),
];

describe.each(KINDS)('the items of kind %s', (name, kind) => {
  it('have a store', () => {
    expect(existsSync(`functions/core/${kind.store}`)).toBe(true);
  });

  it('are read and written by functions that there are, with the code of their store', () => {
    for (const fn of functionsOf(kind)) {
      expect(entries, fn).toContain(`functions/${fn}.ts`);
      // The purge deletes whole partitions, whatever is in them.
      if (fn !== 'background/purge')
        expect(importedBy(`functions/${fn}.ts`), fn).toContain(`functions/core/${kind.store}`);
    }
  });

  it('have keys that no other kind has', () => {
    expect(kindsOf(keysOf(kind))).toEqual([name]);
  });

  it('are known to the projector where it takes their changes, and only there', () => {
    const { PK, SK } = keysOf(kind);
    const record = { dynamodb: { Keys: { PK: { S: PK }, SK: { S: SK } } } };
    expect(isOfKind(record)).toBe(kind.stream?.projector !== undefined);
  });

  it('are written by the projector where it counts them, and counted where they can be counted anew', () => {
    if (kind.counted) expect(kind.written).toContain('projector/projector');
    if (kind.rebuilt) expect(kind.counted).toBe(true);
  });
});

const EXAMPLES: Record<string, string> = {
  organization: '7',
  shard: '000007',
  what: 'list#a1',
  milliseconds: '1893456000000',
  '24 digits of a hash': '0'.repeat(24),
  batch: '2030-01-01T09:30#pack#list.automation',
  'F, U or R': 'F',
  'what happened': 'clicked',
  'yyyy-mm-dd': '2030-01-01',
  'column, or nothing': '',
};

function keysOf({ PK, SK }: ItemKind) {
  const example = (pattern: string) =>
    pattern.replaceAll(/<([^>]+)>/g, (_, part: string) => EXAMPLES[part] ?? 'a1');
  return { PK: example(PK), SK: example(SK) };
}

it('every function that has the table reads or writes something of it', () => {
  for (const { entry, Properties } of composed('prod').functions()) {
    const { read, write } = partitionsOf(entry.replace(/^functions\/|\.ts$/g, ''));
    const hasTable = 'TABLE_NAME' in Properties.Environment.Variables;
    expect([entry, read.length + write.length > 0]).toEqual([entry, hasTable]);
  }
});
