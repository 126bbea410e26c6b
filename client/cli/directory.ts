import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isNode, LineCounter, parse, parseDocument, stringify, visit } from 'yaml';
import type { Operations } from '../operations.ts';

export type Desired = Operations['createPlan']['input']['body'];
export type Entry = Record<string, unknown>;
/** What is wrong with a file, where that is known. */
export type Fault = { file: string; line: number; field: string; text: string };

/** The folders, with one entry in each file, and what plans call them. */
export const FOLDERS = {
  automations: '.yaml',
  sequences: '.yaml',
  templates: '.md',
  assets: '.yaml',
} as const;
export type Folder = keyof typeof FOLDERS;
/** The files with one object each. */
const SINGLES = ['safeguards', 'sending_hours', 'holdout', 'delete'] as const;

/** The texts of a template that stand below the front matter: the first one directly, each other one below a line with its name. */
const BODY = ['pre_cta_content', 'after_cta_content', 'footer'];
const MARKER = /^<!-- (after_cta_content|footer) -->$/;

// More than a template with the longest texts has. Some YAML takes time that grows with its square.
const LARGEST_FILE = 250_000;

/** An entry as it stands in its file, and the line of each of its fields. */
type Read = { entry: Entry; lineOf: (path: string[]) => number };
type Source = Read & { file: string };

/** A directory: its entries as a desired state, and where each of them stands. */
export type Directory = {
  desired: Desired;
  /** By the field of the desired state: `automations.0`, `safeguards`. */
  sources: Map<string, Source>;
  faults: Fault[];
};

export function readDirectory(directory: string): Directory {
  const sources = new Map<string, Source>();
  const faults: Fault[] = [];
  const desired: Record<string, unknown> = {};
  const read = (file: string, parse: (text: string) => Read): Source | undefined => {
    try {
      return { file, ...parse(textOf(directory, file)) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults.push({ file, line: error.line, field: '', text: error.message });
    }
  };
  for (const folder of Object.keys(FOLDERS) as Folder[]) {
    const files = namesIn(join(directory, folder)).filter(name => name.endsWith(FOLDERS[folder]));
    const parse = FOLDERS[folder] === '.md' ? readMarkdown : readYaml;
    const found = files.flatMap(name => read(`${folder}/${name}`, parse) ?? []);
    if (found.length > 0) desired[folder] = found.map(({ entry }) => entry);
    found.forEach((source, nth) => void sources.set(`${folder}.${nth}`, source));
  }
  for (const name of SINGLES) {
    if (!namesIn(directory).includes(`${name}.yaml`)) continue;
    const source = read(`${name}.yaml`, readYaml);
    if (!source) continue;
    desired[name] = source.entry;
    sources.set(name, source);
  }
  return { desired: desired as Desired, sources, faults };
}

/** Where a field of the desired state stands that was refused. */
export function faultAt({ sources }: Directory, field: string, text: string): Fault {
  const path = field.split('.');
  const depth = [1, 2].find(length => sources.has(path.slice(0, length).join('.')));
  const source = depth && sources.get(path.slice(0, depth).join('.'));
  if (!source) return { file: '', line: 0, field, text };
  const inside = path.slice(depth);
  return { file: source.file, line: source.lineOf(inside), field: inside.join('.'), text };
}

class Unreadable extends Error {
  readonly line: number;
  constructor(message: string, line = 1) {
    super(message);
    this.line = line;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether a file, or its folder, leads out of the directory. */
export const isLinked = (directory: string, file: string): boolean =>
  [dirname(file), file].some(
    part => part !== '.' && lstatSync(join(directory, part), { throwIfNoEntry: false })?.isSymbolicLink(),
  );

function textOf(directory: string, file: string): string {
  const path = join(directory, file);
  if (isLinked(directory, file) || !statSync(path).isFile())
    throw new Unreadable('Must be a file, and no link');
  if (statSync(path).size > LARGEST_FILE) throw new Unreadable('The file has more than 250 KB');
  return readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
}

/** `before`: the lines of the file above the YAML. */
function readYaml(text: string, before = 0): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineAt = (offset: number) => lines.linePos(offset).line + before;
  const [error] = document.errors;
  if (error) throw new Unreadable(error.message.split('\n')[0] ?? '', lineAt(error.pos[0]));
  visit(document, {
    // A few lines of aliases can stand for gigabytes, or for themselves.
    Alias: (_, node) => {
      throw new Unreadable('Aliases are not supported: write it out', lineAt(node.range?.[0] ?? 0));
    },
  });
  const entry: unknown = document.toJS();
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new Unreadable('Must have fields, each with a name and a value', 1 + before);
  return { entry: entry as Entry, lineOf: path => lineAt(offsetOf(document, path)) };
}

/** Of the field, or of the nearest one around it that is there. */
function offsetOf(document: Document, path: string[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const keys = path.slice(0, depth).map(key => (/^\d+$/.test(key) ? Number(key) : key));
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Front matter in YAML between two lines of `---`, then the texts. */
function readMarkdown(text: string): Read {
  const lines = text.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0)
    throw new Unreadable('Must begin with front matter: its fields between two lines of ---');
  const front = readYaml(`${lines.slice(1, end).join('\n')}\n`, 1);
  const markers = lines.flatMap((line, nth) => {
    const [, name] = (nth > end && MARKER.exec(line)) || [];
    return name ? [{ name, nth }] : [];
  });
  const sections = [{ name: 'pre_cta_content', nth: end }, ...markers];
  const entry = { ...front.entry };
  sections.forEach(({ name, nth }, index) => {
    const body = lines
      .slice(nth + 1, sections[index + 1]?.nth)
      .join('\n')
      .trim();
    if (body === '' && name in entry) return;
    if (name in entry) throw new Unreadable(`${name} is there twice`, nth + 1);
    entry[name] = body;
  });
  return {
    entry,
    lineOf: path => {
      const section = sections.find(({ name }) => name === path[0] && !(name in front.entry));
      return section ? section.nth + 1 : front.lineOf(path);
    },
  };
}

/** Texts of several lines are blocks, unless one would be read as another text, as with lines of spaces at its end. */
const QUOTED = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
} as const;
function yamlOf(entry: Entry): string {
  const text = stringify(entry, { lineWidth: 0 });
  return isDeepStrictEqual(parse(text), entry) ? text : stringify(entry, QUOTED);
}

const isBody = (name: string, value: unknown): value is string =>
  BODY.includes(name) &&
  typeof value === 'string' &&
  value === value.trim() &&
  (value !== '' || name === 'pre_cta_content') &&
  !value.includes('\r') &&
  !value.split('\n').some(line => MARKER.test(line));

function markdownOf(entry: Entry): string {
  const bodies = Object.entries(entry).filter(([name, value]) => isBody(name, value)) as [string, string][];
  const front = Object.fromEntries(Object.entries(entry).filter(([name, value]) => !isBody(name, value)));
  const texts = bodies
    .sort(([one], [other]) => BODY.indexOf(one) - BODY.indexOf(other))
    .map(([name, value]) =>
      name === 'pre_cta_content' ? `\n${value}\n` : `\n<!-- ${name} -->\n\n${value}\n`,
    );
  return `---\n${yamlOf(front)}---\n${texts.join('')}`;
}

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'unnamed';

const keyOf = ({ id, type, name }: Entry) => JSON.stringify([id ?? null, type ?? null, name ?? null]);

/** The files of a state, by their path in the directory. What a file of the directory describes already keeps its file. */
export function filesOf(present: Desired, { sources }: Directory): Map<string, string> {
  const files = new Map<string, string>();
  const state = present as Record<string, unknown>;
  for (const folder of Object.keys(FOLDERS) as Folder[]) {
    const known = new Map(
      [...sources].flatMap(([field, { file, entry }]): [string, string][] =>
        field.startsWith(`${folder}.`) ? [[keyOf(entry), file]] : [],
      ),
    );
    const taken = new Set([...known.values()]);
    for (const entry of (state[folder] ?? []) as Entry[]) {
      let file = known.get(keyOf(entry));
      for (let nth = 1; file === undefined; nth++) {
        const slug = slugOf([entry.type, entry.name].filter(Boolean).join(' '));
        const free = `${folder}/${slug}${nth === 1 ? '' : `-${nth}`}${FOLDERS[folder]}`;
        if (!taken.has(free)) file = free;
      }
      taken.add(file);
      files.set(file, FOLDERS[folder] === '.md' ? markdownOf(entry) : yamlOf(entry));
    }
  }
  for (const name of SINGLES) if (state[name]) files.set(`${name}.yaml`, yamlOf(state[name] as Entry));
  return files;
}

export function writeFile(directory: string, file: string, text: string): void {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
