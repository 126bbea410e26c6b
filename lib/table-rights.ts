import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';
import { KINDS } from '#core/storage/items/items.ts';
import packageJson from '../package.json' with { type: 'json' };
import { ROOT } from './constructs/bundle.ts';

/**
 * What each function may do with the table, read from its code. A function is granted a partition if, from its handler on,
 * some declaration can be reached that reads or writes this partition:
 *
 * - A declaration **names** a partition if it contains the text of a partition key, such as `USER#${user}`.
 * - A declaration **reads** or **writes** if it uses a command of DynamoDB, or is part of a transaction's write.
 * - Both are passed on to the declarations that refer to it, up to one that has both: that one reads or writes the
 *   partitions, with whatever it refers to.
 *
 * So the key `profileKey` and the read `get` grant nothing, `read`, which calls `get(table, profileKey(id))`, grants a read.
 * Code that nothing refers to grants nothing, as the bundle does not contain it either.
 */
export type Rights = { read: string[]; write: string[]; insert: string[]; index: string[] };

type Verb = keyof Rights;
type Node = { type?: string; ctxt?: number; value?: unknown; [property: string]: unknown };
type Declaration = { file: string; name: string; node: Node };
type Import = { file: string | undefined; name: string };
type Module = { declarations: Map<string, Declaration>; imports: Map<string, Import> };
/** What a declaration contains, and what it refers to; `unnamed` is what it refers to in a sort key or an index. */
type Facts = { verbs: Set<Verb>; texts: Set<string>; refers: Set<Declaration>; unnamed: Set<Declaration> };
type Use = { verbs: Set<Verb>; partitions: Set<string> };

const COMMANDS: Record<string, Verb> = {
  GetCommand: 'read',
  BatchGetCommand: 'read',
  QueryCommand: 'read',
  PutCommand: 'write',
  UpdateCommand: 'write',
  DeleteCommand: 'write',
  BatchWriteCommand: 'write',
  BatchExecuteStatementCommand: 'insert',
};
/** Properties of requests; `keys` are those that the router reads. */
const PROPERTIES: Record<string, Verb> = {
  Put: 'write',
  Update: 'write',
  Delete: 'write',
  ConditionCheck: 'read',
  IndexName: 'index',
  keys: 'read',
};
/** They look like partition keys, and are none. */
const NO_PARTITION = ['SK', 'GSI1SK', 'GSI1PK'];

/** The scope of a module, in the syntax tree of SWC. Inner scopes have higher numbers. */
const MODULE = 2;

/** The partitions of the table and of its index, with `*` for each variable part. */
const shapeOf = (pattern: string) => pattern.replaceAll(/<[^>]+>/g, '*');
const PARTITIONS = new Set(KINDS.map(([, { PK }]) => shapeOf(PK)));
const INDEXED = new Set(KINDS.flatMap(([, { index = [] }]) => index.map(shapeOf)));

export function createRights(root: string) {
  const modules = new Map<string, Module>();
  const known = new Map<Declaration, Facts>();
  const uses = new Map<Declaration, Use>();
  const answers = new Map<string, Rights>();

  function moduleOf(file: string): Module {
    const found = modules.get(file);
    if (found) return found;
    const module: Module = { declarations: new Map(), imports: new Map() };
    modules.set(file, module);
    const code = readFileSync(join(root, file), 'utf8');
    const { body } = parseSync(code, { syntax: 'typescript', target: 'es2022' });
    for (const item of body as unknown as Node[]) {
      if (item.type === 'ImportDeclaration') addImports(module, file, item);
      else addDeclarations(module, file, item);
    }
    return module;
  }

  const declared = (file: string | undefined, name: string) =>
    file === undefined ? undefined : moduleOf(file).declarations.get(name);

  /** Follows imports of functions alone, and not those of the items, which are data. */
  function addImports({ imports }: Module, from: string, { source, specifiers }: Node): void {
    const path = resolved(from, textOf(source));
    const isCode = path?.startsWith('functions/') && !path.startsWith('functions/core/storage/items/');
    for (const { type, local, imported } of specifiers as Node[]) {
      const name = type === 'ImportNamespaceSpecifier' ? '*' : textOf(imported ?? local);
      imports.set(textOf(local), { file: isCode ? path : undefined, name });
    }
  }

  function factsOf(declaration: Declaration): Facts {
    const found = known.get(declaration);
    if (found) return found;
    const facts: Facts = { verbs: new Set(), texts: new Set(), refers: new Set(), unnamed: new Set() };
    known.set(declaration, facts);
    const { declarations, imports } = moduleOf(declaration.file);

    const visit = (node: unknown, isNamed: boolean): void => {
      if (Array.isArray(node)) for (const one of node) visit(one, isNamed);
      else if (typeof node === 'object' && node !== null) visitNode(node as Node, isNamed);
    };
    const refer = (to: Declaration | undefined, isNamed: boolean) => {
      if (to && to !== declaration) (isNamed ? facts.refers : facts.unnamed).add(to);
    };
    const visitNode = (node: Node, isNamed: boolean): void => {
      const { type = '', object, property, key } = node as Record<string, Node> & Node;
      const namespace = type === 'MemberExpression' && object?.ctxt === MODULE && imports.get(textOf(object));
      const name = type === 'Identifier' && node.ctxt === MODULE ? textOf(node) : undefined;
      if (type.startsWith('Ts')) visit(node.expression, isNamed);
      else if (namespace && namespace.name === '*') {
        refer(declared(namespace.file, textOf(property)), isNamed);
      } else if (type === 'KeyValueProperty' && key?.type === 'Identifier') {
        const verb = PROPERTIES[textOf(key)];
        if (verb) facts.verbs.add(verb);
        visit(node.value, isNamed && !NO_PARTITION.includes(textOf(key)));
      } else if (name !== undefined) {
        const { file, name: imported = '' } = imports.get(name) ?? {};
        const verb = imports.has(name) && COMMANDS[imported];
        if (verb) facts.verbs.add(verb);
        refer(imports.has(name) ? declared(file, imported) : declarations.get(name), isNamed);
      } else {
        const text = isNamed ? templateOf(node) : undefined;
        if (text) facts.texts.add(text);
        for (const [part, child] of Object.entries(node)) if (part !== 'span') visit(child, isNamed);
      }
    };
    visit(declaration.node, true);
    return facts;
  }

  function useOf(declaration: Declaration): Use {
    const found = uses.get(declaration);
    if (found) return found;
    const { verbs, texts, refers } = factsOf(declaration);
    const use = { verbs: new Set(verbs), partitions: new Set([...texts].flatMap(partitionsIn)) };
    uses.set(declaration, use);
    for (const other of [...refers].map(useOf)) {
      if (other.partitions.size === 0) for (const verb of other.verbs) use.verbs.add(verb);
      if (other.verbs.size === 0) for (const partition of other.partitions) use.partitions.add(partition);
    }
    return use;
  }

  function reached(from: Declaration, seen = new Set<Declaration>()): Set<Declaration> {
    if (seen.has(from)) return seen;
    seen.add(from);
    const { refers, unnamed } = factsOf(from);
    for (const other of [...refers, ...unnamed]) reached(other, seen);
    return seen;
  }

  /** The rights of the function with this entry file. `*` stands for any text. */
  return (entry: string): Rights => {
    const found = answers.get(entry);
    if (found) return found;
    const handler = moduleOf(entry).declarations.get('handler');
    if (!handler) throw new Error(`${entry} exports no handler`);
    const all = [...reached(handler)].map(useOf);
    const having = (verb: Verb, partitions: Set<string>) =>
      widest(
        all.flatMap(use =>
          use.verbs.has(verb) ? [...use.partitions].filter(partition => partitions.has(partition)) : [],
        ),
      );
    const rights = {
      read: having('read', PARTITIONS),
      write: having('write', PARTITIONS),
      insert: having('insert', PARTITIONS),
      index: having('index', INDEXED),
    };
    const answer = entry === PURGE ? withPurged(rights) : rights;
    answers.set(entry, answer);
    return answer;
  };
}

export const rightsOf = createRights(ROOT);

/** It deletes whatever it finds in the partitions of what is purged. */
const PURGE = 'functions/background/purge.ts';

function withPurged({ read, write, ...rights }: Rights): Rights {
  const purged = KINDS.flatMap(([, { purged, PK }]) =>
    purged.some(what => what === 'organization' || what === 'list') ? [shapeOf(PK)] : [],
  );
  return { ...rights, read: widest([...read, ...purged]), write: widest([...write, ...purged]) };
}

function addDeclarations({ declarations }: Module, file: string, item: Node): void {
  const node = (item.type === 'ExportDeclaration' ? item.declaration : item) as Node;
  const add = (name: string, of: Node) => declarations.set(name, { file, name, node: of });
  if (node.type === 'VariableDeclaration') {
    for (const one of node.declarations as Node[]) for (const name of namesIn(one.id)) add(name, one);
  } else if (node.body && node.identifier) add(textOf(node.identifier), node);
}

/** The names that a pattern declares, such as `a` and `b` of `[a, { b }]`. */
function namesIn(pattern: unknown): string[] {
  if (typeof pattern !== 'object' || pattern === null) return [];
  const { type } = pattern as Node;
  return type === 'Identifier' ? [textOf(pattern)] : Object.values(pattern).flatMap(namesIn);
}

const textOf = (node: unknown) => String((node as Node | undefined)?.value);

/** The text of a string or a template, with `*` for each expression. */
function templateOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return textOf(node);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join('*');
}

function resolved(from: string, path: string): string | undefined {
  if (path.startsWith('.')) return join(dirname(from), path);
  const [alias = '', ...rest] = path.split('/');
  const folder = Object.entries(packageJson.imports).find(([name]) => name === `${alias}/*`)?.[1];
  return folder && join(folder.replace('*', ''), ...rest);
}

const covers = (wide: string, other: string) => new RegExp(`^${wide.replaceAll('*', '.*')}$`).test(other);

/** The partitions that a text names: itself, or those that its variable parts may make it. */
const partitionsIn = (text: string): string[] =>
  /^[A-Z]+(#|$)/.test(text)
    ? [...new Set([...PARTITIONS, ...INDEXED])].filter(
        one => one === text || new RegExp(`^${text.replaceAll('*', '[^#*]+')}$`).test(one),
      )
    : [];

function widest(partitions: string[]): string[] {
  const once = [...new Set(partitions)];
  return once.filter(one => !once.some(wide => wide !== one && covers(wide, one))).sort();
}
