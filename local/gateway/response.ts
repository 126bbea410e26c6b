export type HttpAnswer = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
};

export const problem = (status: number, message: string): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

type Structured = {
  statusCode?: unknown;
  headers?: Record<string, unknown>;
  cookies?: unknown;
  body?: unknown;
  isBase64Encoded?: unknown;
};

/** The answer that a function's result stands for, payload format 2.0; undefined where it is none. */
export function answerOf(result: string | undefined): HttpAnswer | undefined {
  const value: unknown = result === undefined ? null : JSON.parse(result);
  if (typeof value !== 'object' || value === null || !('statusCode' in value)) return inferred(value, result);
  const { statusCode, headers = {}, cookies, body, isBase64Encoded } = value as Structured;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, item]) => [name.toLowerCase(), String(item)]),
      ),
      ...(Array.isArray(cookies) && { 'set-cookie': cookies.map(String) }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
function inferred(value: unknown, result = 'null'): HttpAnswer {
  const body = typeof value === 'string' ? value : result;
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}
