import { randomBytes } from 'node:crypto';
import { fromItem, get, type Table } from '../table.store.ts';
import { commit, deleteWrite, held, PRESENT, unchanged, updateWrite, type Write } from '../write.store.ts';

/** What is to be purged: a list where one is named, else the whole organization. */
export type Job = { organization_id: number; list_id?: string; logo?: string | undefined };
/** `ticket` is a new random text for each request. */
export type Requested = Job & { requested_at: string; ticket: string };

const jobKey = ({ organization_id, list_id }: Job) => ({
  PK: 'PURGE',
  SK: list_id === undefined ? `ORG#${organization_id}` : `LIST#${organization_id}#${list_id}`,
});

/**
 * The job is an item: it is written in the transaction of the deletion, and the stream calls a round for each write to
 * it. A repeated request keeps the logo of the first one.
 */
export function requestWrite(table: Table, job: Job, now: Date): Write {
  const ticket = randomBytes(9).toString('base64url');
  return updateWrite(table, jobKey(job), {
    set: { ...job, requested_at: now.toISOString(), ticket, rounds: 0 },
  });
}

export async function read(table: Table, job: Job): Promise<Requested | undefined> {
  const item = await get(table, jobKey(job));
  return item && fromItem(item);
}

/** Calls the next round by a write to the job, unless another round has finished it. */
export async function callNextRound(table: Table, job: Job): Promise<void> {
  const another = updateWrite(table, jobKey(job), { add: { rounds: 1 } }, PRESENT);
  await held(commit(table, [another]));
}

/** Fails where the purge was requested again since the job was read: then there may be more to delete. */
export const doneWrite = (table: Table, { ticket, ...job }: Requested): Write =>
  deleteWrite(table, jobKey(job), unchanged({ ticket }, ['ticket']));
