import { Logger } from '@aws-lambda-powertools/logger';

export const log = new Logger();

// What must never be in a log line: addresses, and anything long and random enough to be a secret.
const ADDRESS = /[^\s@<>"']+@[^\s@<>"']+/g;
const SECRET = /\b[A-Za-z0-9_-]{32,}\b/g;

/** An unexpected error for the log: its stack, and its message without addresses and secrets. */
export function describe(error: unknown): { error: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { error: 'Unknown', message: redact(String(error)) };
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { error: error.name, message: redact(error.message), stack: frames.join('\n') };
}

export const redact = (text: string) => text.replace(ADDRESS, '[address]').replace(SECRET, '[secret]');
