import { describe, expect, it } from 'vitest';
import { readBody } from '#functions/http/request.ts';
import { listMemberRoutes } from '#shared/list-member.ts';
import { sequenceRoutes } from '#shared/sequence.ts';

function refusalOfBody(route: Parameters<typeof readBody>[0], fields: object) {
  const event = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
  try {
    readBody(route, event as never);
  } catch (error) {
    return error as { message: string; errors: Record<string, string[]> };
  }
  throw new Error('The body is valid');
}
const refusalOf = (metadata: object) =>
  refusalOfBody(listMemberRoutes['POST /api/list-members'], {
    email_list_id: 'list',
    email: 'ann@example.com',
    metadata,
  });

const keys = (count: number, keyOf: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [keyOf(at), 1]));

describe('the faults of a body', () => {
  it('are told of 20 fields, and then how many more fields have some', () => {
    expect(Object.keys(refusalOf(keys(20, at => `k/${at}`)).errors)).toHaveLength(20);
    const { errors } = refusalOf(keys(100, at => `k/${at}`));
    expect(Object.keys(errors).slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, at) => `metadata.k/${at}`),
    );
    expect(Object.entries(errors).slice(20)).toEqual([['…', ['and 80 more']]]);
  });

  it('are 20 of one field, and then how many more it has', () => {
    const long = 'k'.repeat(80);
    const [[field, texts] = []] = Object.entries(refusalOf(keys(30, at => `${long}${at}`)).errors);
    expect(field).toBe(`metadata.${'k'.repeat(71)}…`);
    expect(texts).toHaveLength(21);
    expect(texts?.at(-1)).toBe('and 10 more');
  });

  it('are short, however long the keys of the caller are', () => {
    const { errors } = refusalOf(keys(100, at => `${at}${'k'.repeat(9_000)}`));
    expect(JSON.stringify(errors).length).toBeLessThan(4_000);
  });

  it('are said to be there where they are too many to be listed', () => {
    const body = { name: 'Wrong', days_off: Array(300_000).fill(1) };
    expect(refusalOfBody(sequenceRoutes['POST /api/sequences'], body)).toMatchObject({
      reason: 'invalid',
      message: expect.stringContaining('more wrong'),
    });
  });
});
