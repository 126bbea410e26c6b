import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Activity } from './activity.ts';
import type { ViewerRequest } from './edge/viewer.ts';
import { type HttpAnswer, problem } from './gateway/response.ts';
import { Mistake, messageOf } from './mistake.ts';
import { httpServer, listen, readBody } from './server.ts';

/** Handles a request, or returns undefined to let the next one handle it. */
export type Answerer = (
  request: ViewerRequest,
  raw: Raw,
) => Promise<HttpAnswer | undefined> | HttpAnswer | undefined;
export type Raw = { incoming: IncomingMessage; response: ServerResponse };

type FrontOptions = {
  port: number;
  answerers: Answerer[];
  activity: Activity;
  failed: (error: unknown) => void;
};

export type Front = Awaited<ReturnType<typeof openFront>>;

// More than the API accepts, so that the API itself responds with 413.
const MOST_BYTES = 12 * 1024 * 1024;

/** Listens on the port of the stack. Until the stack has started, every response is 503. */
export async function openFront({ port, answerers, activity, failed }: FrontOptions) {
  const server = httpServer((incoming, response) => void serve({ incoming, response }));

  async function serve(raw: Raw): Promise<void> {
    // Control requests do not count as activity: otherwise one that drains would wait for itself.
    const end = raw.incoming.url?.startsWith('/_local/') ? undefined : activity.begin();
    try {
      const request = await readRequest(raw.incoming);
      const answer = request ? await firstAnswer(request, raw) : problem(413, 'Request Entity Too Large');
      if (answer) write(answer, raw);
    } catch (error) {
      // The client has closed the connection.
      if (raw.incoming.errored) return;
      failed(error);
      if (!raw.response.headersSent) write(problem(500, `The local stack failed: ${messageOf(error)}`), raw);
    } finally {
      end?.();
    }
  }

  async function firstAnswer(request: ViewerRequest, raw: Raw): Promise<HttpAnswer | undefined> {
    for (const answerer of answerers) {
      const answer = await answerer(request, raw);
      if (answer || raw.response.headersSent) return answer;
    }
    return problem(404, 'Not Found');
  }

  const actual = await listen(server, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Mistake(`Port ${port} is taken. Set PORT to another one, or end what listens there.`);
  });
  return {
    url: `http://127.0.0.1:${actual}`,
    server,
    async close() {
      const closed = new Promise(done => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ViewerRequest | undefined> {
  const body = await readBody(incoming, MOST_BYTES);
  if (!body) return undefined;
  const { method = 'GET', url = '/' } = incoming;
  const at = url.indexOf('?');
  return {
    method,
    path: at < 0 ? url : url.slice(0, at),
    query: at < 0 ? '' : url.slice(at + 1),
    headers: headersOf(incoming),
    ip: incoming.socket.remoteAddress ?? '127.0.0.1',
    body,
  };
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headersDistinct).map(([name, values = []]) => {
    return [name, values.join(name === 'cookie' ? '; ' : ',')];
  });
  return Object.fromEntries(entries.filter(([name]) => name !== 'connection' && name !== 'keep-alive'));
}

function write({ status, headers, body }: HttpAnswer, { incoming, response }: Raw): void {
  const bodiless = status === 204 || status === 304;
  const { 'content-length': _, ...rest } = headers;
  if (bodiless && status === 204) delete rest['content-type'];
  response.writeHead(status, { ...rest, ...(!bodiless && { 'content-length': body.length }) });
  response.end(bodiless || incoming.method === 'HEAD' ? undefined : body);
}
