export type StreamReader = 'projector' | 'dispatcher';

/** Which changes of an item a reader of the stream handles. An empty object means all of them. */
export type Changes = {
  events?: readonly ('INSERT' | 'MODIFY' | 'REMOVE')[];
  /** The fields that the item must have after the change, each with one of these values. */
  image?: Readonly<Record<string, readonly string[] | readonly boolean[]>>;
};

/** What an item is deleted together with. With `ttl`, DynamoDB deletes it, at worst days late. */
export type Purged = 'organization' | 'list' | 'person' | 'ttl';

export type ItemKind = {
  item: string;
  /** The keys. The parts in angle brackets are variable. */
  PK: string;
  SK: string;
  /** The file that has its keys. No other one knows them. */
  store: string;
  purged: readonly Purged[];
  stream?: Partial<Record<StreamReader, Changes>>;
  /** Only the projector writes its numbers. */
  counted?: true;
  rebuilt?: true;
  index?: readonly string[];
};
