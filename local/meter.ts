export type Meter = ReturnType<typeof createMeter>;
export type Reading = ReturnType<typeof nothing>;
type Units = ReturnType<typeof noUnits>;

type Capacity = {
  CapacityUnits?: number;
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits?: number }>;
};
type TableRequest = { caller: string; operation: string; body: Record<string, unknown> };
type TableAnswer = { ok: boolean; body: Record<string, unknown> };

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);
const FAILED_CONDITIONS = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException']);

const noUnits = () => ({ requests: 0, read_units: 0, write_units: 0, index_write_units: 0 });

const nothing = () => ({
  dynamodb: noUnits(),
  /** By the name of the function. */
  functions: {} as Record<string, Units>,
  sqs: { requests: 0 },
  provider: { calls: 0, accepted: 0 },
  lambda: { invocations: 0 },
});

/** Counts what the product has used since the last reset, in the units that AWS bills. */
export function createMeter() {
  let reading = nothing();
  return {
    read: () => structuredClone(reading),
    reset() {
      reading = nothing();
    },
    dynamodb(request: TableRequest, answer: TableAnswer) {
      const used = unitsUsed(request, answer);
      const own = reading.functions[request.caller] ?? noUnits();
      reading.functions[request.caller] = own;
      for (const unit of Object.keys(used) as (keyof Units)[]) {
        reading.dynamodb[unit] += used[unit];
        own[unit] += used[unit];
      }
    },
    sqs() {
      reading.sqs.requests += 1;
    },
    providerCalled() {
      reading.provider.calls += 1;
    },
    providerAccepted(emails: number) {
      reading.provider.accepted += emails;
    },
    lambda() {
      reading.lambda.invocations += 1;
    },
  };
}

function unitsUsed({ operation, body }: TableRequest, answer: TableAnswer): Units {
  const used = { ...noUnits(), requests: 1 };
  if (!answer.ok) {
    used.write_units = unitsOfFailedCondition(operation, body, answer.body);
    return used;
  }
  for (const capacity of capacities(answer.body.ConsumedCapacity)) {
    if (READS.has(operation)) used.read_units += capacity.CapacityUnits ?? 0;
    else {
      used.write_units += capacity.CapacityUnits ?? 0;
      used.index_write_units += indexUnits(capacity);
    }
  }
  return used;
}

const capacities = (consumed: unknown): Capacity[] =>
  Array.isArray(consumed) ? consumed : consumed ? [consumed] : [];

const indexUnits = ({ GlobalSecondaryIndexes = {} }: Capacity) =>
  Object.values(GlobalSecondaryIndexes).reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html: a write whose condition
// fails consumes units too, and in a transaction twice as many. The answer does not report them.
function unitsOfFailedCondition(
  operation: string,
  body: Record<string, unknown>,
  answer: Record<string, unknown>,
) {
  const code =
    String(answer.__type ?? '')
      .split('#')
      .at(-1) ?? '';
  if (!FAILED_CONDITIONS.has(code)) return 0;
  if (operation !== 'TransactWriteItems')
    return unitsOf(body.Item ?? [body.Key, body.ExpressionAttributeValues]);
  const writes = (body.TransactItems ?? []) as Record<string, Record<string, unknown>>[];
  return writes
    .flatMap(write => Object.values(write))
    .reduce((sum, { Item, Key, ExpressionAttributeValues }) => {
      return sum + 2 * unitsOf(Item ?? [Key, ExpressionAttributeValues]);
    }, 0);
}

const unitsOf = (written: unknown) => Math.max(1, Math.ceil(sizeOf(written) / 1024));

/** The approximate size of an item: the bytes of its names and values, without the type descriptors. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 0);
  if (typeof value !== 'object' || value === null) return 1;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && /^(S|N|B|BOOL|NULL|M|L|SS|NS|BS)$/.test(only[0]))
    return sizeOf(only[1]);
  return entries.reduce((sum, [name, item]) => sum + Buffer.byteLength(name) + sizeOf(item), 0);
}
