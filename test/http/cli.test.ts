import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DesiredState, type Plan } from '#shared/plan.ts';
import { run, type Terminal } from '../../client/cli/command.ts';
import { type Desired, filesOf, readDirectory, writeFile } from '../../client/cli/directory.ts';
import { FIELDS } from '../../client/cli/pull.ts';
import { planText } from '../../client/cli/report.ts';
import { apiStack } from '../support/handlers.ts';
import { extent } from '../support/prove.ts';
import { type Belongings, newBelongings } from '../support/valid-calls.ts';

const stack = apiStack();

mkdirSync('.tmp', { recursive: true });
type Entries = { def: { innerType: { def: { element: { def: { shape: object } } } } } };

const plainly = (_: string, text: string) => text;
const newDirectory = () => join(mkdtempSync(resolve('.tmp', 'cli-')), 'letterflow');

function write(directory: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return directory;
}

type Ran = { exit: number; out: string; err: string };
/** Runs a command with the client calling the handlers. `answer`: somebody at a terminal types it. */
async function letterflow(token: string, args: string[], answer?: string): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = {
    env: { LETTERFLOW_URL: 'https://app.example.com', LETTERFLOW_TOKEN: token },
    isTerminal: answer !== undefined,
    out: text => out.push(text),
    err: text => err.push(text),
    ask: async () => answer ?? '',
    fetch: ({ pathname, search }, init) => stack.get(pathname + search, init),
  };
  const exit = await run(args, terminal);
  return { exit, out: out.join('\n'), err: err.join('\n') };
}

describe('The command line', () => {
  let owned: Belongings;
  let token: string;
  let directory: string;
  const automationOf = async () =>
    (
      await stack.call('GET /api/automations/{automation}', {
        token: owned.owner.token,
        organization: owned.owner.home.id,
        params: { automation: owned.ids.automation },
      })
    ).body;
  const changeFile = (file: string, from: RegExp, to: string) => {
    const before = readFileSync(join(directory, file), 'utf8');
    expect(before).toMatch(from);
    writeFileSync(join(directory, file), before.replace(from, to));
  };
  const automationFile = () => {
    const files = readdirSync(join(directory, 'automations'));
    return `automations/${files.find(file => readFileSync(join(directory, 'automations', file), 'utf8').includes(`name: ${name}\n`))}`;
  };
  let name: string;

  beforeEach(async () => {
    owned = await newBelongings(stack);
    const { body } = await stack.call('POST /api/tokens', {
      token: owned.owner.token,
      organization: owned.owner.home.id,
      body: { name: 'ci', expiration: null, scopes: ['read', 'content', 'automations', 'sending'] },
    });
    token = body.token;
    directory = newDirectory();
    name = (await automationOf()).name;
  });

  it('pulls what there is, and a plan of that changes nothing', async () => {
    // Two with one name, which `pull` writes with their ids.
    for (const delay_days of [3, 4])
      await stack.call('POST /api/automations', {
        token: owned.owner.token,
        organization: owned.owner.home.id,
        body: { name: 'two_of_a_name', delay_days },
      });
    expect(await letterflow(token, ['pull', directory])).toMatchObject({ exit: 0, err: '' });
    expect(readdirSync(directory).sort()).toEqual(
      expect.arrayContaining([
        'automations',
        'safeguards.yaml',
        'sending_hours.yaml',
        'sequences',
        'templates',
      ]),
    );
    expect(await letterflow(token, ['plan', directory])).toEqual({
      exit: 0,
      out: 'Nothing to change: everything is as the directory says.',
      err: '',
    });
  });

  it('says what a changed file changes, and applies it once', async () => {
    await letterflow(token, ['pull', directory]);
    changeFile(automationFile(), /delay_days: \d+/, 'delay_days: 41');
    const plan = await letterflow(token, ['plan', directory]);
    expect(plan).toMatchObject({ exit: 2, err: '' });
    expect(plan.out).toContain(`~ automation ${name}\n    delay_days: 3650 → 41\n`);
    expect(plan.out).toContain('Who is touched in 30 days');
    expect((await automationOf()).delay_days).toBe(3650);
    const applied = await letterflow(token, ['apply', directory, '--yes', '--max-people', '0']);
    expect(applied).toMatchObject({ exit: 0, err: '', out: expect.stringMatching(/\nApplied\.$/) });
    expect((await automationOf()).delay_days).toBe(41);
    expect(await letterflow(token, ['apply', directory, '--yes'])).toMatchObject({
      exit: 0,
      out: expect.stringContaining('Nothing to change'),
    });
  });

  it('asks at a terminal, and changes nothing without a yes', async () => {
    await letterflow(token, ['pull', directory]);
    changeFile(automationFile(), /delay_days: \d+/, 'delay_days: 41');
    expect(await letterflow(token, ['apply', directory])).toMatchObject({
      exit: 1,
      err: 'Nobody can be asked here: add --yes',
    });
    expect(await letterflow(token, ['apply', directory, '--json'])).toMatchObject({ exit: 1 });
    expect(await letterflow(token, ['apply', directory], 'no')).toMatchObject({
      exit: 1,
      err: 'Nothing was changed.',
    });
    expect((await automationOf()).delay_days).toBe(3650);
    expect(await letterflow(token, ['apply', directory], 'yes')).toMatchObject({ exit: 0 });
    expect((await automationOf()).delay_days).toBe(41);
  });

  it('refuses with 3 to apply by its hash what has changed since', async () => {
    await letterflow(token, ['pull', directory]);
    changeFile(automationFile(), /delay_days: \d+/, 'delay_days: 41');
    const { hash } = JSON.parse((await letterflow(token, ['plan', directory, '--json'])).out);
    await stack.call('PUT /api/automations/{automation}', {
      token: owned.owner.token,
      organization: owned.owner.home.id,
      params: { automation: owned.ids.automation },
      body: { delay_days: 7 },
    });
    const refused = await letterflow(token, ['apply', hash, '--yes']);
    expect(refused).toMatchObject({ exit: 3, err: expect.stringContaining(name) });
    expect((await automationOf()).delay_days).toBe(7);
  });

  it('refuses with 3 to apply what reaches more people than it may', async () => {
    const content = 'subject_line: Hello\ncta_text: Read on\ncta_url: https://example.com';
    write(directory, {
      'automations/fresh.yaml': 'name: fresh\nemail_lists: [Depot readers]\nrepeat: once\ndelay_days: 1\n',
      'templates/fresh.md': `---\nname: fresh\n${content}\nautomations: [fresh]\n---\nHello\n`,
    });
    const apply = (most: number) =>
      letterflow(token, ['apply', directory, '--yes', '--max-people', String(most)]);
    expect(await apply(0)).toMatchObject({ exit: 3, err: expect.stringContaining('max_people is 0') });
    expect(await apply(9)).toMatchObject({ exit: 0 });
  });

  it('says that the numbers of a sample, and of what could be read in time, are no exact ones', async () => {
    await letterflow(token, ['pull', directory]);
    changeFile(automationFile(), /delay_days: \d+/, 'delay_days: 41');
    const plan: Plan = JSON.parse((await letterflow(token, ['plan', directory, '--json'])).out);
    const textWith = (effect: Partial<Plan['effect']>) =>
      planText({ ...plan, effect: { ...plan.effect, ...effect } }, 'https://app.example.com', plainly);
    const note = 'The numbers are of a sample';
    expect(textWith({})).not.toContain(note);
    expect(textWith({ counted_share: 0.5 })).toContain(note);
    expect(textWith({ sampled: { people: 4, of: 12 } as never })).toContain(note);
  });

  it('lists the days that have more emails or fewer', async () => {
    await letterflow(token, ['pull', directory]);
    changeFile(automationFile(), /delay_days: \d+/, 'delay_days: 41');
    const plan: Plan = JSON.parse((await letterflow(token, ['plan', directory, '--json'])).out);
    const [first, second, third] = plan.effect.days;
    const days = [
      { date: String(first?.date), more: 3, fewer: 0 },
      { date: String(second?.date), more: 0, fewer: 2 },
      { date: String(third?.date), more: 0, fewer: 0 },
    ];
    const text = planText({ ...plan, effect: { ...plan.effect, days } }, 'https://app.example.com', plainly);
    const shown = text.split('\n').filter(line => days.some(({ date }) => line.includes(`    ${date}`)));
    expect(shown.map(line => line.trim().split(/ +/))).toEqual([
      [first?.date, '+3'],
      [second?.date, '-2'],
    ]);
  });

  it('names file, line and field of what the product refuses', async () => {
    write(directory, {
      'automations/first.yaml': `name: ${name}\ndelay_days: 1\n`,
      'automations/second.yaml':
        '# A comment\nname: fresh\nemail_lists:\n  - Depot readers\n  - Nowhere\nspeed: 7\n',
    });
    const { exit, err } = await letterflow(token, ['plan', directory]);
    expect(exit).toBe(1);
    expect(err.split('\n').sort()).toEqual(['automations/second.yaml:6: speed: There is no such field']);
    write(directory, { 'automations/second.yaml': `name: fresh\nemail_lists:\n  - Nowhere\n` });
    expect((await letterflow(token, ['plan', directory])).err).toBe(
      'automations/second.yaml:3: email_lists.0: There is no email list Nowhere',
    );
  });

  it('replaces no file that differs, unless it is told to, and keeps the names of files', async () => {
    await letterflow(token, ['pull', directory]);
    const file = automationFile();
    changeFile(file, /delay_days: \d+/, 'delay_days: 41');
    write(directory, { 'automations/gone.yaml': 'name: gone\n' });
    const refused = await letterflow(token, ['pull', directory]);
    expect(refused).toMatchObject({ exit: 1, err: expect.stringContaining(`    ${file}\n`) });
    expect(readFileSync(join(directory, file), 'utf8')).toContain('delay_days: 41');
    const pulled = await letterflow(token, ['pull', directory, '--overwrite']);
    expect(pulled).toMatchObject({ exit: 0, out: expect.stringContaining('    automations/gone.yaml') });
    expect(readFileSync(join(directory, file), 'utf8')).toContain('delay_days: 3650');
  });

  it('neither reads nor writes outside of its directory, by links', async () => {
    const outside = `${directory}-outside`;
    write(outside, { 'secret.yaml': 'password: abc\n' });
    write(directory, { 'automations/dir.yaml/x': '' });
    symlinkSync(join(outside, 'secret.yaml'), join(directory, 'automations', 'a\u001b[2J.yaml'));
    symlinkSync(join(outside, 'new.yaml'), join(directory, 'safeguards.yaml'));
    symlinkSync(outside, join(directory, 'assets'));
    const { exit, err } = await letterflow(token, ['plan', directory]);
    expect([exit, err.split('\n').sort()]).toEqual([
      1,
      ['assets/secret.yaml', 'automations/a·[2J.yaml', 'automations/dir.yaml', 'safeguards.yaml'].map(
        file => `${file}:1: Must be a file, and no link`,
      ),
    ]);
    const pulled = await letterflow(token, ['pull', directory, '--overwrite']);
    expect(pulled).toMatchObject({ exit: 1, err: expect.stringContaining('    safeguards.yaml') });
    expect(readdirSync(outside)).toEqual(['secret.yaml']);
    expect(readdirSync(directory).sort()).toEqual(['assets', 'automations', 'safeguards.yaml']);
  });

  it('colours at a terminal alone', async () => {
    write(directory, { 'automations/first.yaml': `name: ${name}\ndelay_days: 1\n` });
    expect((await letterflow(token, ['plan', directory])).out).not.toContain('\u001b[');
    expect((await letterflow(token, ['plan', directory], '')).out).toContain('\u001b[');
  });

  it('says how it is used where it is used in another way', async () => {
    for (const args of [[], ['plan'], ['plan', '.', '.'], ['fly', '.'], ['plan', '.', '--fast']])
      expect(await letterflow(token, args)).toMatchObject({
        exit: 1,
        err: expect.stringContaining('Usage:'),
      });
    expect(await letterflow(token, ['apply', 'nowhere'])).toMatchObject({
      exit: 1,
      err: 'There is no directory nowhere',
    });
    expect(await letterflow(token, ['apply', '0'.repeat(64)])).toMatchObject({ exit: 1 });
    expect(await letterflow('', ['pull', directory])).toMatchObject({ exit: 1, err: /LETTERFLOW_TOKEN/ });
    expect(existsSync(directory)).toBe(false);
  });
});

describe('A file', () => {
  const faultsOf = (files: Record<string, string>) =>
    readDirectory(write(newDirectory(), files)).faults.map(
      ({ file, line, text }) => `${file}:${line} ${text}`,
    );

  it.each([
    ['automations/a.yaml', 'name: one\nname: two\n', '2 Map keys must be unique'],
    ['automations/a.yaml', 'name: [1\n', '2 Flow sequence in block collection'],
    ['automations/a.yaml', '- name\n', '1 Must have fields'],
    ['automations/a.yaml', 'a: &a [x, x]\nb: *a\n', '2 Aliases are not supported'],
    ['automations/a.yaml', 'a: &a\n  b: *a\n', '2 Aliases are not supported'],
    ['safeguards.yaml', `enabled: "${'x'.repeat(1_000_000)}"\n`, '1 The file has more than 250 KB'],
    ['templates/a.md', 'Hello\n', '1 Must begin with front matter'],
    ['templates/a.md', '---\nname: a\nHello\n', '1 Must begin with front matter'],
    ['templates/a.md', '---\nname: a\nname: b\n---\nHello\n', '3 Map keys must be unique'],
    [
      'templates/a.md',
      '---\nname: a\n---\nA\n<!-- footer -->\nB\n<!-- footer -->\nC\n',
      '7 footer is there twice',
    ],
  ])('%s, %j, is refused by its line', (file, text, fault) => {
    expect(faultsOf({ [file]: text })).toEqual([expect.stringContaining(`${file}:${fault}`)]);
  });

  it('keeps every text of a template as it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map(one => one.replace(/[\ud800-\udfff]/g, '')),
      fc
        .array(fc.constantFrom('---', '<!-- footer -->', 'Hello', '', ' ', '# Title', '- a: b', '{{name}}'), {
          maxLength: 6,
        })
        .map(lines => lines.join('\n')),
    );
    const body = fc.option(text);
    const template = fc.record({
      name: text,
      subject_line: text,
      is_active: fc.boolean(),
      pre_cta_content: text,
      after_cta_content: body,
      footer: text,
    });
    fc.assert(
      fc.property(fc.array(template, { maxLength: 3 }), templates => {
        const directory = newDirectory();
        const desired = { templates } as unknown as Desired;
        for (const [file, written] of filesOf(desired, readDirectory(directory)))
          writeFile(directory, file, written);
        const { desired: read, faults } = readDirectory(directory);
        expect(faults).toEqual([]);
        expect(read.templates ?? []).toHaveLength(templates.length);
        expect(read.templates ?? []).toEqual(expect.arrayContaining(templates));
      }),
      { numRuns: extent(100, 2_000) },
    );
  });
});

it('files have every field that a plan takes', () => {
  const fieldsOf = (name: keyof typeof FIELDS) =>
    Object.keys((DesiredState.shape[name] as unknown as Entries).def.innerType.def.element.def.shape);
  const others = ['id', 'email_lists', 'automations', 'steps'];
  for (const name of Object.keys(FIELDS) as (keyof typeof FIELDS)[])
    expect(FIELDS[name].split(' ').sort(), name).toEqual(
      fieldsOf(name)
        .filter(field => !others.includes(field))
        .sort(),
    );
});

it('the workflow plans pull requests, and applies what is merged with a limit', () => {
  const { jobs } = parse(readFileSync('client/cli/github-workflow.yml', 'utf8'));
  const runs = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? []).join('\n');
  expect(jobs.plan.if).toBe("github.event_name == 'pull_request'");
  expect(runs(jobs.plan)).toContain('npx --no letterflow plan letterflow');
  expect(runs(jobs.plan)).not.toContain('apply');
  expect(jobs.apply.if).toBe("github.event_name == 'push'");
  expect(runs(jobs.apply)).toContain('npx --no letterflow apply letterflow --yes --max-people');
  // A shell of GitHub ends at what fails, and a plan that changes something ends with 2.
  const { run } = jobs.plan.steps.find(({ name }: { name?: string }) => name === 'Plan');
  const folder = newDirectory();
  write(folder, { 'bin/npx': '#!/bin/sh\necho changes\nexit 2\n' });
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  execFileSync('bash', ['-e', '-c', run], { cwd: folder, env });
  expect(readFileSync(join(folder, 'comment.md'), 'utf8')).toContain('changes');
  // The token is in no step that runs what others have written.
  for (const { steps } of Object.values(jobs) as { steps: { run?: string; env?: object }[] }[])
    for (const { run = '', env = {} } of steps)
      expect('LETTERFLOW_TOKEN' in env).toBe(run.includes('npx --no letterflow'));
});
