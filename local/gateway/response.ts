export type HttpAnswer = { status: number; headers: Record<string, string>; body: Buffer };

export const text = (
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): HttpAnswer => ({ status, headers: { 'content-type': type, ...headers }, body: Buffer.from(body) });

export const json = (status: number, body: object, headers: Record<string, string> = {}): HttpAnswer =>
  text(status, 'application/json', JSON.stringify(body), headers);

export const problem = (status: number, message: string): HttpAnswer => json(status, { message });

type Result = {
  statusCode?: unknown;
  headers?: Record<string, unknown>;
  body?: unknown;
  isBase64Encoded?: unknown;
};

/** The HTTP response for a function's result, in payload format 2.0; undefined if the result is not valid. */
export function answerOf(result = 'null'): HttpAnswer | undefined {
  const { statusCode, headers = {}, body, isBase64Encoded }: Result = JSON.parse(result) ?? {};
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
