import type {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/storage/table.store.ts';

export class Crashed extends Error {}

/** Where a process crashes: before, within or after its n-th write; after means before the response arrives. */
export type CrashPoint = { at: number; how: 'before' | 'within' | 'after' };

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite|BatchExecuteStatement)Command$/;

type Command = {
  constructor: { name: string };
  input: Partial<BatchWriteCommand['input'] & BatchExecuteStatementCommand['input']>;
};

/** The table of a process that crashes at this point. After the crash, none of its commands arrives. */
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

/** Does half of a batch. Only writes of a transaction are all or nothing. */
async function half(table: Table, command: Command): Promise<void> {
  const { input } = command;
  const { RequestItems, Statements } = input;
  const firstHalf = <T>(all: T[] = []) => all.slice(0, Math.ceil(all.length / 2));
  if (Statements) Object.assign(input, { Statements: firstHalf(Statements) });
  else if (RequestItems)
    Object.assign(input, { RequestItems: { [table.name]: firstHalf(RequestItems[table.name]) } });
  else return;
  await table.client.send(command as never);
}

export const survives = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    error => {
      if (error instanceof Crashed) return false;
      throw error;
    },
  );

// More writes than any work of a test has, so work that never ends fails the test.
const MANY = 100;

/**
 * Does the work in processes that crash before, within and after each write, and then in one that does not crash. The work is
 * prepared anew each time.
 */
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
