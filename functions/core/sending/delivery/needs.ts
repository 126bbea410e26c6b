import type * as list from '../../list/list/list.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Pack } from '../pack/pack.ts';
import type { Post } from './post.ts';

export type Needs = {
  table: Table;
  now: () => Date;
  /** Whether this process still has the time to begin something that has to be finished. */
  hasTime: () => boolean;
  post: Post;
  vault: list.Vault;
  /** Queues a pack; so many seconds later, it is delivered. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
  publicUrl: string;
  /** Signs the links of emails. */
  trackingKey: () => Promise<string>;
};
