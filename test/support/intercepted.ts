import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/storage/table.store.ts';
import type { Statement } from '#local/access/requests.ts';

export type Command = {
  constructor: { name: string };
  input: { IndexName?: string; RequestItems?: Record<string, object[]>; Statements?: Statement<unknown>[] };
};
type Send = () => Promise<unknown>;

/** The command that inserts members and claims. */
export const INSERT = 'BatchExecuteStatementCommand';

export function intercepted(table: Table, act: (send: Send, command: Command) => Promise<unknown>): Table {
  const send = (command: Command) => act(() => table.client.send(command as never), command);
  return { name: table.name, client: { send } as unknown as DynamoDBDocumentClient };
}

/** A table that passes only the first command of this name to `act`. */
export function interceptedOnce(
  table: Table,
  name: string,
  act: (send: Send, command: Command) => Promise<unknown>,
): Table {
  let isPast = false;
  return intercepted(table, (send, command) => {
    if (isPast || command.constructor.name !== name) return send();
    isPast = true;
    return act(send, command);
  });
}

/** A table that calls `happen` before the first command of this name, such as after a process has read and before it writes. */
export const beforeFirst = (table: Table, name: string, happen: () => Promise<unknown>) =>
  interceptedOnce(table, name, async send => {
    await happen();
    return send();
  });

export const failingOnce = (table: Table, name: string, error: string, codes?: string[]) =>
  interceptedOnce(table, name, async () => {
    const CancellationReasons = codes?.map(Code => ({ Code }));
    throw Object.assign(new Error(error), { name: error, CancellationReasons });
  });

/** A table that refuses the first inserts, as transactions on their items are under way. `happen` is called meanwhile. */
export const conflictingOnce = (table: Table, happen: () => Promise<unknown> = async () => {}) =>
  interceptedOnce(table, INSERT, async (_, { input }) => {
    await happen();
    return { Responses: input.Statements?.map(() => ({ Error: { Code: 'TransactionConflict' } })) };
  });
