import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { document } from '#functions/http/openapi.ts';
import { groupsOf } from '#shared/reference/calls.ts';
import { LANGUAGES, type Sent, sentBy } from '#shared/reference/examples.ts';
import type { OpenApi } from '#shared/reference/openapi.ts';

const run = promisify(execFile);
const calls = groupsOf(document as unknown as OpenApi).flatMap(group => group.calls);
const caller = { origin: 'https://app.example.com', organization: 7, token: 'lf_mine' };
const directory = () => {
  mkdirSync('.tmp', { recursive: true });
  return mkdtempSync(join(resolve('.tmp'), 'reference-'));
};
const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

const write = (language: string, sent: Sent): string => {
  const found = LANGUAGES.find(({ name }) => name === language);
  if (!found) throw new Error(`There are no examples in ${language}`);
  return found.write(sent);
};
const fileOf = (name: string, text: string) => {
  const file = join(directory(), name);
  writeFileSync(file, text);
  return file;
};
const all = (language: string) => calls.map(call => write(language, sentBy(call, caller)));

describe('The examples of all calls', () => {
  it('are JavaScript', async () => {
    const text = all('JavaScript').map(example => `{\n${example}\n}`);
    await run('node', ['--check', fileOf('all.mjs', text.join('\n'))]);
  });

  it('are what a shell reads', async () => {
    await run('sh', ['-n', fileOf('all.sh', all('curl').join('\n'))]);
  });

  it.runIf(python)('are Python', async () => {
    await run('python3', ['-m', 'py_compile', fileOf('all.py', all('Python').join('\n'))]);
  });

  it('are PHP whose strings and brackets are closed', () => {
    for (const text of all('PHP')) {
      const code = text.replace(/'(?:[^'\\]|\\.)*'/gs, "''");
      expect(code.replaceAll("''", '')).not.toMatch(/['"]/);
      for (const [open, close] of ['()', '[]', '{}'])
        expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
    }
  });
});

describe('What is sent', () => {
  const sent = (id: string, as = caller) => {
    const call = calls.find(one => one.id === id);
    if (!call) throw new Error(`There is no call ${id}`);
    return sentBy(call, as);
  };

  it('has the organization and the token of the reader', () => {
    expect(sent('upsertListMembers')).toMatchObject({
      method: 'POST',
      url: 'https://app.example.com/api/v1/email-lists/LIST_ID/members',
      headers: {
        Authorization: 'Bearer lf_mine',
        'X-Active-Organization': '7',
        'Content-Type': 'application/json',
      },
    });
  });

  it('has places for what is not known, and never an API token where a session is needed', () => {
    const { headers } = sent('listEmailListsByToken', {
      origin: '',
      organization: undefined,
      token: '',
    } as never);
    expect(headers).toEqual({ Authorization: 'Bearer YOUR_TOKEN' });
    expect(sent('setSendingKey').headers.Authorization).toBe('Bearer YOUR_SESSION_TOKEN');
    expect(sent('requestLoginCode').headers).not.toHaveProperty('Authorization');
  });

  it('has the parameters of the query that are required', () => {
    expect(sent('listListMemberActions').url).toMatch(/\?list_member_id=LIST_MEMBER_ID$/);
    expect(sent('listListMembers').url).toMatch(/\/members$/);
  });
});

describe('Texts with every kind of quote', () => {
  const body = {
    text: `'single' "double" \\ back\\\\slash \`tick\` $HOME $(id) \${x} %s \n\t é 😀 true null`,
    none: null,
    flags: [true, false, { deep: [] }],
    empty: {},
  };
  const sent: Sent = { method: 'PUT', url: "https://example.com/?q='", headers: { 'X-Note': "it's" }, body };
  let seen: { url: string; note: string; body: unknown };

  beforeAll(() => {
    seen = { url: sent.url, note: "it's", body };
  });

  it('come through JavaScript', async () => {
    const stub = `const fetch = async (url, { headers, body }) => {
      const seen = { url, note: headers['X-Note'], body: JSON.parse(body) };
      return { ok: true, text: async () => JSON.stringify(seen) };
    };\n`;
    const { stdout } = await run('node', [fileOf('quotes.mjs', stub + write('JavaScript', sent))]);
    expect(JSON.parse(stdout)).toEqual(seen);
  });

  it('come through a shell', async () => {
    const stub = `curl() { printf '%s\\0' "$@"; }\n`;
    const { stdout } = await run('sh', [fileOf('quotes.sh', stub + write('curl', sent))]);
    const [, method, url, , header, , data = ''] = stdout.split('\0');
    expect([method, header]).toEqual(['PUT', "X-Note: it's"]);
    expect({ url, note: "it's", body: JSON.parse(data) }).toEqual(seen);
  });

  it.runIf(python)('come through Python', async () => {
    const stub = `import io, json, urllib.request
def urlopen(request):
    seen = {"url": request.full_url, "note": request.get_header("X-note"), "body": json.loads(request.data)}
    return io.BytesIO(json.dumps(seen).encode())
urllib.request.urlopen = urlopen
`;
    const { stdout } = await run('python3', [fileOf('quotes.py', stub + write('Python', sent))]);
    expect(JSON.parse(stdout)).toEqual(seen);
  });
});
