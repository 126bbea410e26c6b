import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../functions/core/refusal.ts';

/** Sets what names the table of a stage, or of the local stack, which must be running; what is set already stays. */
export function chooseTable(stage: string | undefined, usage: string): void {
  if (!process.env.TABLE_NAME) Object.assign(process.env, environmentOf(stage, usage));
}

function environmentOf(stage: string | undefined, usage: string): Record<string, string> {
  if (stage) return { TABLE_NAME: `letterflow-${stage}` };
  const file = join(process.env.DATA_DIR ?? '.local', 'stack.json');
  try {
    const { env } = JSON.parse(readFileSync(file, 'utf8'));
    // Until the stack is up, the file says only who is starting it.
    if (env?.TABLE_NAME) return env;
  } catch {
    // There is none.
  }
  throw new Refusal(
    'invalid',
    `No local stack is running (${file} names none). Run npm start first.\n\n${usage}`,
  );
}
