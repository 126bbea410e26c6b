import { createContext, Script } from 'node:vm';
import { type HttpAnswer, text } from '../gateway/response.ts';
import { Mistake } from '../mistake.ts';
import type { ViewerRequest } from './viewer.ts';

/** Runs a CloudFront Function on a viewer's request; returns the request to pass on, or a response. */
export type ViewerFunction = (request: ViewerRequest) => ViewerRequest | HttpAnswer;

// CloudFront stops a function after about a millisecond of CPU time. Here elapsed time is limited, of which a busy machine
// needs any amount: this only ends a function that never ends.
const MOST_MILLISECONDS = 10_000;

export function viewerFunction(name: string, code: string): ViewerFunction {
  const context = createContext({});
  try {
    new Script(code, { filename: name }).runInContext(context);
  } catch (error) {
    throw new Mistake(`The CloudFront Function ${name} does not load: ${error}`);
  }
  const call = new Script('JSON.stringify(handler(JSON.parse(event)))', { filename: name });
  return request => {
    context.event = JSON.stringify(eventOf(request));
    const answer = JSON.parse(call.runInContext(context, { timeout: MOST_MILLISECONDS }));
    const { uri, headers = {}, statusCode, statusDescription } = answer;
    if (typeof statusCode === 'number') return text(statusCode, 'text/plain', `${statusDescription}\n`);
    const passed = Object.entries(headers as Record<string, { value: string }>);
    if (typeof uri === 'string')
      return {
        ...request,
        path: uri,
        headers: Object.fromEntries(passed.map(([name, { value }]) => [name, value])),
      };
    throw new Mistake(`The CloudFront Function ${name} answers no request.`);
  };
}

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
const eventOf = ({ method, path, query, headers }: ViewerRequest) => ({
  version: '1.0',
  context: { eventType: 'viewer-request' },
  viewer: { ip: '127.0.0.1' },
  request: {
    method,
    uri: path,
    querystring: Object.fromEntries(
      [...new URLSearchParams(query)].map(([name, value]) => [name, { value }]),
    ),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    cookies: {},
  },
});
