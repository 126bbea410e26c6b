import { invalid } from './errors.ts';

/** Names and indexes that lead to a value. A name may be a placeholder. */
export type Path = (string | number)[];
export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; name: string }
  | { kind: 'size'; path: Path }
  | { kind: 'if_not_exists'; path: Path; otherwise: Operand }
  | { kind: 'list_append'; first: Operand; second: Operand }
  | { kind: 'sum'; left: Operand; right: Operand; sign: 1 | -1 };
export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type Condition =
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'not'; of: Condition }
  | { kind: 'compare'; by: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; of: Operand; from: Operand; to: Operand }
  | { kind: 'in'; of: Operand; among: Operand[] }
  | { kind: 'exists'; path: Path; wanted: boolean }
  | { kind: 'begins_with' | 'contains' | 'attribute_type'; of: Operand; value: Operand };
export type Update = {
  set: { path: Path; value: Operand }[];
  remove: Path[];
  add: { path: Path; value: Operand }[];
  delete: { path: Path; value: Operand }[];
};

const TOKEN = /\s*(<>|<=|>=|[=<>()[\],.+-]|[#:]?[A-Za-z0-9_]+)/y;
const COMPARATORS = new Set(['=', '<>', '<', '<=', '>', '>=']);
const NAME = /^#?[A-Za-z0-9_]+$/;

class Parser {
  readonly #tokens: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const token = TOKEN.exec(text)?.[1];
      if (token === undefined) throw invalid(`Invalid expression: "${text}" at ${from}`);
      this.#tokens.push(token);
    }
  }

  /** Parses the whole text; anything left over is an error. */
  whole<T>(parse: () => T): T {
    const parsed = parse();
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return parsed;
  }

  #unexpected() {
    return invalid(`Invalid expression: "${this.#text}", near ${this.#peek() ?? 'its end'}`);
  }

  #peek = (): string | undefined => this.#tokens[this.#at];
  #isWord = (word: string, ahead = 0) => this.#tokens[this.#at + ahead]?.toUpperCase() === word;

  #take(token: string): boolean {
    if (!this.#isWord(token)) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#unexpected();
  }

  #next(matching: RegExp): string {
    const token = this.#peek();
    if (token === undefined || !matching.test(token)) throw this.#unexpected();
    this.#at++;
    return token;
  }

  #list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.#take(',')) found.push(one());
    return found;
  }

  condition = (): Condition => {
    let left = this.#conjunction();
    while (this.#take('OR')) left = { kind: 'or', left, right: this.#conjunction() };
    return left;
  };

  #conjunction(): Condition {
    let left = this.#negation();
    while (this.#take('AND')) left = { kind: 'and', left, right: this.#negation() };
    return left;
  }

  #negation(): Condition {
    if (this.#take('NOT')) return { kind: 'not', of: this.#negation() };
    if (this.#take('(')) {
      const condition = this.condition();
      this.#expect(')');
      return condition;
    }
    return this.#tokens[this.#at + 1] === '(' && !this.#isWord('SIZE') ? this.#test() : this.#comparison();
  }

  /** A function with a boolean result. */
  #test(): Condition {
    const name = this.#next(NAME);
    this.#expect('(');
    const test = this.#arguments(name);
    this.#expect(')');
    return test;
  }

  #arguments(name: string): Condition {
    switch (name) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        return { kind: 'exists', path: this.path(), wanted: name === 'attribute_exists' };
      case 'begins_with':
      case 'contains':
      case 'attribute_type': {
        const of = this.#operand();
        this.#expect(',');
        return { kind: name, of, value: this.#operand() };
      }
      default:
        throw invalid(`Invalid function name; function: ${name}`);
    }
  }

  #comparison(): Condition {
    const left = this.#operand();
    if (this.#take('BETWEEN')) {
      const from = this.#operand();
      this.#expect('AND');
      return { kind: 'between', of: left, from, to: this.#operand() };
    }
    if (this.#take('IN')) {
      this.#expect('(');
      const among = this.#list(this.#operand);
      this.#expect(')');
      return { kind: 'in', of: left, among };
    }
    const by = this.#peek();
    if (by === undefined || !COMPARATORS.has(by)) throw this.#unexpected();
    this.#at++;
    return { kind: 'compare', by: by as Comparator, left, right: this.#operand() };
  }

  #operand = (): Operand => {
    if (this.#peek()?.startsWith(':')) return { kind: 'value', name: this.#next(/^:/) };
    if (!this.#isWord('SIZE') || this.#tokens[this.#at + 1] !== '(')
      return { kind: 'path', path: this.path() };
    this.#at += 2;
    const path = this.path();
    this.#expect(')');
    return { kind: 'size', path };
  };

  path = (): Path => {
    const path: Path = [this.#next(NAME)];
    for (;;) {
      if (this.#take('.')) path.push(this.#next(NAME));
      else if (this.#take('[')) {
        path.push(Number(this.#next(/^\d+$/)));
        this.#expect(']');
      } else return path;
    }
  };

  projection = (): Path[] => this.#list(this.path);

  update = (): Update => {
    const update: Update = { set: [], remove: [], add: [], delete: [] };
    const seen = new Set<string>();
    while (this.#peek() !== undefined) {
      const clause = this.#next(NAME).toUpperCase();
      if (seen.has(clause)) throw invalid(`The "${clause}" section can only be used once`);
      seen.add(clause);
      if (clause === 'SET') update.set = this.#list(this.#assignment);
      else if (clause === 'REMOVE') update.remove = this.#list(this.path);
      else if (clause === 'ADD') update.add = this.#list(this.#operation);
      else if (clause === 'DELETE') update.delete = this.#list(this.#operation);
      else throw this.#unexpected();
    }
    return update;
  };

  #operation = () => ({ path: this.path(), value: this.#operand() });

  #assignment = () => {
    const path = this.path();
    this.#expect('=');
    const left = this.#term();
    const sign = this.#take('+') ? 1 : this.#take('-') ? -1 : undefined;
    const value: Operand = sign ? { kind: 'sum', left, right: this.#term(), sign } : left;
    return { path, value };
  };

  #term = (): Operand => {
    if (this.#tokens[this.#at + 1] !== '(') return this.#operand();
    const name = this.#next(NAME);
    this.#expect('(');
    const found = this.#function(name);
    this.#expect(')');
    return found;
  };

  #function(name: string): Operand {
    if (name !== 'if_not_exists' && name !== 'list_append') {
      throw invalid(`Invalid function name; function: ${name}`);
    }
    const [first, second] =
      name === 'if_not_exists' ? [this.path(), this.#afterComma()] : [this.#term(), this.#afterComma()];
    return Array.isArray(first)
      ? { kind: 'if_not_exists', path: first, otherwise: second }
      : { kind: 'list_append', first, second };
  }

  #afterComma(): Operand {
    this.#expect(',');
    return this.#term();
  }
}

/** Caches the parser of each text, as the product has few of them. */
function remembering<T>(parse: (parser: Parser) => () => T): (text: string) => T {
  const parsed = new Map<string, T>();
  return text => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const parser = new Parser(text);
    const found = parser.whole(parse(parser));
    parsed.set(text, found);
    return found;
  };
}

export const parseCondition = remembering(parser => parser.condition);
export const parseUpdate = remembering(parser => parser.update);
export const parseProjection = remembering(parser => parser.projection);
