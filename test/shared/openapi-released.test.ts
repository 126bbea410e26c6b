import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { document } from '#functions/http/openapi.ts';
import { type Call, groupsOf } from '#shared/reference/calls.ts';
import type { Field } from '#shared/reference/fields.ts';
import type { OpenApi } from '#shared/reference/openapi.ts';

/** What a program relies on, of each call: a field is its type, with `!` where it is required, or always answered. */
type Compact = {
  id: string;
  scope?: string;
  /** Whether it needs `sending` as well, where it switches something on or off. */
  switches?: true;
  status: string;
  takes: Fields;
  /** Of what it takes, where there are any. */
  limits: Record<string, string[]>;
  answers: Fields;
};
type Fields = Record<string, string>;
type Released = { version: string; calls: Record<string, Compact> };

const FILE = 'test/shared/openapi-released.json';
const released: Released = JSON.parse(readFileSync(FILE, 'utf8'));

const compactFields = (fields: Field[], place = '') =>
  fields.map(({ name, type, required }) => [`${place}${name}`, `${type}${required ? '!' : ''}`] as const);

const limitsOf = (fields: Field[], place: string) =>
  fields.flatMap(({ name, limits }) => (limits.length > 0 ? [[`${place}${name}`, limits] as const] : []));

const compactCall = ({ id, scope, description, parameters, body, answer }: Call): Compact => ({
  id,
  ...(scope && { scope }),
  ...(/needs the scope `sending` as well/.test(description) && { switches: true }),
  status: answer.status,
  takes: Object.fromEntries([
    ...parameters.flatMap(one => compactFields([one], `${one.in} `)),
    ...compactFields(body?.fields ?? [], 'body '),
  ]),
  limits: Object.fromEntries([
    ...parameters.flatMap(one => limitsOf([one], `${one.in} `)),
    ...limitsOf(body?.fields ?? [], 'body '),
  ]),
  answers: Object.fromEntries(compactFields(answer.fields)),
});

const calls = groupsOf(document as unknown as OpenApi).flatMap(group => group.calls);
const present: Released = {
  version: document.info.version,
  calls: Object.fromEntries(
    calls
      .filter(({ credential }) => credential === 'token')
      .map(call => [`${call.method} ${call.path}`, compactCall(call)]),
  ),
};

const RANGE =
  /^(?<each>each )?(?:(?<only>at least|at most) )?(?<a>-?[\d,]+)(?: to (?<b>-?[\d,]+))?(?<unit> \w+)?$/;

type Range = { of: string; least: number; most: number };

/** Undefined of a pattern, and of the values to choose from. */
function rangeIn(limit: string): Range | undefined {
  const { each = '', only, a = '', b, unit = '' } = RANGE.exec(limit)?.groups ?? {};
  const [first, last] = [a, b ?? ''].map(text => Number(text.replaceAll(',', '')));
  if (a === '' || (only === undefined && b === undefined)) return undefined;
  const of = `${each}${unit}`;
  if (only === 'at most') return { of, least: Number.NEGATIVE_INFINITY, most: first ?? 0 };
  return { of, least: first ?? 0, most: only ? Number.POSITIVE_INFINITY : (last ?? 0) };
}

const isChoice = (limit: string) => !rangeIn(limit) && !/^(each )?matches /.test(limit);
const choicesIn = (limit: string) => limit.replace(/^each /, '').split(', ');

/** Whether something that was taken would be refused now. */
const isNarrower = (was: string[], is: string[]) =>
  is.some(limit => {
    if (was.includes(limit)) return false;
    const now = rangeIn(limit);
    if (now) {
      const before = was.map(rangeIn).find(range => range?.of === now.of);
      return !before || now.least > before.least || now.most < before.most;
    }
    const before = isChoice(limit) ? was.find(isChoice) : undefined;
    return !before || !choicesIn(before).every(choice => choicesIn(limit).includes(choice));
  });

/** What a program that was written for the one document finds broken in the other. */
function breaksOf(before: Released, after: Released): string[] {
  return Object.entries(before.calls).flatMap(([key, was]) => {
    const is = after.calls[key];
    if (!is) return [`${key} is gone`];
    const facts = (['id', 'scope', 'switches', 'status'] as const).filter(fact => was[fact] !== is[fact]);
    const lost = (side: 'takes' | 'answers') =>
      Object.entries(was[side]).flatMap(([name, type]) => {
        const now = is[side][name];
        // What is answered may become certain, and what is taken optional.
        const [weaker, stronger] = side === 'takes' ? [now, type] : [type, now];
        if (now === undefined) return [`${key} ${side} no ${name}`];
        return weaker === stronger || `${weaker}!` === stronger ? [] : [`${key} ${side} ${name} as ${now}`];
      });
    const narrowed = Object.entries(is.limits).flatMap(([name, limits]) =>
      name in was.takes && isNarrower(was.limits[name] ?? [], limits)
        ? [`${key} takes ${name} as ${limits.join('; ')}`]
        : [],
    );
    const demanded = Object.entries(is.takes).flatMap(([name, type]) =>
      type.endsWith('!') && !(name in was.takes) && !isWithin(name, was.takes)
        ? [`${key} requires ${name}`]
        : [],
    );
    return [
      ...facts.map(fact => `${key} has another ${fact}`),
      ...lost('takes'),
      ...lost('answers'),
      ...narrowed,
      ...demanded,
    ];
  });
}

/** Whether a field belongs to an object that is new as well, and that may be left out. */
const isWithin = (name: string, fields: Fields) => {
  const [parent = ''] = /^.*(?=\.)/.exec(name) ?? [];
  return parent !== '' && !(parent.replace(/(\[\])+$/, '') in fields);
};

// RELEASED=1 npx vitest run test/shared/openapi-released.test.ts, once a release has the version.
if (process.env.RELEASED) {
  const lines = Object.entries(present.calls).map(
    ([key, call]) => `    ${JSON.stringify(key)}: ${JSON.stringify(call)}`,
  );
  writeFileSync(FILE, `{\n  "version": "${present.version}",\n  "calls": {\n${lines.join(',\n')}\n  }\n}\n`);
}

it('the OpenAPI document breaks no program that was written for the last released one', () => {
  expect(breaksOf(released, present)).toEqual([]);
});

it('a document that differs from the released one has a version of its own', () => {
  expect(isDeepStrictEqual(present.calls, released.calls)).toBe(present.version === released.version);
});

it('the changelog tells of the version of the document', () => {
  const [, newest] = /^## (.+)$/m.exec(readFileSync('docs/api-changelog.md', 'utf8')) ?? [];
  expect(newest).toBe(present.version);
});

type Change = (call: Compact, calls: Released['calls']) => void;

it.each<[string, Change, string[]]>([
  ['a call that is gone', (_, all) => delete all['PUT /api/v1/look'], ['PUT /api/v1/look is gone']],
  [
    'a field that is answered no longer',
    ({ answers }) => delete answers['look.accent'],
    ['answers no look.accent'],
  ],
  [
    'a field that may be missing now',
    ({ answers }) => {
      answers.look = 'object';
    },
    ['answers look as object'],
  ],
  [
    'a field of another type',
    ({ answers }) => {
      answers.look = 'text!';
    },
    ['answers look as text!'],
  ],
  [
    'a field that is taken no longer',
    ({ takes }) => delete takes['body look.links[].url'],
    ['takes no body look.links[].url'],
  ],
  [
    'a limit that is lower',
    ({ limits }) => {
      limits['body look.links'] = ['at most 5 entries'];
    },
    ['takes body look.links as at most 5 entries'],
  ],
  [
    'a value that is taken no longer',
    ({ limits }) => {
      limits['body look.shape'] = ['"square", "rounded"'];
    },
    ['takes body look.shape as "square", "rounded"'],
  ],
  [
    'a limit where there was none',
    ({ limits }) => {
      limits['body look'] = ['at least 1 entries'];
    },
    ['takes body look as at least 1 entries'],
  ],
  [
    'a higher limit, and one more value',
    ({ limits }) => {
      limits['body look.links'] = ['at most 7 entries'];
      limits['body look.shape'] = ['"square", "rounded", "pill", "cut"'];
    },
    [],
  ],
  [
    'a field that becomes required',
    ({ takes }) => {
      takes['body look.accent'] = 'text!';
    },
    ['takes body look.accent as text!'],
  ],
  [
    'a new field that is required',
    ({ takes }) => {
      takes['body reason'] = 'text!';
    },
    ['requires body reason'],
  ],
  [
    'a new parameter that is required',
    ({ takes }) => {
      takes['query as'] = 'text!';
    },
    ['requires query as'],
  ],
  [
    'a scope that tokens lack',
    call => {
      call.scope = 'sending';
    },
    ['has another scope'],
  ],
  [
    'a switch that needs one more scope',
    call => {
      call.switches = true;
    },
    ['has another switches'],
  ],
  [
    'another name',
    call => {
      call.id = 'setLook';
    },
    ['has another id'],
  ],
  [
    'a new field that is optional',
    ({ takes }) => {
      takes['body reason'] = 'text';
    },
    [],
  ],
  [
    'a new object with a field that it needs',
    ({ takes }) => {
      takes['body more'] = 'object';
      takes['body more.id'] = 'text!';
    },
    [],
  ],
  [
    'a new answer',
    ({ answers }) => {
      answers.more = 'text!';
    },
    [],
  ],
  [
    'a new call',
    (call, all) => {
      all['GET /api/v1/new'] = call;
    },
    [],
  ],
])('%s is found where it breaks a program', (_, change, found) => {
  const changed = structuredClone(present);
  const call = changed.calls['PUT /api/v1/look'];
  if (!call) throw new Error('There is no PUT /api/v1/look');
  change(call, changed.calls);
  expect(breaksOf(present, changed)).toEqual(found.map(text => expect.stringContaining(text)));
});
