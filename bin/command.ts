import { Refusal } from '#core/refusal.ts';

/** Runs a command. If its words cannot be read, it prints its usage; `failed` is the exit code then, and of any failure. */
export async function command<Words>(
  usage: string,
  read: () => Words,
  work: (words: Words) => Promise<void>,
  failed = 1,
): Promise<void> {
  try {
    await work(wordsOf(usage, read));
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = failed;
  }
}

function wordsOf<Words>(usage: string, read: () => Words): Words {
  try {
    return read();
  } catch {
    throw new Refusal('invalid', usage);
  }
}

/** The number of an organization, if one is named. */
export function organizationNamed(word: string | undefined): number | undefined {
  if (word !== undefined && !/^[1-9]\d{0,14}$/.test(word)) throw new Error(word);
  return word === undefined ? undefined : Number(word);
}
