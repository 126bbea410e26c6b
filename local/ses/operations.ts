import { Refused } from '../aws-json.ts';
import { type HttpAnswer, json } from '../gateway/response.ts';
import { decoded, parseJson } from '../parse.ts';

export type Call = { method: string; path: string; body: Buffer };

type Caller = {
  caller: string;
  /** What the groups of the path hold. */
  params: string[];
};

/** One operation of the SES API. It answers undefined if the caller gets no response. */
export type Operation = {
  method: string;
  path: RegExp;
  answer: (input: unknown, from: Caller) => object | undefined | Promise<object | undefined>;
};

/** Answers a call by the operation for it; undefined if the caller gets no response. */
export const answering =
  (operations: Operation[]) =>
  async ({ method, path, body }: Call, caller: string): Promise<HttpAnswer | undefined> => {
    const [plain = ''] = path.split('?', 1);
    for (const operation of operations) {
      const match = operation.method === method ? operation.path.exec(plain) : null;
      if (!match) continue;
      const params = match.slice(1).map(param => decoded(param) ?? '');
      try {
        const answer = await operation.answer(parseJson(body.toString() || '{}'), { caller, params });
        return answer && json(200, answer);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return refusal(error.exception, error.message);
      }
    }
    return refusal('NotImplemented', `The local stack has no ${method} ${plain} of SES.`);
  };

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html, and the errors of each operation. Others are 400.
const STATUSES: Partial<Record<string, number>> = {
  AccessDeniedException: 403,
  ConcurrentModificationException: 500,
  InternalServiceErrorException: 500,
  NotFoundException: 404,
  NotImplemented: 501,
  TooManyRequestsException: 429,
};

// What is not of the shape of an operation is `ValidationException` in the services that speak JSON.
const NAMES: Partial<Record<string, string>> = { ValidationException: 'BadRequestException' };

/** The SDK reads the name of an exception from a header. */
const refusal = (exception: string, message: string) =>
  json(STATUSES[exception] ?? 400, { message }, { 'x-amzn-errortype': NAMES[exception] ?? exception });
