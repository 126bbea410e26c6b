import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '#core/refusal.ts';
import cdkJson from '../cdk.json' with { type: 'json' };
import { now } from '../functions/platform/runtime.ts';
import { HOME_REGION, tableNameOf } from '../lib/stages.ts';

/**
 * Sets the environment variables that name the table of a stage, or of the running local stack. Variables that are set already
 * stay.
 */
export function chooseTable(stage: string | undefined, usage: string): void {
  // Set even if the shell has another region, as all stages are in this one.
  if (stage) process.env.AWS_REGION = HOME_REGION;
  if (!process.env.TABLE_NAME) Object.assign(process.env, environmentOf(stage, usage));
}

/** The table of a stage, or of the running local stack. */
export async function tableOf(stage: string | undefined, usage: string) {
  chooseTable(stage, usage);
  // Imported late, since its client reads the environment.
  const { table } = await import('../functions/platform/table.ts');
  return table;
}

function environmentOf(stage: string | undefined, usage: string): Record<string, string> {
  return stage ? { TABLE_NAME: tableNameOf(stage, cdkJson.context.stages) } : localStack(usage).env;
}

type LocalStack = { url: string; env: Record<string, string> };

export function localStack(usage: string): LocalStack {
  const file = join(process.env.DATA_DIR ?? '.local', 'stack.json');
  try {
    const stack = JSON.parse(readFileSync(file, 'utf8'));
    // While the stack is starting, the file has only the id of its process.
    if (stack.env?.TABLE_NAME) return stack;
  } catch {
    // No stack is running.
  }
  throw new Refusal(
    'invalid',
    `No local stack is running (${file} names none). Run npm start first.\n\n${usage}`,
  );
}

/** The clock of a stage. The local stack has a simulated one. */
export async function clockOf(stage: string | undefined, usage: string): Promise<() => Date> {
  if (stage) return now;
  const answer = await fetch(new URL('/_local/clock', localStack(usage).url));
  const ahead = Date.parse(((await answer.json()) as { now: string }).now) - now().getTime();
  return () => new Date(now().getTime() + ahead);
}
