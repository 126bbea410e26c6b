/** One call in the JSON protocol that DynamoDB and SQS speak. The engines look for a signature, but not into it. */
export async function call<Answer>(
  endpoint: string,
  target: string,
  body: object,
  region: string,
): Promise<Answer> {
  const service = target.startsWith('AmazonSQS') ? 'sqs' : 'dynamodb';
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=local`,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer & { __type?: string; message?: string; Message?: string };
  if (response.ok) return answer;
  throw new EngineError(
    answer.__type?.split('#').at(-1) ?? String(response.status),
    answer.message ?? answer.Message,
  );
}

export class EngineError extends Error {
  readonly code: string;

  constructor(code: string, message = code) {
    super(message);
    this.name = code;
    this.code = code;
  }
}
