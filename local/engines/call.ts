import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { HttpAnswer } from '../gateway/response.ts';
import { ACCOUNT } from '../template/resolver.ts';

export const queueUrl = (engines: { queues: string }, queue: string) =>
  `${engines.queues}/${ACCOUNT}/${queue}`;

const agent = new Agent({ keepAlive: true });

type Sent = { method: string; headers: OutgoingHttpHeaders; body: Buffer | string };

// fetch takes more CPU time, and the streams are read after every write of each simulated minute.
export function exchange(url: string | URL, { body, ...options }: Sent): Promise<HttpAnswer> {
  return new Promise((done, failed) => {
    request(url, { ...options, agent }, response => {
      const { statusCode: status = 502, headers } = response;
      buffer(response).then(
        answered => done({ status, headers: headers as Record<string, string>, body: answered }),
        failed,
      );
    })
      .on('error', failed)
      .end(body);
  });
}

/** A call in the JSON protocol of DynamoDB and SQS. The engines require a signature, but do not verify it. */
export async function call<Answer>(
  endpoint: string,
  target: string,
  body: object,
  region: string,
): Promise<Answer> {
  const service = target.startsWith('AmazonSQS') ? 'sqs' : 'dynamodb';
  const { status, body: answered } = await exchange(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=local`,
    },
    body: JSON.stringify(body),
  });
  const answer = JSON.parse(answered.toString());
  if (status === 200) return answer;
  throw new EngineError(answer.__type?.split('#').at(-1) ?? String(status), answer.message ?? answer.Message);
}

export class EngineError extends Error {
  readonly code: string;

  constructor(code: string, message = code) {
    super(message);
    this.name = code;
    this.code = code;
  }
}
