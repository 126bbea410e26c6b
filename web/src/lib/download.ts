import { type CallInput, fail } from './api.ts';
import type { GetRoute } from './cache-key.ts';
import { Problem } from './problem.ts';
import { either, orProblem, type Request, requestOf } from './request.ts';

/** The file is in memory until it is saved. */
const MOST_BYTES = 100 * 1024 * 1024;
const TOO_LARGE = 'The file is too large to be downloaded here.';

/** In bytes. The total is undefined if the server does not tell it. */
export type Progress = { loaded: number; total: number | undefined };

/** Downloads the file of a route. The timeout is for each part of it, since a large file may take long. */
export async function download<K extends GetRoute>(
  route: K,
  input: CallInput<K>,
  { onProgress = () => {} }: { onProgress?: (progress: Progress) => void } = {},
): Promise<File> {
  const { signal } = input;
  const request = requestOf(route, input);
  const stall = stallAfter(request.timeout);
  try {
    const received = await orProblem(() =>
      receive(request, either(stall.signal, signal), onProgress, stall.postpone),
    );
    return received instanceof File ? received : await fail(received, input);
  } finally {
    stall.end();
  }
}

async function receive(
  { url, ...init }: Request,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  onPart: () => void,
) {
  const response = await fetch(url, { ...init, signal });
  const { ok, status, headers, body } = response;
  if (!ok || !body) return { ok, status, text: await response.text() };
  // The Content-Length of a compressed response is not the size of the file.
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const total = length === null ? undefined : Number(length);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let loaded = 0;
  for await (const part of partsOf(body)) {
    onPart();
    loaded += part.length;
    if (Math.max(loaded, total ?? 0) > MOST_BYTES) throw new Problem(TOO_LARGE);
    parts.push(part);
    onProgress({ loaded, total });
  }
  const type = headers.get('content-type') ?? '';
  return new File(parts, nameOf(headers.get('content-disposition')), { type });
}

/** Not every browser can iterate over a stream. */
async function* partsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // If the stream was not read to its end, stops the transfer.
    await reader.cancel().catch(() => undefined);
  }
}

/** The file name in the response headers, without a path. */
function nameOf(disposition: string | null): string {
  const [, quoted, plain] = /filename="([^"]*)"|filename=([^;\s]+)/i.exec(disposition ?? '') ?? [];
  return (quoted ?? plain)?.split(/[\\/]/).at(-1) || 'download';
}

/** A signal that is aborted if no part of the response arrives in time. */
function stallAfter(milliseconds: number) {
  const stalled = new AbortController();
  const abort = () => stalled.abort(new DOMException('The download stalled.', 'TimeoutError'));
  let timer = setTimeout(abort, milliseconds);
  const end = () => clearTimeout(timer);
  return {
    signal: stalled.signal,
    postpone() {
      end();
      timer = setTimeout(abort, milliseconds);
    },
    end,
  };
}
