import { randomBytes } from 'node:crypto';
import { fromItem, get, queryPartition, storedOf, type Table } from './table.store.ts';
import { deleteWrite, unchanged, updateWrite, type Write } from './write.store.ts';

/** What to purge: a list if one is named, otherwise the whole organization. */
export type Job = { organization_id: number; list_id?: string; logo?: string | undefined };
/** `ticket` is a random id for each request, which the message of the queue has too. */
export type Asked = Job & { ticket: string };
export type Requested = Asked & { requested_at: string };

const jobKey = ({ organization_id, list_id }: Job) => ({
  PK: 'PURGE',
  SK: list_id === undefined ? `ORG#${organization_id}` : `LIST#${organization_id}#${list_id}`,
});

/** Written with the deletion, so that it is not lost. A repetition keeps the logo key of the first one. */
export function requestWrite(table: Table, job: Job, now: Date): Write {
  const ticket = randomBytes(9).toString('base64url');
  return updateWrite(table, jobKey(job), { set: { ...job, requested_at: now.toISOString(), ticket } });
}

export const readAll = async (table: Table): Promise<Requested[]> =>
  (await queryPartition(table, 'PURGE')).map(fromItem<Requested>);

export const read = async (table: Table, job: Job) => storedOf<Requested>(await get(table, jobKey(job)));

/** Deletes a job. Fails if the purge was requested again since the job was read: then there may be more to delete. */
export const doneWrite = (table: Table, { ticket, ...job }: Requested): Write =>
  deleteWrite(table, jobKey(job), unchanged({ ticket }, ['ticket']));
