import * as z from 'zod/mini';
import { domainOf, normalizeAddress, normalizeDomain } from './address.ts';
import { BUDGETS } from './budgets.ts';
import { DEFAULT_PROVIDER, PROVIDERS } from './providers.ts';
import { ReplyTo } from './reply-to.ts';
import { MOST_LOGO_REQUEST_BYTES, type RouteTable } from './route.ts';
import { line, optionalLine } from './text.ts';
import { TimeZone } from './time-fields.ts';
import { UNSUBSCRIBE_WORDS, type UnsubscribeWord } from './unsubscribe-words.ts';

const ConnectionStatus = z.object({
  last_tested_at: z.nullable(z.iso.datetime()),
  /** Null until the connection is tested after a change of the key, its region or the domain. */
  connection_valid: z.nullable(z.boolean()),
});

export const REGIONS = ['us', 'eu'] as const;
const Region = z.enum(REGIONS, { error: 'Region must be us or eu' });
export type Region = z.infer<typeof Region>;

const Provider = z.enum(PROVIDERS, { error: `Provider must be ${PROVIDERS.join(' or ')}` });

const WarmUpSwitch = z.enum(['on', 'off'], { error: 'Warm-up must be on or off' });

/** Returned instead of a stored key. In a request, it leaves the key unchanged. */
export const DEFINED = 'Defined';
const ReadKey = z.nullable(z.literal(DEFINED));

export const ListSummary = z.object({
  id: z.string(),
  /** The name for users of the product. Recipients do not see it. */
  name: z.string(),
  public_name: z.nullable(z.string()),
  domain: z.string(),
  active: z.boolean(),
  members_count: z.int(),
});
export type ListSummary = z.infer<typeof ListSummary>;

export const EmailList = z.extend(ListSummary, {
  logo: z.nullable(z.string()),
  time_zone: z.nullable(z.string()),
  sender_name: z.string(),
  sender_address: z.string(),
  unsubscribe_text: z.string(),
  /** Where answers go; without it, to the sender. */
  reply_to: z.nullable(z.string()),
  provider: Provider,
  /** Takes what the first one certainly did not send. */
  second_provider: z.nullable(Provider),
  /** Whether its domain is verified as that of the organization, for a provider that asks for it. */
  domain_verified: z.boolean(),
  warm_up: WarmUpSwitch,
  /** Of the present UTC day; null without a warm-up. */
  warm_up_progress: z.nullable(
    z.object({ step: z.int(), steps: z.int(), most_today: z.int(), sent_today: z.int() }),
  ),
  mailgun_sending_key: ReadKey,
  mailgun_webhook_signing_key: ReadKey,
  mailgun_region: Region,
  mailgun_connection_status: ConnectionStatus,
  provider_events_url: z.string(),
  total_members: z.int(),
  subscribed_members: z.int(),
  unsubscribed_members: z.int(),
  created_at: z.iso.datetime(),
});
export type EmailList = z.infer<typeof EmailList>;

const LONGEST_NAME = 100;

const words: readonly string[] = UNSUBSCRIBE_WORDS.map(({ word }) => word);
const Word = z
  .string({ error: 'Choose one of the languages for the unsubscribe text' })
  .check(z.refine(word => words.includes(word), 'Choose one of the languages for the unsubscribe text'));

/** A string, normalized by `read`. The message is `fault` if `read` refuses it. */
const normal = (required: string, fault: string, read: (raw: string) => string | undefined) =>
  z.pipe(
    z.string({ error: required }).check(z.refine(raw => raw.trim() !== '', { error: required, abort: true })),
    z.transform((raw, context) => {
      const value = read(raw);
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', input: raw, message: fault });
      return z.NEVER;
    }),
  );

/** Reads a domain, also from a URL, as it is often copied from a browser. */
const domainIn = (raw: string) =>
  normalizeDomain(
    raw
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/[/?#].*$/s, '')
      .replace(/\.$/, ''),
  );

export const Domain = normal('Domain is required', 'Enter a domain such as example.com', domainIn);

const fields = {
  name: line('List name is required', 'List name', LONGEST_NAME),
  public_name: optionalLine('Public name', LONGEST_NAME),
  domain: Domain,
  sender_name: line('Sender name is required', 'Sender name', LONGEST_NAME),
  sender_address: normal('Sender email address is required', 'Enter a valid email address', normalizeAddress),
  unsubscribe_text: Word,
  time_zone: z.nullable(TimeZone),
  reply_to: ReplyTo,
  provider: Provider,
  second_provider: z.nullable(Provider),
  warm_up: WarmUpSwitch,
  active: z.boolean({ error: 'Active must be true or false' }),
};

export const SAME_PROVIDER = 'The second provider must be another one than the first';

export const domainMismatch = (domain: string) => `Email domain must match the list domain (${domain})`;

export const sendsFrom = (address: string, domain: string) => domainOf(address) === domain;

export const publicNameOf = ({
  public_name,
  sender_name,
  sender_address,
}: {
  public_name?: string | null | undefined;
  sender_name: string;
  sender_address: string;
}) => public_name || sender_name || sender_address;

export const NewList = z
  .object({
    ...fields,
    public_name: z._default(fields.public_name, null),
    time_zone: z._default(fields.time_zone, null),
    reply_to: z._default(fields.reply_to, null),
    provider: z._default(fields.provider, DEFAULT_PROVIDER),
    second_provider: z._default(fields.second_provider, null),
    warm_up: z._default(fields.warm_up, 'off'),
    unsubscribe_text: z._default(Word, 'Unsubscribe' satisfies UnsubscribeWord),
    active: z._default(fields.active, true),
  })
  .check(
    z.check(({ value, issues }) => {
      const fault = (path: string, message: string) =>
        issues.push({ code: 'custom', input: value, path: [path], message });
      if (!sendsFrom(value.sender_address, value.domain))
        fault('sender_address', domainMismatch(value.domain));
      if (value.second_provider === value.provider) fault('second_provider', SAME_PROVIDER);
    }),
  );
export type NewList = z.infer<typeof NewList>;

/** Fields of the form. Whether sender and domain match is checked with the stored list. */
export const ListChange = z.partial(z.object(fields));
export type ListChange = z.infer<typeof ListChange>;

const LONGEST_KEY = 256;
const secretText = (called: string) =>
  z.pipe(
    z.pipe(
      z.string({ error: `${called} is required` }),
      z.transform(text => text.trim()),
    ),
    z.string().check(
      z.minLength(1, `${called} is required`),
      z.maxLength(LONGEST_KEY, `${called} must be at most ${LONGEST_KEY} characters`),
      // The key is sent in a header.
      z.regex(/^[\x21-\x7e]*$/, `${called} must not contain spaces or special characters`),
    ),
  );

export const SendingKeyChange = z.object({
  mailgun_sending_key: z.optional(z.nullable(secretText('Sending key'))),
  mailgun_webhook_signing_key: z.optional(z.nullable(secretText('Webhook signing key'))),
  mailgun_region: z.optional(Region),
});
export type SendingKeyChange = z.infer<typeof SendingKeyChange>;

const SendingKeyChanged = z.object({ success: z.literal(true), hasKey: z.boolean() });

export const ConnectionTest = z.object({
  /** Whether the test had a result. Without one, the result of the test before is kept. */
  success: z.boolean(),
  message: z.string(),
  testedAt: z.nullable(z.iso.datetime()),
  connectionValid: z.nullable(z.boolean()),
});
export type ConnectionTest = z.infer<typeof ConnectionTest>;

export const LOGO_WRONG_TYPE = 'Only JPEG and PNG images are allowed';
const ListLogoChange = z.object({ logo: z.nullable(z.string({ error: LOGO_WRONG_TYPE })) });
const ListLogoChanged = z.object({
  success: z.literal(true),
  /** The image as a data URL. The `logo` of the list is the path at which it is served. */
  logoBase64: z.nullable(z.string()),
});

export const DatetimeColumns = z.object({
  columns: z.array(z.string()),
  stats: z.record(z.string(), z.int()),
});
export type DatetimeColumns = z.infer<typeof DatetimeColumns>;

// biome-ignore format: a table of routes
export const listRoutes = {
  'GET /api/email-lists': { id: 'listEmailLists', permission: 'lists:read', answer: z.array(EmailList),
    summary: 'The email lists of the active organization' },
  'POST /api/email-lists': { id: 'createEmailList', v1: true, permission: 'lists:edit',
    body: NewList, status: 201, answer: EmailList,
    summary: 'Create an email list' },
  'GET /api/email-lists/{list}': { id: 'getEmailList', v1: true, permission: 'lists:read', answer: EmailList,
    summary: 'An email list with its counts' },
  'PUT /api/email-lists/{list}': { id: 'updateEmailList', v1: true, permission: 'lists:edit', switches: true,
    body: ListChange, answer: EmailList,
    summary: 'Change an email list, activate or deactivate it' },
  'DELETE /api/email-lists/{list}': { id: 'deleteEmailList', v1: true, permission: 'lists:edit',
    summary: 'Delete an email list with its members' },
  'PUT /api/email-lists/{list}/logo': { id: 'setEmailListLogo', v1: true, permission: 'lists:edit', scope: 'content',
    body: ListLogoChange, mostBytes: MOST_LOGO_REQUEST_BYTES, answer: ListLogoChanged,
    summary: 'Set or remove the logo of an email list' },
  'PUT /api/email-lists/{list}/mailgun-key': { id: 'setSendingKey', permission: 'sending-key:edit',
    body: SendingKeyChange, answer: SendingKeyChanged,
    summary: 'Set, replace or remove the sending key of an email list' },
  'POST /api/email-lists/{list}/test-mailgun-connection': { id: 'testSendingKey', permission: 'sending-key:edit',
    budget: BUDGETS.connectionTests, answer: ConnectionTest,
    summary: 'Ask the provider whether the sending key is valid for the domain' },
  'GET /api/email-lists/{list}/datetime-metadata-columns': { id: 'listDatetimeColumns', v1: true, permission: 'lists:read',
    answer: DatetimeColumns,
    summary: 'The metadata columns of an email list that hold dates' },
} as const satisfies RouteTable;
