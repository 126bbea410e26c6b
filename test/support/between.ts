import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/core/storage/table.store.ts';

export type Command = {
  constructor: { name: string };
  input: { IndexName?: string; RequestItems?: Record<string, object[]> };
};
type Send = () => Promise<unknown>;

/** The table as a process sees it whose every command passes by `act`, which sends it, or does not. */
export function through(table: Table, act: (send: Send, command: Command) => Promise<unknown>): Table {
  const send = (command: Command) => act(() => table.client.send(command as never), command);
  return { name: table.name, client: { send } as unknown as DynamoDBDocumentClient };
}

/** The same, for the first command of a name alone. */
export function onFirst(table: Table, name: string, act: (send: Send) => Promise<unknown>): Table {
  let isPast = false;
  return through(table, (send, command) => {
    if (isPast || command.constructor.name !== name) return send();
    isPast = true;
    return act(send);
  });
}

/** What happens after a process has read, and before its first command of this name arrives. */
export const between = (table: Table, name: string, happen: () => Promise<unknown>) =>
  onFirst(table, name, async send => {
    await happen();
    return send();
  });

/** A table that refuses the first command of this name. */
export const refusing = (table: Table, name: string, error: string, codes?: string[]) =>
  onFirst(table, name, async () => {
    const CancellationReasons = codes?.map(Code => ({ Code }));
    throw Object.assign(new Error(error), { name: error, CancellationReasons });
  });
