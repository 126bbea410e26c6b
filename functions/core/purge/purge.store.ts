import { commit, get, held, PRESENT, put, remove, type Table, update, type Write } from '../table.store.ts';

const jobKey = (organization: number) => ({ PK: 'PURGE', SK: `ORG#${organization}` });

/** The job is an item: it stands with the deletion that asks for it, and each write to it calls the next step. */
export const request = (table: Table, organization: number, now: Date): Write =>
  put(table, {
    ...jobKey(organization),
    organization_id: organization,
    requested_at: now.toISOString(),
    rounds: 0,
  });

export const isOpen = async (table: Table, organization: number) =>
  (await get(table, jobKey(organization))) !== undefined;

/** Asks for another round; nothing where another round has finished the job meanwhile. */
export async function goOn(table: Table, organization: number): Promise<void> {
  const another = update(table, jobKey(organization), 'SET rounds = rounds + :one', { ':one': 1 }, PRESENT);
  await held(commit(table, [another]));
}

export const done = (table: Table, organization: number): Write => remove(table, jobKey(organization));
