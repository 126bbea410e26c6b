import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import {
  DATE_ORDERS,
  MOST_FILE_BYTES,
  MOST_FILE_COLUMNS,
  MOST_FILE_MEGABYTES,
  MOST_IMPORT_ROWS,
  MOST_ROWS_AT_ONCE,
  TARGETS,
} from './import-cells.ts';
import { ListMemberRow } from './list-member.ts';
import { faultOf, isDay, MOST_KEYS } from './metadata.ts';
import type { RouteTable } from './route.ts';
import { Sampled } from './simulation.ts';

const number = (called: string, least: number, most: number, tooMany?: string) => {
  const error = `${called} must be a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.gte(least, error), z.lte(most, tooMany ?? error));
};

// A text that may contain a link: the name of a file, or a source of consent.
const text = (required: string, called: string, longest: number) =>
  z.pipe(
    z.pipe(
      z.string({ error: required }),
      z.transform(raw => raw.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()),
    ),
    z
      .string()
      .check(
        z.minLength(1, required),
        z.maxLength(longest, `${called} must be at most ${longest} characters`),
      ),
  );

const LONGEST_COLUMN = 200;

const ImportColumn = z.object({
  /** Its position in the file, from 0, as two columns may have the same name. */
  position: number('position', 0, MOST_FILE_COLUMNS - 1),
  name: z
    .string({ error: 'The name of a column must be text' })
    .check(z.maxLength(LONGEST_COLUMN, `The name of a column must be at most ${LONGEST_COLUMN} characters`)),
  to: z.enum(TARGETS, { error: `A column must be one of: ${TARGETS.join(', ')}` }),
  key: z.optional(z.string()),
  dates: z.optional(z.enum(DATE_ORDERS, { error: `dates must be one of: ${DATE_ORDERS.join(', ')}` })),
});
export type ImportColumn = z.infer<typeof ImportColumn>;

export function faultOfColumns(columns: Pick<ImportColumn, 'to' | 'key'>[]): string | undefined {
  for (const target of TARGETS) {
    const count = columns.filter(({ to }) => to === target).length;
    if (target === 'email' && count === 0) return 'Choose the column that contains the email addresses';
    if (target !== 'metadata' && count > 1) return `Only one column can be ${target}`;
    if (count > MOST_KEYS) return `At most ${MOST_KEYS} columns can be imported as metadata`;
  }
  const keys = columns.flatMap(({ to, key = '' }) => (to === 'metadata' ? [key] : []));
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) return `Two columns are imported as ${twice || 'a key without a name'}`;
  for (const key of keys) {
    const fault = key === '' ? 'A column of metadata needs a key' : faultOf(key, '');
    if (fault) return key === '' ? fault : `${key}: ${fault}`;
    if (['email', 'is_subscribed'].includes(key)) return `${key} cannot be a key of metadata`;
  }
  return undefined;
}

const Columns = z.array(ImportColumn, { error: 'columns must be a list of columns' }).check(
  z.check(({ value, issues }) => {
    const message = faultOfColumns(value);
    if (message) issues.push({ code: 'custom', input: value, message });
  }),
);

const IMPORT_MODES = ['update', 'skip'] as const;
/** The status of people for whom no column says one. */
const IMPORTED_AS = ['subscribed', 'unsubscribed', 'bounce', 'complaint'] as const;
export type ImportedAs = (typeof IMPORTED_AS)[number];

const How = z.object({
  columns: Columns,
  mode: z._default(z.enum(IMPORT_MODES, { error: 'mode must be update or skip' }), 'update'),
  as: z._default(
    z.enum(IMPORTED_AS, { error: `as must be one of: ${IMPORTED_AS.join(', ')}` }),
    'subscribed',
  ),
  /** Of the members that it adds, automations mail those alone whose date, or its next anniversary, is later. */
  start_nothing: z._default(z.boolean({ error: 'start_nothing must be true or false' }), false),
});

const CONSENT_REQUIRED = 'Say how these people agreed to get your emails';
const LONGEST_SOURCE = 200;

const Consent = z.object({
  source: text(CONSENT_REQUIRED, 'The source of consent', LONGEST_SOURCE),
  date: z._default(z.nullable(z.string().check(z.refine(isDay, 'Enter a date such as 2026-01-31'))), null),
});

/** Whether the import must name the consent: it must if it may subscribe anyone. */
export const mustSayConsent = (as: ImportedAs, columns: Pick<ImportColumn, 'to'>[]) =>
  as === 'subscribed' || columns.some(({ to }) => to === 'is_subscribed');

/** It applies to all lists and for good, and needs the right `recipients:suppress`. */
export const isSuppressing = (as: ImportedAs, columns: Pick<ImportColumn, 'to'>[]) =>
  as === 'bounce' || as === 'complaint' || columns.some(({ to }) => to === 'suppression');
export const MAY_NOT_SUPPRESS =
  'Only an owner or admin can import people as bounced or complained, since no list mails them any more';

const LONGEST_FILE_NAME = 255;

export const NewImport = z
  .extend(How, {
    file_name: text('The name of the file is required', 'The name of the file', LONGEST_FILE_NAME),
    size: number('size', 1, MOST_FILE_BYTES, `A file can have at most ${MOST_FILE_MEGABYTES} MB`),
    fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'fingerprint must be 64 hexadecimal digits')),
    total_rows: number('total_rows', 1, MOST_IMPORT_ROWS, `A file can have at most ${MOST_IMPORT_ROWS} rows`),
    consent: z._default(z.nullable(Consent), null),
  })
  .check(
    z.check(({ value, issues }) => {
      if (value.consent || !mustSayConsent(value.as, value.columns)) return;
      issues.push({ code: 'custom', input: value, path: ['consent'], message: CONSENT_REQUIRED });
    }),
  );
export type NewImport = z.infer<typeof NewImport>;

/** `running` until all rows are stored. It is resumed by sending them. */
const IMPORT_STATES = ['running', 'done', 'cancelled', 'undoing', 'undone'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const ImportCounts = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  rejected: z.int(),
  stays_unsubscribed: z.int(),
});
export type ImportCounts = z.infer<typeof ImportCounts>;
export const NO_COUNTS: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  stays_unsubscribed: 0,
};

export const MemberImport = z.object({
  id: z.string(),
  email_list_id: z.string(),
  file_name: z.string(),
  size: z.int(),
  fingerprint: z.string(),
  columns: z.array(ImportColumn),
  mode: z.enum(IMPORT_MODES),
  as: z.enum(IMPORTED_AS),
  start_nothing: z.boolean(),
  consent: z.nullable(z.object({ source: z.string(), date: z.nullable(z.string()) })),
  state: z.enum(IMPORT_STATES),
  total_rows: z.int(),
  done_rows: z.int(),
  counts: ImportCounts,
  undo: z.nullable(
    z.object({ removed: z.int(), mailed: z.int(), stay_changed: z.int(), rows_left: z.int() }),
  ),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type MemberImport = z.infer<typeof MemberImport>;

/** Rows, each validated by itself: its cells, in the order of the columns of the import, or `twice`. */
const Rows = z
  .array(z.unknown(), { error: 'rows must be a list of rows' })
  .check(
    z.minLength(1, 'Send at least one row'),
    z.maxLength(MOST_ROWS_AT_ONCE, `At most ${MOST_ROWS_AT_ONCE} rows can be sent per call`),
  );
/** The number of the first of the rows; the first row of a file after its header is 1. */
const From = number('from', 1, MOST_IMPORT_ROWS);

export const ImportRows = z.object({ from: From, rows: Rows });
export type ImportRows = z.infer<typeof ImportRows>;

export const CheckedRows = z.extend(How, { from: From, rows: Rows });
export type CheckedRows = z.infer<typeof CheckedRows>;

/** Rows that would add or change members: all of them, or a random sample of `of` rows. */
export const ImportSample = z.extend(How, { rows: Rows, of: number('of', 1, MOST_IMPORT_ROWS) });
export type ImportSample = z.infer<typeof ImportSample>;

const Following = { next_24_hours: z.int(), next_30_days: z.int() };
/** How many emails follow from an import that would not be sent without it. */
export const ImportForecast = z.object({
  ...Following,
  automations: z.array(z.object({ id: z.string(), name: z.string(), ...Following })),
  /** Null if everyone was looked at. The margin applies to the thirty days. */
  sampled: z.nullable(Sampled),
});
export type ImportForecast = z.infer<typeof ImportForecast>;

export const ROW_STATUSES = ['created', 'updated', 'unchanged', 'skipped', 'rejected'] as const;

/** An error of a row. `column` is the name in the file; empty if the error is about the whole row. */
const RowError = z.object({ column: z.string(), reason: z.string() });
export type RowError = z.infer<typeof RowError>;

export const RowOutcome = z.object({
  row: z.int(),
  status: z.enum(ROW_STATUSES),
  stays_unsubscribed: z.optional(z.literal(true)),
  errors: z.optional(z.array(RowError)),
});
export type RowOutcome = z.infer<typeof RowOutcome>;

const ImportChange = z.object({
  state: z.literal('cancelled', { error: 'state can only be set to cancelled' }),
});

const Cursor = z.object({
  cursor: z.optional(
    z
      .string({ error: 'This cursor is not valid' })
      .check(z.regex(/^\d{1,7}\.\d{1,3}$/, 'This cursor is not valid')),
  ),
});

// biome-ignore format: a table of routes
export const memberImportRoutes = {
  'GET /api/email-lists/{list}/imports': { id: 'listImports', v1: true, permission: 'list-members:read',
    answer: z.array(MemberImport),
    summary: 'The imports of an email list, newest first' },
  'POST /api/email-lists/{list}/imports': { id: 'createImport', v1: true, permission: 'list-members:edit',
    body: NewImport, status: 201, answer: MemberImport,
    summary: 'Create an import; its rows are sent afterwards' },
  'POST /api/email-lists/{list}/imports/dry-run': { id: 'tryImportRows', v1: true, permission: 'list-members:read',
    budget: BUDGETS.importChecks, body: CheckedRows, answer: z.object({ results: z.array(RowOutcome) }),
    summary: 'What importing rows would do; nothing is stored' },
  'POST /api/email-lists/{list}/imports/forecast': { id: 'forecastImport', v1: true, permission: 'list-members:read',
    budget: BUDGETS.predictions, body: ImportSample, answer: ImportForecast,
    summary: 'Which emails would follow from importing rows; nothing is stored' },
  'GET /api/email-lists/{list}/imports/{memberImport}': { id: 'getImport', v1: true, permission: 'list-members:read',
    answer: MemberImport,
    summary: 'An import: how far it is, and what became of its rows' },
  'PUT /api/email-lists/{list}/imports/{memberImport}': { id: 'cancelImport', v1: true, permission: 'list-members:edit',
    body: ImportChange, answer: MemberImport,
    summary: 'End an import before all its rows are stored' },
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': { id: 'importRows', v1: true, permission: 'list-members:edit',
    body: ImportRows, answer: z.object({ import: MemberImport, results: z.array(RowOutcome) }),
    summary: 'Store the next rows of an import, as many of them as ten seconds allow; sending them again does no harm' },
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': { id: 'undoImport', v1: true, permission: 'list-members:edit',
    answer: MemberImport,
    summary: 'Remove some of the members that an import created, but for those who were changed since; repeat it while its state is undoing' },
  'GET /api/email-lists/{list}/imports/{memberImport}/members': { id: 'listImportMembers', v1: true, permission: 'list-members:read',
    query: Cursor, answer: z.object({ data: z.array(ListMemberRow), next_cursor: z.nullable(z.string()) }),
    summary: 'The members that an import created and that are still there' },
  'GET /api/email-lists/{list}/imports/{memberImport}/errors': { id: 'listImportErrors', v1: true, permission: 'list-members:read',
    query: Cursor,
    answer: z.object({ data: z.array(z.extend(RowError, { row: z.int() })), next_cursor: z.nullable(z.string()) }),
    summary: 'Why rows of an import were rejected' },
} as const satisfies RouteTable;
