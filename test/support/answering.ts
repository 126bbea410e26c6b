import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '#local/server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server on loopback until the test is finished. Returns its URL, and the requested paths. */
export async function answering(answer: Answer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** The address of a shop on this machine, to which an email leads. */
export async function newShop(): Promise<string> {
  const { url } = await answering((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>The shop</h1>'),
  );
  return `${url}/spring`;
}
