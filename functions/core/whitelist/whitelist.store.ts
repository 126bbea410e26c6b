import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { get, type Table } from '../table.store.ts';

const KEY = { PK: 'CONFIG', SK: 'WHITELIST' };

/** Listed domains; `*` among them allows every domain. */
export async function domains(table: Table): Promise<Set<string>> {
  const item = await get(table, KEY);
  return (item?.domains as Set<string> | undefined) ?? new Set();
}

async function change(table: Table, verb: 'ADD' | 'DELETE', listed: string[]): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: KEY,
      UpdateExpression: `${verb} domains :domains`,
      ExpressionAttributeValues: { ':domains': new Set(listed) },
    }),
  );
}

export const add = (table: Table, listed: string[]) => change(table, 'ADD', listed);
export const remove = (table: Table, listed: string[]) => change(table, 'DELETE', listed);
