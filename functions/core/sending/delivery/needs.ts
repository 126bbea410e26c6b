import type * as list from '#core/list/sending-key.ts';
import type { Provider } from '#core/provider.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Pack } from '../pack.ts';

/** Parallel requests to the table. */
export const MOST_AT_ONCE = 20;

export type Needs = {
  table: Table;
  now: () => Date;
  /** A unique name of this process. */
  holder: string;
  /** Milliseconds until this process is killed. */
  timeLeft: () => number;
  provider: Pick<Provider, 'post'>;
  vault: Pick<list.Vault, 'open'>;
  /** Queues a pack with a delay in seconds. */
  queue: (pack: Pack, seconds: number) => Promise<void>;
  publicUrl: string;
  /** Signs the links of emails. */
  trackingKey: () => Promise<string>;
  /** Reports a failure that is retried. */
  failed: (what: string, error: unknown) => void;
};
