import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, createClient, LetterflowError } from '../index.ts';
import {
  type Directory,
  type Fault,
  faultAt,
  filesOf,
  isLinked,
  readDirectory,
  writeFile,
} from './directory.ts';
import { readPresent } from './pull.ts';
import { coloured, faultText, type Plan, plain, planText, printable } from './report.ts';

const USAGE = `Usage: letterflow pull DIR [--overwrite]
       letterflow plan DIR [--json]
       letterflow apply DIR|HASH [--max-people N] [--yes] [--json]

  pull    writes the automations, sequences, templates, assets and limits of the organization to DIR
  plan    says what DIR changes, and who is touched; changes nothing
  apply   changes it

LETTERFLOW_URL is the address of the product, LETTERFLOW_TOKEN an API token; LETTERFLOW_ORGANIZATION the id of the
organization, if it is not the default one of the token's owner.

plan ends with 0 if nothing changes, 2 if something does, 1 after an error. apply ends with 3 if what it would change has
changed since, or if it reaches more people than allowed.`;

/** How a command ends. */
export const EXIT = { done: 0, failed: 1, changes: 2, refused: 3 } as const;

export type Terminal = {
  env: Record<string, string | undefined>;
  isTerminal: boolean;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Asks the person at the terminal, and returns the answer. */
  ask: (question: string) => Promise<string>;
  fetch?: (address: URL, init: RequestInit) => Promise<Response>;
};

class Stop extends Error {
  readonly exit: number;
  constructor(message: string, exit: number = EXIT.failed) {
    super(message);
    this.exit = exit;
  }
}

/** Runs a command, and returns with which status it ends. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    return await runParsed(args, terminal);
  } catch (error) {
    if (error instanceof Stop) {
      terminal.err(error.message);
      return error.exit;
    }
    if (!(error instanceof LetterflowError)) throw error;
    terminal.err(textOf(error, undefined));
    return error.status === 409 || 'max_people' in error.errors ? EXIT.refused : EXIT.failed;
  }
}

async function runParsed(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parsed(args);
  const [command, target, ...others] = positionals;
  if (values.help) {
    terminal.out(USAGE);
    return EXIT.done;
  }
  if (target === undefined || others.length > 0) throw new Stop(USAGE);
  const style = terminal.isTerminal && !terminal.env.NO_COLOR ? coloured : plain;
  const url = terminal.env.LETTERFLOW_URL ?? '';
  const print = (plan: Plan) =>
    terminal.out(values.json ? JSON.stringify(plan, null, 2) : planText(plan, url, style));

  if (command === 'pull') return pull(target, values.overwrite ?? false, terminal);
  if (command === 'plan') {
    const plan = await planOf(target, terminal);
    print(plan);
    return plan.changes.length > 0 ? EXIT.changes : EXIT.done;
  }
  if (command !== 'apply') throw new Stop(USAGE);
  const max_people = values['max-people'] === undefined ? undefined : wholeNumber(values['max-people']);
  const plan = isHash(target)
    ? await clientOf(terminal).getPlan({ hash: target })
    : await planOf(target, terminal);
  if (!values.json || plan.changes.length === 0 || plan.applied_at) print(plan);
  if (plan.changes.length === 0 || plan.applied_at) return EXIT.done;
  if (!values.yes) await confirm(terminal);
  const applied = await clientOf(terminal).applyPlan({
    hash: plan.hash,
    body: max_people === undefined ? {} : { max_people },
  });
  terminal.out(values.json ? JSON.stringify(applied, null, 2) : 'Applied.');
  return EXIT.done;
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        yes: { type: 'boolean' },
        overwrite: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        'max-people': { type: 'string' },
      },
    });
  } catch (error) {
    throw new Stop(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Stop('--max-people must be a whole number');
  return Number(text);
}

const isHash = (target: string) => /^[0-9a-f]{64}$/.test(target);

function clientOf({ env, fetch }: Terminal): Client {
  const { LETTERFLOW_URL: url, LETTERFLOW_TOKEN: token, LETTERFLOW_ORGANIZATION: organization } = env;
  if (!url || !token) throw new Stop('Set LETTERFLOW_URL and LETTERFLOW_TOKEN');
  if (!URL.canParse(url))
    throw new Stop('LETTERFLOW_URL must be an address, such as https://letterflow.example.com');
  if (organization && !/^\d+$/.test(organization)) throw new Stop('LETTERFLOW_ORGANIZATION must be a number');
  return createClient({
    url,
    token,
    ...(organization && { organization: Number(organization) }),
    ...(fetch && { fetch }),
  });
}

async function planOf(target: string, terminal: Terminal): Promise<Plan> {
  if (!existsSync(target)) throw new Stop(`There is no directory ${target}`);
  const directory = readDirectory(target);
  if (directory.faults.length > 0) throw new Stop(directory.faults.map(faultText).join('\n'));
  if (directory.sources.size === 0)
    throw new Stop(
      `${target} has no automations, sequences, templates or limits: begin with letterflow pull ${target}`,
    );
  try {
    return await clientOf(terminal).createPlan({ body: directory.desired });
  } catch (error) {
    if (error instanceof LetterflowError) throw new Stop(textOf(error, directory));
    throw error;
  }
}

/** A refusal, field by field where it says fields, by file and line where they stand in one. */
function textOf({ message, errors }: LetterflowError, directory: Directory | undefined): string {
  const faults: Fault[] = Object.entries(errors).flatMap(([field, texts]) =>
    texts.map(text => (directory ? faultAt(directory, field, text) : { file: '', line: 0, field, text })),
  );
  return faults.length > 0 ? faults.map(faultText).join('\n') : printable(message);
}

async function confirm({ isTerminal, ask }: Terminal): Promise<void> {
  if (!isTerminal) throw new Stop('Nobody can be asked here: add --yes');
  if ((await ask('Apply this plan? Type yes: ')).trim() !== 'yes') throw new Stop('Nothing was changed.');
}

async function pull(target: string, overwrite: boolean, terminal: Terminal): Promise<number> {
  const directory = readDirectory(target);
  const files = filesOf(await readPresent(clientOf(terminal)), directory);
  const linked = [...files.keys()].filter(file => isLinked(target, file));
  if (linked.length > 0) throw new Stop(`These are links, and nothing was written:\n${listed(linked)}`);
  const stored = (file: string) => {
    const path = join(target, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const changed = [...files].filter(([file, text]) => stored(file) !== text);
  const lost = changed.filter(([file]) => stored(file) !== undefined).map(([file]) => file);
  if (lost.length > 0 && !overwrite)
    throw new Stop(
      `These files differ from what is there now:\n${listed(lost)}\nAdd --overwrite to replace them; nothing was written.`,
    );
  for (const [file, text] of changed) writeFile(target, file, text);
  terminal.out(`${changed.length} of ${files.size} files written to ${relative('.', target) || '.'}.`);
  const others = [...directory.sources.values()].map(({ file }) => file).filter(file => !files.has(file));
  if (others.length > 0) terminal.out(`Nothing there is described by:\n${listed(others)}`);
  return EXIT.done;
}

const listed = (files: string[]) => files.map(file => `    ${printable(file)}`).join('\n');
