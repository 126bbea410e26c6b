import type { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/core/storage/table.store.ts';

export class Crashed extends Error {}

/** Where a process crashes: at its n-th write, before it, in the middle of it, or before its answer arrives. */
export type CrashPoint = { at: number; how: 'before' | 'within' | 'after' };

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)Command$/;

type Command = { constructor: { name: string }; input: BatchWriteCommand['input'] };

/** The table as a process sees it that crashes: after that, none of its commands arrives. */
export function crashing(table: Table, point: CrashPoint): Table {
  let writes = 0;
  let hasCrashed = false;
  const send = async (command: Command): Promise<unknown> => {
    if (hasCrashed) throw new Crashed();
    const isWrite = WRITES.test(command.constructor.name);
    if (!isWrite || ++writes < point.at) return table.client.send(command as never);
    hasCrashed = true;
    if (point.how === 'within') await half(table, command);
    if (point.how === 'after') await table.client.send(command as never);
    throw new Crashed();
  };
  return { name: table.name, client: { send } as unknown as DynamoDBDocumentClient };
}

/** Of the writes that are no transaction, some may have been done. */
async function half(table: Table, command: Command): Promise<void> {
  if (command.constructor.name !== 'BatchWriteCommand') return;
  const requests = command.input.RequestItems?.[table.name] ?? [];
  command.input.RequestItems = { [table.name]: requests.slice(0, Math.ceil(requests.length / 2)) };
  await table.client.send(command as never);
}

/** False where the process crashed. */
export const survives = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    error => {
      if (error instanceof Crashed) return false;
      throw error;
    },
  );

// More than any work of a test writes: one that would never end is seen to go on.
const MANY = 100;

/** Does the work, prepared anew each time, in processes that crash before, within and after each write, and in one that does not. */
export async function crashingAtEachWrite<Prepared>(
  table: Table,
  prepare: () => Promise<Prepared>,
  work: (on: Table, prepared: Prepared) => Promise<unknown>,
): Promise<void> {
  for (const how of ['before', 'within', 'after'] as const) {
    for (let at = 1, isDone = false; !isDone; at++) {
      if (at > MANY) throw new Error('The work does not end');
      const prepared = await prepare();
      isDone = await survives(work(crashing(table, { at, how }), prepared));
    }
  }
}
