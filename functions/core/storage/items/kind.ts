/** The functions that read the stream of the table. */
export type StreamReader = 'projector' | 'dispatcher';

/** Which changes of an item a reader of the stream handles. An empty object means all of them. */
export type Changes = {
  events?: readonly ('INSERT' | 'MODIFY' | 'REMOVE')[];
  /** The fields that the item must have after the change, each with one of these values. */
  image?: Readonly<Record<string, readonly string[]>>;
};

/** What an item is deleted together with. With `ttl`, DynamoDB deletes it, at worst days late. */
export type Purged = 'organization' | 'list' | 'person' | 'ttl';

/** A kind of item, with everything that code outside its store knows of it. */
export type ItemKind = {
  /** The description of the item in docs/table.md. */
  item: string;
  /** The keys. The parts in angle brackets are variable. */
  PK: string;
  SK: string;
  /** The store, below functions/core. No other file knows the keys. */
  store: string;
  /** An item without a purge is kept. */
  purged: readonly Purged[];
  stream?: Partial<Record<StreamReader, Changes>>;
  /** Only the projector writes its numbers. */
  counted?: true;
  /** Its numbers can be rebuilt from the items that they count. */
  rebuilt?: true;
  /**
   * The functions that read it, and those that write it, by their files below functions/. A condition on another item
   * counts as a read.
   */
  read: readonly string[];
  written: readonly string[];
  /** The partitions of GSI1 in which it is, and the functions that query them. */
  index?: Readonly<Record<string, readonly string[]>>;
};

/** The functions that read the session of their caller, and extend it. */
export const WITH_SESSION = [
  'api/automation',
  'api/content',
  'api/automation',
  'api/content',
  'api/email-send',
  'api/content',
  'api/list-member',
  'api/list-member',
  'api/list-member',
  'api/organization',
  'api/member',
  'api/list',
  'api/list-member',
  'api/login',
  'api/member',
  'api/member-import',
  'api/organization',
  'api/reporting',
  'api/organization',
  'api/user',
  'api/unsubscribe-webhook',
  'api/user',
] as const;

const ABOUT_NO_ORGANIZATION: readonly string[] = ['api/login', 'api/user', 'api/user'];
/** The functions whose callers act in an organization. */
export const IN_ORGANIZATION = [
  ...WITH_SESSION.filter(name => !ABOUT_NO_ORGANIZATION.includes(name)),
  'api/v1',
];

/** The functions that send packs, or end them. */
export const SENDERS = ['sending/sender', 'sending/dead-packs'] as const;
/** The functions that change memberships: for a request, a link in an email, or an event of the provider. */
export const MEMBERSHIP_WRITERS = [
  'api/list-member',
  'api/list-member',
  'api/member-import',
  'api/v1',
  'sending/provider-events',
  'tracking/unsubscribe',
] as const;
export const PURGE = 'background/purge';
/** The function that delivers to webhooks. */
export const WEBHOOKS = 'background/unsubscribe-webhook';
