import type { Table } from '../../storage/table.store.ts';
import { type Batch, type Head, readTheseHeads, readTheseParts } from './batch.store.ts';

/** What some batches say of their sends, without the manifests: for those who know the claims. */
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
