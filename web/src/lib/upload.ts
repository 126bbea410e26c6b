import type { Received, Request } from './request.ts';

/** Sends a request with upload progress, which `fetch` does not support. */
export const upload = (
  url: string,
  { method, headers, body, signal }: Omit<Request, 'url'> & { signal: AbortSignal },
  onProgress: (share: number) => void,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onProgress(loaded / total);
    request.onload = () => {
      const { status, responseText } = request;
      resolve({ ok: status >= 200 && status < 300, status, text: responseText });
    };
    request.onerror = () => reject(new TypeError('The request failed.'));
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(body);
  });
