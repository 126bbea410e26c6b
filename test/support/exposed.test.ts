import { expect, it } from 'vitest';
import { exposed } from './exposed.ts';

it.each([
  ['an address', '{"message":"mailed","to":"ann.b+c@example.com"}', 'ann.b+c@example.com'],
  ['a token', '{"path":"/invitations/accept/abc-123"}', 'abc-123'],
])('a log that holds %s is found out', (_, written, found) => {
  expect(exposed(`{"message":"request"}\n${written}`, ['abc-123'])).toEqual([found]);
});

it('a log that names neither is fine', () => {
  expect(exposed('{"message":"request","route":"GET /api/user","status":200}', ['abc-123'])).toEqual([]);
});
