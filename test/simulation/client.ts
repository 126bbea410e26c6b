import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/storage/table.store.ts';
import { insertOf, type Statement } from '#local/access/requests.ts';
import type { Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';
import { type Command, execute } from './table/commands.ts';
import { cancelled, conflict, throttled } from './table/errors.ts';
import type { Store } from './table/store.ts';

/**
 * The faults of a command. `repeat`: its first response is lost, and the SDK retries it. `late copy`: the SDK has retried it
 * because the first response was slow, and one copy arrives last. `write lost`: it was written, but no response ever arrives.
 */
export const TABLE_FAULTS = ['throttle', 'conflict', 'part', 'repeat', 'late copy', 'write lost'] as const;
type TableFault = (typeof TABLE_FAULTS)[number];

type Needs = {
  scheduler: Scheduler;
  store: Store;
  random: Random;
  faultOf: (command: string) => TableFault | undefined;
  latency: () => readonly [number, number] | undefined;
};

const LATEST = 5_000;

export const TABLE_NAME = 'letterflow';

/** The table as one process sees it, with latency and faults. */
export function tableOf(needs: Needs, process: Process): Table {
  const send = (command: Command) => sent(needs, process, command);
  return { name: TABLE_NAME, client: { send } as unknown as DynamoDBDocumentClient };
}

/** The table without latency, processes and faults. */
export function stillTableOf(store: Store): Table {
  const send = async (command: Command) => execute(store, command);
  return { name: TABLE_NAME, client: { send } as unknown as DynamoDBDocumentClient };
}

async function sent(needs: Needs, process: Process, command: Command): Promise<object> {
  const { scheduler } = needs;
  const name = command.constructor.name.replace(/Command$/, '');
  const fault = needs.faultOf(name);
  if (fault === 'repeat') return repeated(needs, process, command);
  if (fault === 'late copy' && name !== 'TransactWrite') copyLater(needs, command);
  const run = () => withFault(needs, command, fault);
  const throttled = () => withFault(needs, command, 'Statements' in command.input ? 'part' : 'throttle');
  return scheduler.effect(process, describe(name, command), run, needs.latency(), throttled);
}

function copyLater({ scheduler, store, random }: Needs, command: Command): void {
  scheduler.after(random.between(100, LATEST), () => {
    scheduler.note(`a late copy: ${describe(command.constructor.name, command)}`);
    try {
      execute(store, command);
    } catch {
      // Nobody awaits this response.
    }
  });
}

/** Repeats a command whose first response is lost. A committed transaction is not committed again. */
async function repeated({ scheduler, store }: Needs, process: Process, command: Command): Promise<object> {
  const name = command.constructor.name;
  const run = () => execute(store, command);
  try {
    const first = await scheduler.effect(process, `${describe(name, command)} (answer lost)`, run);
    if (name === 'TransactWriteCommand') return first;
  } catch {
    // The command is retried.
  }
  return scheduler.effect(process, `${name} again`, run);
}

class Unanswered extends Error {
  override readonly name = 'TimeoutError';
}

type Several = { TransactItems?: object[]; RequestItems?: Parts; Statements?: Statement<unknown>[] };
type Parts = Record<string, unknown[] & { Keys?: unknown[]; ConsistentRead?: boolean }>;

function withFault({ store, random }: Needs, command: Command, fault: TableFault | undefined): object {
  const name = command.constructor.name;
  if (fault === 'write lost') {
    execute(store, command);
    throw new Unanswered('The connection was closed');
  }
  const { TransactItems, RequestItems, Statements } = command.input as Several;
  if (Statements && (fault === 'conflict' || fault === 'part')) {
    return insertedInPart(
      store,
      Statements,
      random,
      fault === 'part' ? 'ThrottlingError' : 'TransactionConflict',
    );
  }
  if (fault === 'throttle' || fault === 'conflict') {
    const code = fault === 'throttle' ? 'ThrottlingError' : 'TransactionConflict';
    const at = random.int(TransactItems?.length ?? 1);
    if (TransactItems)
      throw cancelled(TransactItems.map((_, index) => ({ Code: index === at ? code : 'None' })));
    if (fault === 'throttle') throw throttled();
    if (/^(Put|Update|Delete)Command$/.test(name)) throw conflict();
  }
  if (fault !== 'part' || !RequestItems) return execute(store, command);
  const [[table = '', all] = []] = Object.entries(RequestItems);
  const some = <T>(list: T[]) => {
    const end = random.int(list.length) + 1;
    return [list.slice(0, end), list.slice(end)] as const;
  };
  const isRead = name === 'BatchGetCommand';
  const [now, later] = some(isRead ? (all?.Keys ?? []) : (all ?? []));
  const input = { RequestItems: { [table]: isRead ? { ...all, Keys: now } : now } };
  const done = execute(store, { constructor: { name }, input });
  if (later.length === 0) return done;
  return {
    ...done,
    ...(isRead
      ? { UnprocessedKeys: { [table]: { Keys: later } } }
      : { UnprocessedItems: { [table]: later } }),
  };
}

/** Inserts some of the items, of which each fails alone. */
function insertedInPart(
  store: Store,
  statements: Statement<unknown>[],
  { chance }: Random,
  Code: string,
): object {
  const Responses = statements.map(statement => {
    if (chance(0.5)) return { Error: { Code } };
    const done = execute(store, { constructor: INSERTING, input: { Statements: [statement] } });
    return (done as { Responses: object[] }).Responses[0];
  });
  return { Responses };
}
const INSERTING = { name: 'BatchExecuteStatementCommand' };

/** The line of a command in the trace. */
function describe(name: string, { input }: Command): string {
  const {
    Key,
    Item,
    TransactItems,
    Statements,
    ExpressionAttributeValues: values,
  } = input as {
    Statements?: Statement<unknown>[];
    Key?: Record<string, unknown>;
    Item?: Record<string, unknown>;
    TransactItems?: Record<string, { Key?: Record<string, unknown>; Item?: Record<string, unknown> }>[];
    ExpressionAttributeValues?: Record<string, unknown>;
  };
  const texts = (of: Record<string, unknown> | undefined) => (of ? `${of.PK}/${of.SK}` : '');
  if (Statements) return `${name} ${Statements.map(one => texts(insertOf(one).item)).join(', ')}`;
  if (TransactItems) {
    const writes = TransactItems.flatMap(one => Object.entries(one));
    return `${name} ${writes.map(([kind, { Key, Item }]) => `${kind} ${texts(Key ?? Item)}`).join(', ')}`;
  }
  return `${name} ${texts(Key ?? Item) || Object.values(values ?? {}).join(' ')}`;
}
