import { Agent, request } from 'node:http';
import { ACCOUNT } from '../template/identity.ts';

export const queueUrl = (engines: { queues: string }, queue: string) =>
  `${engines.queues}/${ACCOUNT}/${queue}`;

const agent = new Agent({ keepAlive: true });

/** A call in the JSON protocol of DynamoDB and SQS. The engines require a signature, but do not verify it. */
export async function call<Answer>(
  endpoint: string,
  target: string,
  body: object,
  region: string,
): Promise<Answer> {
  const service = target.startsWith('AmazonSQS') ? 'sqs' : 'dynamodb';
  const { status, text } = await post(
    endpoint,
    {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=local`,
    },
    JSON.stringify(body),
  );
  const answer = JSON.parse(text) as Answer & { __type?: string; message?: string; Message?: string };
  if (status === 200) return answer;
  throw new EngineError(answer.__type?.split('#').at(-1) ?? String(status), answer.message ?? answer.Message);
}

// fetch takes more CPU time, and the streams are read after every write of each simulated minute.
function post(endpoint: string, headers: Record<string, string>, body: string) {
  return new Promise<{ status: number | undefined; text: string }>((done, failed) => {
    request(endpoint, { method: 'POST', agent, headers }, response => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', part => (text += part))
        .on('end', () => done({ status: response.statusCode, text }))
        .on('error', failed);
    })
      .on('error', failed)
      .end(body);
  });
}

export class EngineError extends Error {
  readonly code: string;

  constructor(code: string, message = code) {
    super(message);
    this.name = code;
    this.code = code;
  }
}
