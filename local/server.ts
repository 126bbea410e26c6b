import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** An HTTP server that keeps idle connections: a client may call at the moment when one is closed, and not retry. */
export function httpServer(answer: RequestListener) {
  const server = createHttpServer(answer);
  server.keepAliveTimeout = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const status = isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const body = JSON.stringify({ message: status.slice(4) });
    const headers = [`content-type: application/json`, `content-length: ${body.length}`, 'connection: close'];
    if (socket.writable) socket.end([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'));
  });
  return server;
}

/** Listens on loopback; returns the port. With 0 that is any free one. */
export async function listen(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port for a process that cannot take any free one by itself. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise(done => server.close(done));
  return port;
}

/**
 * Reads a body. If it is larger than `most` bytes, the rest is read and dropped, so that the client still reads the response,
 * and undefined is returned.
 */
export async function readBody(incoming: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > most ? undefined : Buffer.concat(chunks);
}
