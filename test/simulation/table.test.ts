import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Item } from '#core/storage/table.store.ts';
import { engineTable } from '../support/engine.ts';
import { extent } from '../support/prove.ts';
import { command, TableName } from './random-commands.ts';
import { type Command, execute } from './table/commands.ts';
import { Store } from './table/store.ts';

const engine = engineTable({ anyItems: true });

type Outcome = { name?: string; reasons?: { Code?: unknown }[] | undefined; [field: string]: unknown };

/** The response or the error of a command, without the fields that only the engine has. */
async function outcomeOf(run: () => Promise<object> | object): Promise<Outcome> {
  try {
    const { $metadata: _, ...answer } = (await run()) as Item;
    const { Responses } = answer as { Responses?: Record<string, Item[]> | object[] };
    for (const items of Array.isArray(Responses) ? [] : Object.values(Responses ?? {}))
      items.sort((a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1));
    return answer;
  } catch (error) {
    const { name, Item, CancellationReasons } = error as Error & {
      Item?: object;
      CancellationReasons?: Item[];
    };
    return { name, Item, reasons: CancellationReasons?.map(({ Code, Item }) => ({ Code, Item })) };
  }
}

/** Runs commands on both tables, and compares their responses. */
async function compare(commands: Command[]): Promise<void> {
  const store = new Store(() => 0);
  for (const command of commands) {
    const expected = await outcomeOf(() => engine.client.send(command as never));
    const actual = await outcomeOf(() => execute(store, command));
    if (isInvalid(expected) && isInvalid(actual)) continue;
    expect(actual, JSON.stringify([command.constructor.name, command.input])).toEqual(expected);
  }
}

async function emptied(): Promise<void> {
  for (const PK of ['P', 'Q']) {
    const { Items = [] } = await engine.client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': PK },
        ConsistentRead: true,
      }),
    );
    for (const { SK } of Items) await engine.client.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
  }
}

// In DynamoDB, an invalid expression fails the whole transaction; in the local engine, it fails only its own write.
const isInvalid = ({ name, reasons }: Outcome) =>
  name === 'ValidationException' || reasons?.some(({ Code }) => Code === 'ValidationError');

it('the table of the simulation answers as the engine does', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async commands => {
      await emptied();
      await compare(commands);
    }),
    { seed: 1, numRuns: extent(25, 300) },
  );
});
