import { createContext, Script } from 'node:vm';
import { Mistake } from '../mistake.ts';
import type { ViewerRequest } from './viewer.ts';

/** Runs a CloudFront Function on a viewer's request: it answers the path of the file to serve. */
export type ViewerFunction = (request: ViewerRequest) => ViewerRequest | ViewerResponse;
export type ViewerResponse = { statusCode: number; headers: Record<string, string>; body: string };

type Result = {
  uri?: string;
  statusCode?: number;
  headers?: Record<string, { value: string }>;
  body?: string | { data: string };
};

// CloudFront stops a function that takes longer than about a millisecond of processor time; here the clock on the
// wall counts, which a busy machine can hold up.
const MOST_MILLISECONDS = 1000;

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
    const result = JSON.parse(call.runInContext(context, { timeout: MOST_MILLISECONDS })) as Result;
    if (result.statusCode === undefined) return { ...request, path: result.uri ?? request.path };
    const headers = Object.entries(result.headers ?? {}).map(([header, { value }]) => [header, value]);
    const body = typeof result.body === 'object' ? result.body.data : (result.body ?? '');
    return { statusCode: result.statusCode, headers: Object.fromEntries(headers), body };
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
