import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KINDS, kindsOf } from '#core/storage/items/items.ts';
import type { ItemKind } from '#core/storage/items/kind.ts';
import { isOfKind } from '#functions/stream/contributions.ts';
import { createRights, type Rights, rightsOf } from '#lib/table-rights.ts';
import { composed } from './templates.ts';

const entries = composed('prod')
  .functions()
  .flatMap(({ entry, Properties }) => ('TABLE_NAME' in Properties.Environment.Variables ? [entry] : []));

const covers = (wide: string, pattern: string) =>
  new RegExp(`^${wide.replaceAll('*', '.*')}$`).test(pattern.replaceAll(/<[^>]+>/g, '*'));

/** The functions that may read, write or query a partition. */
const having = (verb: keyof Rights, partition: string) =>
  entries.filter(entry => rightsOf(entry)[verb].some(wide => covers(wide, partition)));

describe.each(KINDS)('the items of kind %s', (name, kind) => {
  it('have a file with their keys', () => {
    expect(existsSync(kind.store)).toBe(true);
  });

  it('are read or written by a function, and so is each of their partitions of the index', () => {
    expect([...having('read', kind.PK), ...having('write', kind.PK)]).not.toEqual([]);
    for (const partition of kind.index ?? []) expect(having('index', partition), partition).not.toEqual([]);
  });

  it('are written by the purge if they are purged with their organization or list', () => {
    const { read, write } = rightsOf('functions/background/purge.ts');
    const isPurged = kind.purged.some(what => what === 'organization' || what === 'list');
    if (isPurged)
      for (const partitions of [read, write])
        expect(partitions.some(wide => covers(wide, kind.PK))).toBe(true);
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
    if (kind.counted) expect(having('write', kind.PK)).toContain('functions/stream/projector.ts');
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
  'yyyy-mm-ddThh, and the resume if any': '2030-01-01T09.1',
  'column, or nothing': '',
};

function keysOf({ PK, SK }: ItemKind) {
  const example = (pattern: string) =>
    pattern.replaceAll(/<([^>]+)>/g, (_, part: string) => EXAMPLES[part] ?? 'a1');
  return { PK: example(PK), SK: example(SK) };
}

it('every function that has the table reads or writes something of it', () => {
  for (const entry of entries) {
    const { read, write } = rightsOf(entry);
    expect(read.length + write.length, entry).toBeGreaterThan(0);
  }
});

/** Functions of a small product: one reads users, one writes them, one does neither but has the key. */
const PLANTED = {
  'functions/core/user.ts': `
    import { get } from './table.ts';
    import { PutCommand } from '@aws-sdk/lib-dynamodb';
    export const key = (id: string) => ({ PK: \`USER#\${id}\`, SK: \`ORG#\${id}\` });
    export const read = (id: string) => get(key(id));
    export const write = (id: string) => new PutCommand({ TableName: 't', Item: key(id) });
    export const ofList = (list: string) => get({ IndexName: 'GSI1', values: \`LEFT#\${list}\` });`,
  'functions/core/table.ts': `
    import { GetCommand } from '@aws-sdk/lib-dynamodb';
    export const get = (Key: object) => new GetCommand({ TableName: 't', Key });`,
  'functions/reads.ts': `import * as users from '#core/user.ts'; export const handler = () => users.read('1');`,
  'functions/writes.ts': `import { write as put } from './core/user.ts'; export const handler = () => put('1');`,
  'functions/queries.ts': `import { ofList } from './core/user.ts'; export function handler() { return ofList('1'); }`,
  'functions/names.ts': `import * as users from './core/user.ts'; export const handler = () => users.key('1');`,
};

it('a function has the rights of what it refers to, and not of what lies beside that', () => {
  const root = mkdtempSync(join(resolve('.tmp'), 'rights-'));
  for (const [file, code] of Object.entries(PLANTED)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), code);
  }
  const rights = createRights(root);
  const none = { read: [], write: [], insert: [], index: [] };
  expect(rights('functions/reads.ts')).toEqual({ ...none, read: ['USER#*'] });
  expect(rights('functions/writes.ts')).toEqual({ ...none, write: ['USER#*'] });
  expect(rights('functions/queries.ts')).toEqual({ ...none, index: ['LEFT#*'] });
  expect(rights('functions/names.ts')).toEqual(none);
});
