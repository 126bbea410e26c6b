import type * as z from 'zod/mini';
import { json as answerJson, type HttpAnswer } from './gateway/response.ts';

type JsonCall = { operation: string; body: Buffer };

export class Refused extends Error {
  readonly exception: string;

  constructor(exception: string, message: string) {
    super(message);
    this.exception = exception;
  }
}

/** The operations of a service that the product uses, in the JSON protocol of AWS. */
export function jsonService(
  service: string,
  operations: Record<string, (input: unknown) => object | Promise<object>>,
) {
  return async ({ operation, body }: JsonCall): Promise<HttpAnswer> => {
    try {
      const answer = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (answer) return json(200, await answer(JSON.parse(body.toString() || '{}')));
      throw new Refused('UnknownOperationException', `The local stack has no ${operation} of ${service}.`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return json(400, { __type: error.exception, message: error.message });
    }
  };
}

export const json = (status: number, body: object): HttpAnswer =>
  answerJson(status, body, { 'content-type': 'application/x-amz-json-1.1' });

export function parseInput<Shape extends z.ZodMiniType>(shape: Shape, input: unknown): z.output<Shape> {
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `1 validation error detected at '${issue?.path.join('.')}': ${issue?.message}`;
  throw new Refused('ValidationException', message);
}
