import { expect, it } from 'vitest';
import { call } from '../../local/engines/call.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

const names = readAssembly(ASSEMBLY).flatMap(({ name, template }) =>
  Object.entries(template.Resources).map(([id, { Metadata }]) => [
    Metadata?.['letterflow:entry'],
    `${name}-${id}`,
  ]),
);

/** The name of the error that a function gets when it reads an item. */
async function errorOf(entry: string, PK: string): Promise<string | undefined> {
  const { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: tools = '' } = stack.env();
  const [, caller] = names.find(([of]) => of === `functions/${entry}.ts`) ?? [];
  const endpoint = tools.replace('/tools/', `/${caller}/`);
  const body = { TableName, Key: { PK: { S: PK }, SK: { S: '-' } } };
  try {
    await call(endpoint, 'DynamoDB_20120810.GetItem', body, 'eu-central-1');
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

it.each([
  ['api/login', 'CONFIG', 'ORG#1'],
  ['api/user', 'USER#1', 'EMAIL#ann@example.com'],
  ['api/token', 'TOKEN#1', 'ORG#1'],
  ['api/list', 'LIST#1', 'R#1#hash'],
  ['api/v1', 'TOKEN#1', 'SESSION#1'],
  ['sending/sweep', 'SWEEP#000001', 'USER#1'],
  ['projector/projector', 'CHECKPOINT#1', 'R#1#hash'],
  ['projector/projector', 'LIST#1', 'SWEEP#000001'],
  ['dispatcher/dispatcher', 'SWEEP#000001', 'LIST#1'],
  ['dispatcher/dispatcher', 'ORG#1', 'PURGE'],
  ['background/purge', 'PURGE', 'SESSION#1'],
  ['tracking/unsubscribe', 'R#1#hash', 'ORG#1'],
])('the function %s may read %s and not %s', async (entry, own, foreign) => {
  expect(await errorOf(entry, own)).toBeUndefined();
  expect(await errorOf(entry, foreign)).toBe('AccessDeniedException');
});

it('the functions of tracking, packs, the origin key and the document may read nothing', async () => {
  for (const entry of ['tracking/open', 'tracking/click', 'sending/sender', 'http/origin', 'api/openapi']) {
    expect(await errorOf(entry, 'CONFIG'), entry).toBe('AccessDeniedException');
  }
});

it('the functions of opens and clicks read nobody', async () => {
  for (const entry of ['tracking/open', 'tracking/click']) {
    expect(await errorOf(entry, 'R#1#hash'), entry).toBe('AccessDeniedException');
  }
});
