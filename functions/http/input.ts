import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { Refusal, textsByField } from '#core/refusal.ts';
import type { Route } from '#shared/route.ts';
import type { Event } from './request.ts';

z.config(en());

const MEGABYTE = 1024 * 1024;

export const readQuery = ({ query }: Route, event: Event) =>
  query && validated(query, event.queryStringParameters ?? {});

export const readBody = ({ body, mostBytes }: Route, event: Event) =>
  body && validated(body, readObject(event, mostBytes));

/** The body as it was sent. */
export const bodyOf = (event: Event): string =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');

function readObject(event: Event, mostBytes = MEGABYTE): object {
  const body = bodyOf(event);
  if (Buffer.byteLength(body) > mostBytes) {
    const most = `${mostBytes / MEGABYTE} MB`;
    throw new Refusal('too-large', `The request is too large: at most ${most} is accepted.`);
  }
  if (!/^application\/json\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
    throw new Refusal('wrong-type', 'Send JSON, with the header Content-Type: application/json.');
  }
  const parsed = parse(body);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new Refusal('invalid', 'The request must be a JSON object.');
}

function parse(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    if (!LONE_SURROGATE.test(JSON.stringify(parsed))) return parsed;
  } catch {
    throw new Refusal('invalid', 'The request is not valid JSON.');
  }
  throw new Refusal('invalid', 'The request holds text that is not valid Unicode.');
}

// Half of a surrogate pair: JSON can escape it, DynamoDB cannot store it. JSON.stringify does not escape whole pairs.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

function validated(schema: z.ZodMiniType, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  const errors = textsByField(faults);
  throw new Refusal('invalid', result.error.issues[0]?.message ?? 'Invalid input', { errors });
}
