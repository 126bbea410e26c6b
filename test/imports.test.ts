import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { violations } from './support/import-law.ts';

it('every import keeps the law of the layout', async () => {
  const model = 'test/model/model.ts';
  expect(await violations(['shared', 'functions', 'lib', 'bin', 'local', 'web/src', model])).toEqual([]);
});

const PLANTED: [rule: string, from: string, to: string][] = [
  ['shared reads zod alone', 'shared/list.ts', 'functions/core/list/list.ts'],
  ['core reads shared and itself', 'functions/core/list/list.ts', 'functions/platform/table.ts'],
  ['stores add the document commands', 'functions/core/list/list.store.ts', 'functions/platform/table.ts'],
  [
    'an import goes down a floor or stays on its own',
    'functions/core/list/list.ts',
    'functions/core/sending/state.ts',
  ],
  [
    'an import goes down a floor or stays on its own',
    'functions/core/organization/member.ts',
    'functions/core/recipient/recipient.ts',
  ],
  [
    'an import goes down a floor or stays on its own',
    'functions/core/timeouts.ts',
    'functions/core/storage/write.store.ts',
  ],
  ['platform knows SDKs, never core', 'functions/platform/mailer.ts', 'functions/core/list/list.ts'],
  [
    'only handlers import a provider',
    'functions/core/sending/delivery/release.ts',
    'functions/providers/mailgun/mailgun.ts',
  ],
  ['only handlers import a provider', 'shared/list.ts', 'functions/providers/mailgun/mailgun.ts'],
  [
    'a provider knows what core asks of it, and no handler',
    'functions/providers/mailgun/mailgun.ts',
    'functions/core/list/list.ts',
  ],
  ['http knows no handler', 'functions/http/serve.ts', 'functions/api/list.ts'],
  ['records of the stream know core alone', 'functions/stream/records.ts', 'functions/platform/table.ts'],
  ['handlers do not know each other', 'functions/api/list.ts', 'functions/sending/sweep.ts'],
  ['handlers know no infrastructure', 'functions/api/list.ts', 'lib/stage.ts'],
  ['infrastructure names its functions by path', 'lib/stacks/api.ts', 'functions/api/list.ts'],
  [
    'the table of items is data alone',
    'functions/core/storage/items/items.ts',
    'functions/core/list/list.ts',
  ],
  ['the local stack knows the template, not core', 'local/stack.ts', 'functions/core/list/list.ts'],
  ['the web reads the contract alone', 'web/src/lib/fetcher.ts', 'functions/core/list/list.ts'],
  [
    'shared pieces know no noun and no call of the API',
    'web/src/components/table.tsx',
    'web/src/entities/list/list.ts',
  ],
  ['shared pieces know no noun and no call of the API', 'web/src/components/table.tsx', 'web/src/lib/api.ts'],
  ['lib knows no component', 'web/src/lib/table.ts', 'web/src/components/table.tsx'],
  ['lib renders nothing', 'web/src/lib/table.ts', 'web/src/lib/table-page.tsx'],
  ['entities know no feature', 'web/src/entities/list/list.ts', 'web/src/features/lists/page.tsx'],
  [
    'entities do not know each other',
    'web/src/entities/list/list.ts',
    'web/src/entities/automation/automation.ts',
  ],
  ['features know no app', 'web/src/features/lists/page.tsx', 'web/src/app/routes.tsx'],
  ['features do not know each other', 'web/src/features/lists/page.tsx', 'web/src/features/user/page.tsx'],
  ['the model describes what is mailed without core', 'test/model/model.ts', 'functions/core/list/list.ts'],
];

it('a violation of each rule is found', async () => {
  const root = mkdtempSync(join(resolve('.tmp'), 'law-'));
  const imports = Map.groupBy(PLANTED, ([, from]) => from);
  const files = new Set(PLANTED.flatMap(([, from, to]) => [from, to]));
  for (const file of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    const up = '../'.repeat(file.split('/').length - 1);
    const lines = (imports.get(file) ?? []).map(([, , to]) => `import '${up}${to}';\n`);
    writeFileSync(join(root, file), `${[...new Set(lines)].join('')}export const thing = 1;\n`);
  }
  const found = await violations([...imports.keys()], root);
  expect(found).toEqual(
    expect.arrayContaining(PLANTED.map(([rule, from, to]) => `${rule}: ${from} → ${to}`)),
  );
});

/** Names of the contract, which had one provider when they were chosen. The others stand in one table. */
const OF_CONTRACT =
  /\bmailgun_(sending_key|webhook_signing_key|region|connection_status)\b|\/(test-)?(mailgun|ses)-\w+/g;

it('core and the contract name no provider but in fields and paths', () => {
  const files = globSync('{functions/core,shared}/**/*.ts').filter(file => file !== 'shared/providers.ts');
  const lines = files.flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => /mailgun|\bses\b|amazon ses/i.test(line.replaceAll(OF_CONTRACT, '')))
      .map(line => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
