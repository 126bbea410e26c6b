import type { Preview } from '#shared/automation.ts';
import { Problem } from '#web/lib/problem.ts';

const MOST_ATTEMPTS = 50;
const PAUSE = 200;
const FAILED = 'Could not generate a preview';

export const PREVIEW_FAILED =
  'Failed to generate email preview. Please make sure you have at least one active template.';

/** Generates a preview. Retries if the response has none; a refusal is final. */
export async function generatePreview(
  get: () => Promise<Preview>,
  signal: AbortSignal,
  pause = PAUSE,
): Promise<Preview> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await new Promise(resolve => setTimeout(resolve, pause));
    signal.throwIfAborted();
    try {
      const preview = await get();
      if (preview.plaintext && !preview.plaintext.includes(FAILED)) return preview;
    } catch (problem) {
      if (!isWorthRepeating(problem)) throw problem;
    }
  }
  throw new Problem(PREVIEW_FAILED);
}

/** Only server errors are worth a retry: without responses, fifty timeouts would take minutes. */
const isWorthRepeating = (problem: unknown) => problem instanceof Problem && (problem.status ?? 0) >= 500;
