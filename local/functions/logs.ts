import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../parse.ts';

export type Logs = ReturnType<typeof createLogs>;

const MOST_LINES = 50_000;
const SHOWN_LEVELS = new Set(['WARN', 'ERROR', 'CRITICAL', 'FATAL']);

/** The lines that functions write: all in memory and in a file, warnings and errors on the terminal too. */
export function createLogs(dataDir: string, show: (line: string) => void, showAll: boolean) {
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const file = createWriteStream(join(dataDir, 'logs', 'functions.log'), { mode: 0o600 });
  const lines: string[] = [];

  function keep(line: string): void {
    lines.push(line);
    if (lines.length > MOST_LINES) lines.splice(0, MOST_LINES / 10);
    file.write(`${line}\n`);
  }

  return {
    take(entry: string, line: string) {
      keep(`${entry} ${line}`);
      const parsed = parseJson(line);
      if (!isObject(parsed)) return show(`${entry}  ${line}`);
      if (showAll || SHOWN_LEVELS.has(String(parsed.level))) show(compact(entry, parsed));
    },
    failed(sentence: string, stack?: string) {
      keep(sentence);
      show(stack ? `${sentence}\n${stack}` : sentence);
    },
    lines: () => [...lines],
    close: () => void file.end(),
  };
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
