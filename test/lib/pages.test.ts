import { createContext, Script } from 'node:vm';
import { expect, it } from 'vitest';
import { composed, type Properties } from './templates.ts';

const [{ FunctionCode, FunctionConfig } = {} as Properties] = composed('prod')
  .all('AWS::CloudFront::Function')
  .map(({ Properties }) => Properties)
  .filter(({ FunctionCode }) => FunctionCode.includes('index.html'));

/** The deployed text itself, in a context as bare as CloudFront's. */
const context = createContext({});
new Script(FunctionCode).runInContext(context);
const fileFor = (uri: string): string => {
  context.event = { request: { uri, method: 'GET', querystring: { page: { value: '2' } } } };
  const { uri: file, querystring } = new Script('handler(event)').runInContext(context);
  expect(querystring).toEqual({ page: { value: '2' } });
  return file;
};

it.each([
  ['/', '/index.html'],
  ['/login', '/login.html'],
  ['/login/', '/login.html'],
  ['/terms-and-conditions', '/terms-and-conditions.html'],
  ['/privacy-policy', '/privacy-policy.html'],
  ['/profile', '/app.html'],
  ['/email-lists/12/members', '/app.html'],
  ['/email-lists/12/', '/app.html'],
  ['/login/elsewhere', '/app.html'],
  ['/v1.2/lists', '/app.html'],
  ['/assets/app-4fj2.js', '/assets/app-4fj2.js'],
  ['/favicon.svg', '/favicon.svg'],
  ['/app.html', '/app.html'],
])('the address %s is answered by the file %s', (uri, file) => {
  expect(fileFor(uri)).toBe(file);
});

it('runs on the CloudFront runtime that knows its syntax', () => {
  expect(FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
});
