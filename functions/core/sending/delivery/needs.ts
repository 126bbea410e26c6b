import type * as list from '../../list/list/list.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Pack } from '../pack/pack.ts';
import type { Provider } from '../provider/provider.ts';

/** Requests to the table. */
export const MOST_AT_ONCE = 20;

export type Needs = {
  table: Table;
  now: () => Date;
  /** Names this process: no other one has the same name. */
  holder: string;
  /** In milliseconds, until this process is killed. */
  timeLeft: () => number;
  provider: Pick<Provider, 'post'>;
  vault: Pick<list.Vault, 'open'>;
  /** Queues a pack; so many seconds later, it is delivered. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
  publicUrl: string;
  /** Signs the links of emails. */
  trackingKey: () => Promise<string>;
  /** Something failed that is tried again. */
  failed: (what: string, error: unknown) => void;
};
