import { ADDED } from '../recipient/recipient.ts';
import { deletePage, type Key, type Table } from '../table.store.ts';

export const SWEEP = 'SWEEP';

/** Where the sweep looks for what is due: a list and its column of dates. */
export type Source = { organization: number; list: string; column: string; automation: string };

/** One item for each list of an active automation, nothing but its key. */
export const sourceKey = (
  organization: number,
  list: string,
  column: string | null,
  automation: string,
): Key => ({ PK: SWEEP, SK: `${organization}#${list}#${column ?? ADDED}#${automation}` });

/** Deletes some of the sources in a deleted organization, or in one of its lists; true where there may be more. */
export const purgeSources = (table: Table, organization: number, list = '') =>
  deletePage(table, SWEEP, `${organization}#${list && `${list}#`}`);
