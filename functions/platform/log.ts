import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Logger } from '@aws-lambda-powertools/logger';
import { CODE_ALPHABET, CODE_LENGTH } from '#shared/login-code.ts';

export const log = new Logger();

// Patterns of what must never be in a log line: addresses (but `node_modules/@scope/name` is not one), login codes, and
// anything long and random enough to be a secret.
const ADDRESS = /(?:"(?:[^"\\\n]|\\.){1,64}"|[^\s@<>"]*(?:[^\s@<>"/]|\/(?!@[\w-]+\/)))@[^\s@<>"']+/g;
const SECRET = /\b[A-Za-z0-9_-]{32,}\b/g;
const CODE = new RegExp(`\\b[${CODE_ALPHABET}]{${CODE_LENGTH}}\\b`, 'g');
const PLACE = /^\s+at .*(:\d+:\d+\)?|\(<anonymous>\))$/;

const LONGEST_MESSAGE = 500;
const MOST_PLACES = 20;
const MOST_CAUSES = 3;

export type Described = { name: string; message: string; stack: string; cause?: Described };

/** Describes an unexpected error for the log, with bounded length, without secrets and the texts in `hidden`. */
export function described(error: unknown, hidden: string[] = [], mostCauses = MOST_CAUSES): Described {
  if (!(error instanceof Error))
    return { name: 'Unknown', message: redact(String(error), hidden), stack: '' };
  const { name, message, stack = '' } = error;
  // Removes the message, which may have several lines. Stack frames have names only, which may be long.
  const places = stack
    .replace(message, '')
    .split('\n')
    .filter(line => PLACE.test(line));
  const cause = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  return {
    name: redact(name, hidden),
    message: redact(message, hidden),
    stack: inSources(places.slice(0, MOST_PLACES).join('\n')).replace(ADDRESS, '[address]'),
    ...(cause !== undefined && mostCauses > 0 && { cause: described(cause, hidden, mostCauses - 1) }),
  };
}

// Shorter texts, such as the number of an organization, are not secret, and may be any part of a message.
const SHORTEST_HIDDEN = 4;

function redact(text: string, hidden: string[]): string {
  const values = hidden.filter(value => value.length >= SHORTEST_HIDDEN);
  const shown = values
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[hidden]'), text);
  const redacted = withoutSecrets(shown);
  return redacted.length > LONGEST_MESSAGE ? `${redacted.slice(0, LONGEST_MESSAGE)}…` : redacted;
}

const withoutSecrets = (text: string) =>
  text.replace(ADDRESS, '[address]').replace(SECRET, '[secret]').replace(CODE, '[code]');

/** Wraps a handler so that its errors may be logged: Lambda logs an error that a function throws, with all its properties. */
export const redacting =
  <Inputs extends unknown[], Result>(handler: (...inputs: Inputs) => Promise<Result>) =>
  async (...inputs: Inputs): Promise<Result> => {
    try {
      return await handler(...inputs);
    } catch (thrown) {
      const error = described(thrown);
      throw Object.assign(new Error(error.message), { name: error.name, stack: textOf(error) });
    }
  };

const textOf = ({ name, message, stack, cause }: Described): string =>
  [`${name}: ${message}`, stack, ...(cause ? [`Caused by ${textOf(cause)}`] : [])].join('\n');

const maps = new Map<string, SourceMap | undefined>();

const BUNDLED = /(file:\/\/\/\S+\.mjs):(\d+):(\d+)/g;

/** The map is read when an error occurs: with --enable-source-maps, Node reads it whenever a process starts. */
export const inSources = (stack: string): string =>
  stack.replace(BUNDLED, (place, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${fileURLToPath(file)}.map`));
  return maps.get(file);
}

const readMap = (path: string) =>
  existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
