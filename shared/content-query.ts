import * as z from 'zod/mini';
import { PARTS } from './email/content.ts';
import { LANGUAGES } from './email/language.ts';
import { LAST_PAGE, LONGEST_SEARCH } from './limits.ts';

/** How many assets, and how many templates, an organization may have. All of them are read for a search. */
export const MOST_CONTENT = 10_000;
export const CONTENT_PAGE = 100;

const LONGEST_CHOICE = 2_000;

const wholeNumber = (called: string, most: number) =>
  z.pipe(
    z
      .string({ error: `${called} must be a whole number` })
      .check(z.regex(/^[1-9]\d{0,8}$/, `${called} must be a whole number from 1 to ${most}`)),
    z.pipe(
      z.transform(Number),
      z.number().check(z.lte(most, `${called} must be a whole number from 1 to ${most}`)),
    ),
  );

const choice = (called: string, isOne: (value: string) => boolean) =>
  z.pipe(
    z.string().check(z.maxLength(LONGEST_CHOICE, `${called} is too long`)),
    z.transform((text, context) => {
      const values = [...new Set(text.split(',').filter(Boolean))];
      if (values.every(isOne)) return values;
      context.issues.push({
        code: 'custom',
        input: text,
        message: `${called} has a value that does not exist`,
      });
      return z.NEVER;
    }),
  );

const isId = (value: string) => /^[a-z0-9B]{1,32}$/.test(value);

const filters = {
  search: z.optional(
    z.string().check(z.maxLength(LONGEST_SEARCH, `search must be at most ${LONGEST_SEARCH} characters`)),
  ),
  status: z.optional(z.enum(['active', 'inactive'], { error: 'status must be active or inactive' })),
  automations: z.optional(choice('automations', isId)),
};
const paging = {
  page: z.optional(wholeNumber('page', LAST_PAGE)),
  per_page: z.optional(wholeNumber('per_page', CONTENT_PAGE)),
};

export const AssetsQuery = z.object({
  ...filters,
  ...paging,
  types: z.optional(choice('types', type => Object.hasOwn(PARTS, type))),
});
export type AssetsQuery = z.infer<typeof AssetsQuery>;

const languages = z.optional(choice('languages', code => Object.hasOwn(LANGUAGES, code)));
export const TemplatesSummaryQuery = z.object({ ...filters, languages });
export const TemplatesQuery = z.object({ ...filters, ...paging, languages });
export type TemplatesQuery = z.infer<typeof TemplatesQuery>;
