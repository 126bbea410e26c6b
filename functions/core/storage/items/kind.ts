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
  /** The file that has its keys. No other one knows them. */
  store: string;
  /** An item without a purge is kept. */
  purged: readonly Purged[];
  stream?: Partial<Record<StreamReader, Changes>>;
  /** Only the projector writes its numbers. */
  counted?: true;
  /** Its numbers can be rebuilt from the items that they count. */
  rebuilt?: true;
  /** The partitions of GSI1 in which it is. */
  index?: readonly string[];
};
