import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export type Logs = {
  /** Keeps a line that a function wrote. Shows it too, if it is a warning or an error. */
  take: (entry: string, line: string) => void;
  /** Keeps and shows a failure, with its stack trace. */
  failed: (sentence: string, stack?: string) => void;
  lines: () => string[];
  close: () => void;
};

const MOST_LINES = 50_000;
const SHOWN_LEVELS = new Set(['WARN', 'ERROR', 'CRITICAL', 'FATAL']);

/** The lines that functions write: all in memory and in a file, warnings and errors on the terminal too. */
export function createLogs(dataDir: string, show: (line: string) => void, showAll: boolean): Logs {
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const file = createWriteStream(join(dataDir, 'logs', 'functions.log'), { mode: 0o600 });
  const lines: string[] = [];

  function keep(line: string): void {
    lines.push(line);
    if (lines.length > MOST_LINES) lines.splice(0, MOST_LINES / 10);
    file.write(`${line}\n`);
  }

  return {
    take(entry, line) {
      keep(`${entry} ${line}`);
      const parsed = parse(line);
      if (!parsed) return show(`${entry}  ${line}`);
      if (showAll || SHOWN_LEVELS.has(String(parsed.level))) show(compact(entry, parsed));
    },
    failed(sentence, stack) {
      keep(sentence);
      show(stack ? `${sentence}\n${stack}` : sentence);
    },
    lines: () => [...lines],
    close: () => file.end(),
  };
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

// Fields that every log line has, and that tell nothing on a terminal.
const ROUTINE = new Set([
  'level',
  'message',
  'service',
  'timestamp',
  'sampling_rate',
  'xray_trace_id',
  'error',
]);

function compact(entry: string, line: Record<string, unknown>): string {
  const rest = Object.entries(line).filter(([key]) => !ROUTINE.has(key));
  const details = rest.map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [entry, line.level, line.message, ...details].join('  ');
  return line.error ? `${head}\n${errorText(line.error as LoggedError)}` : head;
}

type LoggedError = { name?: string; message?: string; stack?: string; cause?: LoggedError };

const errorText = ({ name, message, stack, cause }: LoggedError): string =>
  [`${name}: ${message}`, stack, cause && `Caused by ${errorText(cause)}`].filter(Boolean).join('\n');
