import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { vi } from 'vitest';
import { proxyEvent } from '#local/gateway/event.ts';
import { listen } from '#local/server.ts';
import { PROVE } from './prove.ts';
import type { Stack } from './stack.ts';

export const REDIRECT = 'https://assistant.example.com/callback';
export const VERIFIER = 'a'.repeat(43);
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

type Document = Record<string, unknown>;
type Answer = Document | ((response: ServerResponse, url: string) => unknown);
const answers = new Map<string, Answer>();
let host = '';

/** The documents of assistants, on this machine as long as it runs: those of the local stack may be there. */
export async function serveAssistants(): Promise<void> {
  if (host) return;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const answer = answers.get(path) ?? {};
    if (typeof answer === 'function') return answer(response, assistant(path));
    const document = {
      client_id: assistant(path),
      client_name: 'Helper',
      redirect_uris: [REDIRECT],
      ...answer,
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  const port = await listen(server);
  server.unref();
  host = `http://127.0.0.1:${port}`;
}

/** The id of an assistant, which is the address of its document. */
export function assistant(path = '/assistant.json', answer?: Answer): string {
  if (answer) answers.set(path, answer);
  return `${host}${path}`;
}

/** What an assistant sends its user with. */
export const asking = (client_id = assistant()) => ({
  client_id,
  redirect_uri: REDIRECT,
  response_type: 'code',
  code_challenge: challengeOf(VERIFIER),
  code_challenge_method: 'S256',
  scope: 'read automations',
  state: 'opaque',
});

type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

/** What the function of the tools answers; in a proof that of the local stack. */
export async function callTools(
  stack: Stack,
  { method = 'POST', path = '/mcp', headers = {}, body = '' }: Sent,
): Promise<Response> {
  if (PROVE) return stack.get(path, { method, headers, ...(method !== 'GET' && { body }) });
  const { handler } = await import('#functions/mcp/mcp.ts');
  const event = proxyEvent(
    { method, path, query: '', headers, body: Buffer.from(body), ip: '127.0.0.1' } as never,
    { apiId: 'api', region: 'eu-central-1', routeKey: 'ANY /mcp', now: new Date(), offset: 0 },
    {},
  );
  // It calls the public API from outside.
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => stack.get(url.pathname + url.search, init));
  const { statusCode = 0, headers: answered, body: text } = await handler(event as APIGatewayProxyEventV2);
  return new Response([202, 204].includes(statusCode) ? null : text, {
    status: statusCode,
    headers: answered as Record<string, string>,
  });
}
