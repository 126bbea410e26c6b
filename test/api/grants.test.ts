import { expect, it } from 'vitest';
import { call } from '#local/engines/call.ts';
import { readAssembly } from '#local/template/assembly.ts';
import { ASSEMBLY } from '../support/setup.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

const names = readAssembly(ASSEMBLY).flatMap(({ name, template }) =>
  Object.entries(template.Resources).map(([id, { Metadata }]) => [
    Metadata?.['letterflow:entry'],
    `${name}-${id}`,
  ]),
);

/** The name of the error that a function gets when it reads an item, or deletes one that there is not. */
async function errorOf(entry: string, verb: 'Get' | 'Delete', PK: string): Promise<string | undefined> {
  const { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: tools = '' } = stack.env();
  const [, caller] = names.find(([of]) => of === `functions/${entry}.ts`) ?? [];
  const endpoint = tools.replace('/tools/', `/${caller}/`);
  const body = { TableName, Key: { PK: { S: PK }, SK: { S: 'nothing' } } };
  try {
    await call(endpoint, `DynamoDB_20120810.${verb}Item`, body, 'eu-central-1');
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}

const VERBS = { read: 'Get', write: 'Delete' } as const;

it.each<[string, keyof typeof VERBS, string[], string[]]>([
  ['api/login', 'read', ['CONFIG', 'EMAIL#a@b.co', 'USER#1'], ['ORG#1', 'COUNTER', 'R#1#hash']],
  ['api/login', 'write', ['COUNTER', 'ORG#1', 'SWEEP#000000'], ['CONFIG', 'SWEEP#000001', 'LIST#1']],
  ['api/user', 'read', ['ORG#1', 'SESSION#1', 'TOKEN#1', 'USER#1'], ['EMAIL#a@b.co', 'LIST#1']],
  ['api/user', 'write', ['ORG#1#RECORD', 'SESSION#1', 'TOKEN#1', 'USER#1'], ['EMAIL#a@b.co', 'ORG#1']],
  ['api/organization', 'write', ['COUNTER', 'ORG#1', 'PURGE'], ['EMAIL#a@b.co', 'LIST#1', 'R#1#hash']],
  ['api/member', 'write', ['EMAIL#a@b.co', 'INVITE#1', 'ORG#1'], ['LIST#1', 'R#1#hash']],
  ['api/list', 'read', ['LIST#1', 'ORG#1'], ['R#1#hash', 'TRG#1#due']],
  ['api/list', 'write', ['LIST#1', 'ORG#1', 'PURGE', 'SWEEP#000001'], ['R#1#hash', 'TRG#1#due']],
  [
    'api/list-member',
    'read',
    ['LIST#1', 'ORG#1#LOG', 'R#1#hash', 'TOKEN#1'],
    ['EMAIL#a@b.co', 'SWEEP#000001'],
  ],
  [
    'api/list-member',
    'write',
    ['ORG#1#RECORD', 'ORG#1#STOPPED', 'R#1#hash', 'TRG#1#due'],
    ['ORG#1', 'ORG#1#LOG', 'SWEEP#000001'],
  ],
  ['api/content', 'write', ['ORG#1#CONTENT', 'RATE#1#r'], ['LIST#1', 'ORG#1', 'R#1#hash']],
  ['api/automation', 'write', ['ORG#1', 'SWEEP#000001'], ['LIST#1', 'R#1#hash', 'TRG#1#due']],
  ['api/email-send', 'read', ['ORG#1#LOG', 'R#1#hash'], ['EMAIL#a@b.co', 'TRG#1#due']],
  ['api/email-send', 'write', ['R#1#hash'], ['ORG#1#LOG', 'TRG#1#due']],
  ['api/v1', 'read', ['TOKEN#1', 'USER#1'], ['SESSION#1']],
  ['api/v1', 'write', ['ORG#1#STOPPED', 'RATE#1', 'TOKEN#1'], ['ORG#1', 'SESSION#1', 'USER#1']],
  ['sending/sweep', 'read', ['ORG#1', 'SWEEP#000001', 'TRG#1#due'], ['R#1#hash', 'USER#1']],
  ['sending/sweep', 'write', ['ORG#1', 'SWEEP#000001'], ['R#1#hash', 'TRG#1#due']],
  ['sending/sender', 'read', ['ORG#1', 'ORG#1#STOPPED', 'R#1#hash'], ['LIST#1', 'SWEEP#000001', 'USER#1']],
  ['sending/sender', 'write', ['ORG#1#LOG', 'R#1#hash', 'SWEEP#000001', 'TRG#1#due'], ['LIST#1', 'USER#1']],
  ['sending/provider-events', 'read', ['ORG#1#LOG', 'R#1#hash'], ['LIST#1', 'USER#1']],
  ['sending/provider-events', 'write', ['ORG#1#STOPPED', 'R#1#hash', 'TRG#1#due'], ['LIST#1', 'ORG#1']],
  ['stream/projector', 'read', ['CHECKPOINT#1', 'LIST#1', 'ORG#1'], ['R#1#hash', 'SWEEP#000001']],
  [
    'stream/projector',
    'write',
    ['ORG#1#LOG#failed', 'ORG#1#LOG#unknown', 'ORG#1#REPORT'],
    ['ORG#1', 'ORG#1#LOG', 'R#1#hash'],
  ],
  // What was newly due it finds by the sources of the sweep.
  ['stream/dispatcher', 'read', ['ORG#1', 'R#1#hash', 'SWEEP#000001'], ['LIST#1', 'PURGE']],
  ['stream/dispatcher', 'write', ['R#1#hash'], ['ORG#1', 'PURGE', 'SWEEP#000001']],
  ['background/purge', 'read', ['PURGE', 'R#1#hash', 'SWEEP#000001'], ['SESSION#1', 'TOKEN#1']],
  ['background/purge', 'write', ['EMAIL#a@b.co', 'ORG#1#LOG', 'USER#1'], ['COUNTER', 'SESSION#1']],
  ['tracking/unsubscribe', 'read', ['R#1#hash'], ['LIST#1', 'ORG#1']],
  ['tracking/unsubscribe', 'write', ['ORG#1#STOPPED', 'R#1#hash', 'TRG#1#due'], ['LIST#1', 'ORG#1']],
  ['tracking/open', 'write', ['R#1#hash'], ['ORG#1#REPORT', 'TRG#1#due']],
  ['tracking/click', 'write', ['R#1#hash'], ['ORG#1#REPORT', 'TRG#1#due']],
])('the function %s may %s %s and not %s', async (entry, verb, own, foreign) => {
  for (const PK of own) expect(await errorOf(entry, VERBS[verb], PK), PK).toBeUndefined();
  for (const PK of foreign) expect(await errorOf(entry, VERBS[verb], PK), PK).toBe('AccessDeniedException');
});

it('the functions of tracking, packs, the origin key and the document may read nothing', async () => {
  for (const entry of ['tracking/open', 'tracking/click', 'sending/sender', 'http/origin', 'api/openapi']) {
    expect(await errorOf(entry, 'Get', 'CONFIG'), entry).toBe('AccessDeniedException');
  }
});

it('the functions of opens and clicks read nobody', async () => {
  for (const entry of ['tracking/open', 'tracking/click']) {
    expect(await errorOf(entry, 'Get', 'R#1#hash'), entry).toBe('AccessDeniedException');
  }
});
