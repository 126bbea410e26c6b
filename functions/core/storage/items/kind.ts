/** What reads the stream of the table. */
export type StreamReader = 'projector' | 'dispatcher';

/** Which changes of an item a reader of the stream takes: without more, all of them. */
export type Changes = {
  events?: readonly ('INSERT' | 'MODIFY' | 'REMOVE')[];
  /** What the item must say after the change: one of these values of each field. */
  image?: Readonly<Record<string, readonly string[]>>;
};

/** With what an item is deleted; `ttl`: by DynamoDB, days late at worst. */
export type Purged = 'organization' | 'list' | 'person' | 'ttl';

/** A kind of item: all that is said of it outside its store. */
export type ItemKind = {
  /** What it is, for docs/table.md. */
  item: string;
  /** The keys; what stands in angle brackets varies. */
  PK: string;
  SK: string;
  /** Below functions/core: no other file knows the keys. */
  store: string;
  /** Whatever is not purged stays. */
  purged: readonly Purged[];
  stream?: Partial<Record<StreamReader, Changes>>;
  /** Its numbers are counted by the projector, and nobody else. */
  counted?: true;
  /** Its numbers can be counted anew, from the items they are counted of. */
  rebuilt?: true;
  /** The functions that read it and write it, by their files below functions/. A condition on another item is a read. */
  read: readonly string[];
  written: readonly string[];
  /** The partitions of GSI1 that it is in, and who queries them. */
  index?: Readonly<Record<string, readonly string[]>>;
};

/** Those that read the session of their caller, and extend it. */
export const WITH_SESSION = [
  'api/automation',
  'api/automation-content',
  'api/dry-run',
  'api/email-asset',
  'api/email-send',
  'api/email-template',
  'api/erasure',
  'api/explanation',
  'api/export',
  'api/home',
  'api/invitation',
  'api/list',
  'api/list-member',
  'api/login',
  'api/member',
  'api/member-import',
  'api/organization',
  'api/reporting',
  'api/safeguards',
  'api/token',
  'api/unsubscribe-webhook',
  'api/user',
] as const;

const ABOUT_NO_ORGANIZATION: readonly string[] = ['api/login', 'api/token', 'api/user'];
/** Those whose callers act in an organization. */
export const IN_ORGANIZATION = [
  ...WITH_SESSION.filter(name => !ABOUT_NO_ORGANIZATION.includes(name)),
  'api/v1',
];

/** Those that send packs, or end them. */
export const SENDERS = ['sending/sender', 'sending/dead-packs'] as const;
/** Those that change memberships: a request, a link of an email, an event of the provider. */
export const MEMBERSHIP_WRITERS = [
  'api/erasure',
  'api/list-member',
  'api/member-import',
  'api/v1',
  'sending/provider-events',
  'tracking/unsubscribe',
] as const;
export const PURGE = 'background/purge';
/** What tells webhooks. */
export const WEBHOOKS = 'background/unsubscribe-webhook';
