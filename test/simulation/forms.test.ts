import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseCondition, parseProjection, parseUpdate } from './table/parser.ts';

const PARSERS = {
  KeyConditionExpression: parseCondition,
  ConditionExpression: parseCondition,
  FilterExpression: parseCondition,
  condition: parseCondition,
  UpdateExpression: parseUpdate,
  ProjectionExpression: parseProjection,
};
const LITERAL = /\b(\w*Expression|condition): (?:'([^']*)'|`([^`]*)`)/g;

type Form = { file: string; kind: keyof typeof PARSERS; text: string };

/** The expressions in the source: literals, and templates with other text in them. */
const forms = globSync('functions/core/**/*.ts').flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(LITERAL)].map(
    ([, kind, literal, template]): Form => ({
      file,
      kind: kind as Form['kind'],
      text: literal ?? template ?? '',
    }),
  ),
);

/** The values of expressions that contain templates themselves. */
const NESTED: Record<string, string> = {
  'functions/core/storage/write.store.ts': 'ADD #count :count,#other :other',
  'functions/core/organization/organization.store.ts': '#role IN (:role_0, :role_1)',
  'functions/core/organization/invitation-limits.ts':
    'SET mail_2 = if_not_exists(mail_1, :never), mail_1 = :now',
};
const isNested = (text: string) => text.includes('=>') || text.split('${').length > text.split('}').length;

/** A template with a possible value in each gap. */
const filled = (text: string, other: string) =>
  text.replace(/([#:_]?)\$\{[^}]*\}/g, (_, before: string) => (before ? `${before}x` : other));

const FILLINGS = ['attribute_exists(PK)', 'x', 'SET x = :x', ' AND SK = :x', ''];

it('the table of the simulation parses each expression of the product', () => {
  expect(forms.length).toBeGreaterThan(25);
  const refused = forms.filter(({ file, kind, text }) => {
    const parses = (filling: string) => {
      try {
        PARSERS[kind](isNested(text) ? (NESTED[file] ?? '') : filled(text, filling));
        return true;
      } catch {
        return false;
      }
    };
    return !FILLINGS.some(parses);
  });
  expect(refused).toEqual([]);
});
