import type { Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import * as store from './switches.store.ts';

type Needs = { table: Table; now: Date; user?: string | undefined };

/**
 * The writes for the transaction that switches something, from which explanations later know why an email was not sent.
 * There are none if the switch stays as it is.
 */
export const switchWrites = (
  { table, now, user }: Needs,
  organizationId: number,
  what: store.Switch,
  { from, to }: { from: boolean; to: boolean },
): Write[] =>
  from === to
    ? []
    : [store.insertWrite(table, organizationId, { at: now.toISOString(), what, on: to, by: user })];

/** Stands for the operator, who stops all sending by a command. */
export const OPERATOR = 'operator';

/** The write for the transaction that stops or starts all sending, of an organization or, without one, of the whole stage. */
export const stopWrite = (
  table: Table,
  organizationId: number | undefined,
  { stopped_since, sending_since = '' }: store.Stop,
): Write => {
  const at = stopped_since ?? sending_since;
  const switched = { at, what: 'sending', on: stopped_since === undefined, by: OPERATOR } as const;
  return organizationId === undefined
    ? store.insertStageWrite(table, switched)
    : store.insertWrite(table, organizationId, switched);
};

/** The write for the transaction that changes the safeguards. */
export const safeguardsWrite = (
  { table, now, user }: Needs,
  organizationId: number,
  { enabled, ...limits }: SafeguardsChange,
): Write =>
  store.insertWrite(table, organizationId, {
    at: now.toISOString(),
    what: 'safeguards',
    on: enabled,
    limits,
    by: user,
  });
