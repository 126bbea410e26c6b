import { Refusal } from '#core/refusal.ts';
import { epochSeconds, type Table } from '#core/storage/table.store.ts';
import { PRESENT, updateItem } from '#core/storage/write.store.ts';
import { type Budget, budgetText } from '#shared/budgets.ts';
import { PROGRAM_RATE } from '#shared/limits.ts';

type Needs = { table: Table; now: Date };

const startOf = (now: Date, { seconds }: Budget) =>
  new Date(Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000);

const keyOf = (organization: number, budget: Budget, start: Date) => ({
  PK: budget.name === undefined ? `RATE#${organization}` : `RATE#${organization}#${budget.name}`,
  SK: start.toISOString(),
});

const KEPT_SECONDS = 60 * 60;
export const MEMBERS_A_CALL = 100;

/** Counts written members as the calls with which a program would write them: both share the write capacity of a list. */
export async function countMembers(needs: Needs, organization: number, members: number): Promise<void> {
  const calls = Math.ceil(members / MEMBERS_A_CALL);
  if (calls > 0) await countCalls(needs, organization, PROGRAM_RATE, calls);
}

export async function countCalls(
  { table, now }: Needs,
  organization: number,
  budget: Budget = PROGRAM_RATE,
  calls = 1,
): Promise<void> {
  const { most, seconds, processorMs = Number.MAX_SAFE_INTEGER } = budget;
  const start = startOf(now, budget);
  const counted = await updateItem(
    table,
    keyOf(organization, budget, start),
    { add: { calls, processor_ms: 0 }, set: { ttl: epochSeconds(start) + KEPT_SECONDS } },
    {
      condition: 'attribute_not_exists(PK) OR (calls < :most AND processor_ms < :processor)',
      values: { ':most': most - calls + 1, ':processor': processorMs },
    },
  );
  if (counted) return;
  const retryAfter = Math.ceil((start.getTime() + seconds * 1000 - now.getTime()) / 1000);
  const again = `Please try again in ${retryAfter < 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`}.`;
  throw new Refusal('too-many', `${budgetText(budget)} ${again}`, { retryAfter });
}

/** Counts the processor time of a call that was counted. */
export const addProcessorTime = ({ table, now }: Needs, organization: number, budget: Budget, ms: number) =>
  updateItem(
    table,
    keyOf(organization, budget, startOf(now, budget)),
    { add: { processor_ms: Math.ceil(ms) } },
    PRESENT,
  );
