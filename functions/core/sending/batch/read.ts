import type { Table } from '../../storage/table.store.ts';
import { type Batch, type Head, readTheseHeads, readTheseParts } from './batch.store.ts';

/** The states of some batches and their sends, without the manifests, which callers with the claims do not need. */
export async function readAnswered(
  table: Table,
  organization: number,
  batches: string[],
): Promise<Pick<Batch, 'head' | 'parts'>[]> {
  const heads = await readTheseHeads(table, organization, [...new Set(batches)]);
  const mixed = heads.filter(({ state }) => state === 'mixed').map(({ batch }) => batch);
  const parts = await readTheseParts(table, organization, mixed);
  return heads.map((head: Head) => ({ head, parts: parts.get(head.batch) ?? {} }));
}
