import { gunzipSync, gzipSync } from 'node:zlib';
import { invalid } from '#core/refusal.ts';
import { deletePage, epochSeconds, fromItem, get, type Table } from '#core/storage/table.store.ts';
import { putItem, updateWrite, type Write } from '#core/storage/write.store.ts';
import type { Action, Scope } from '#shared/permissions.ts';
import type { DesiredState, PlanEffect, PlannedChange, Reached } from '#shared/plan.ts';
import { DAY } from '#shared/time.ts';
import type { Seen } from './world.ts';

/** Without addresses: a person may be erased while the plan is kept. */
type StoredReached = Omit<Reached, 'samples'> & { samples: string[] };
export type StoredEffect = Omit<PlanEffect, 'newly_reached' | 'no_longer_reached'> & {
  newly_reached: StoredReached;
  no_longer_reached: StoredReached;
};

export type StoredPlan = {
  hash: string;
  /** The hash of the first time that this plan was made. */
  fingerprint: string;
  /** The ids of what it creates follow from it. */
  seed: string;
  made_at: string;
  made_by: string | undefined;
  expires_at: string;
  applied_at?: string;
  applied_by?: string;
  desired: DesiredState;
  changes: PlannedChange[];
  /** What it changes, as it was. */
  seen: Seen[];
  actions: Action[];
  scopes: Scope[];
  effect: StoredEffect;
};

type Packed = Pick<StoredPlan, 'desired' | 'changes' | 'seen' | 'actions' | 'scopes' | 'effect'>;
/** An item has at most 400 KB. */
const MOST_BYTES = 350_000;
const TOO_LARGE = 'This plan is too large to be kept: make two smaller ones of it';
const KEPT = DAY;

const partition = (organization: number) => `ORG#${organization}#PLANS`;
const key = (organization: number, hash: string) => ({ PK: partition(organization), SK: hash });

export const expiryOf = (made: Date) => new Date(made.getTime() + KEPT).toISOString();

/** Replaces one that is not applied. Returns false if it is. */
export async function store(table: Table, organization: number, plan: StoredPlan): Promise<boolean> {
  const { desired, changes, seen, actions, scopes, effect, ...fields } = plan;
  const all: Packed = { desired, changes, seen, actions, scopes, effect };
  const packed = gzipSync(JSON.stringify(all));
  if (packed.length > MOST_BYTES) throw invalid('plan', TOO_LARGE);
  const ttl = epochSeconds(new Date(plan.expires_at));
  const item = { ...key(organization, plan.hash), ...fields, packed, ttl };
  return putItem(table, item, { condition: 'attribute_not_exists(applied_at)' });
}

/** Undefined once it has expired, as the table deletes it days later at worst. */
export async function read(
  table: Table,
  organization: number,
  hash: string,
  now: Date,
): Promise<StoredPlan | undefined> {
  const item = await get(table, key(organization, hash));
  if (!item || String(item.expires_at) <= now.toISOString()) return undefined;
  const { packed, ...fields } = fromItem<Omit<StoredPlan, keyof Packed> & { packed: Uint8Array }>(item);
  return { ...fields, ...(JSON.parse(gunzipSync(packed).toString()) as Packed) };
}

/** Fails if it is applied, or if another one with its hash has taken its place. */
export const appliedWrite = (
  table: Table,
  organization: number,
  { hash, seed }: StoredPlan,
  { applied_at, applied_by }: { applied_at: string; applied_by: string | undefined },
): Write =>
  updateWrite(
    table,
    key(organization, hash),
    { set: { applied_at, applied_by } },
    { condition: 'seed = :seed AND attribute_not_exists(applied_at)', values: { ':seed': seed } },
  );

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
