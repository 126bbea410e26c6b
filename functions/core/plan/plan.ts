import { requireScope } from '#core/account/token.ts';
import * as users from '#core/account/user.ts';
import { storeTexts } from '#core/content/content.store.ts';
import { newRevision, sha256 } from '#core/id.ts';
import { withMentions } from '#core/organization/record.ts';
import { inParallel } from '#core/parallel.ts';
import { readMemberId } from '#core/recipient/recipient.key.ts';
import { memberships } from '#core/recipient/recipient.store.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Needs as Predicting } from '#core/sending/forecast/predict.ts';
import type { Table } from '#core/storage/table.store.ts';
import { ConditionFailed, commit } from '#core/storage/write.store.ts';
import { type Action, may, SCOPE_NAMES, SCOPED, type Scope } from '#shared/permissions.ts';
import type { DesiredState, Plan, PlanApplication, PlannedChange, Reached } from '#shared/plan.ts';
import type { TokenScope } from '#shared/token.ts';
import { type Draft, type Needs as Drafting, isSwitch, requireFewWrites } from './changes.ts';
import { drafted } from './draft.ts';
import { effectOf } from './effect.ts';
import * as store from './plan.store.ts';
import { canonical, readWorld, snapshot, type World } from './world.ts';
import { requirePlaces, textsIn, writesOf } from './writes.ts';

/** `scopes`: those of a token. */
type Needs = Drafting & { scopes: TokenScope[] | undefined };

const GONE = 'There is no such plan: plans are kept for 24 hours.';

/** Nothing but the plan is stored. Making the same plan again replaces it. */
export async function make(needs: Needs & Predicting, desired: DesiredState): Promise<Plan> {
  const { table, now, user, active } = needs;
  const { organization } = active;
  const world = await readWorld(table, organization, desired);
  const seed = newRevision() + newRevision();
  const draft = await drafted(needs, world, desired, idsOf(seed));
  const [actions, scopes] = [[...draft.actions].sort(), scopesOf(draft)];
  requireRights(needs, actions, scopes);
  requireFewWrites(writesOf(needs, world, draft).length + 1);
  await requirePlaces(needs, organization.id, draft);
  const effect = await effectOf(needs, world, draft);
  const fingerprint = fingerprintOf(organization.id, draft);
  // The same plan can be made again after it was applied, and taken back by hand.
  for (let hash = fingerprint, times = 0; times < MOST_TIMES; hash = sha256(hash), times++) {
    const plan: store.StoredPlan = {
      hash,
      fingerprint,
      seed,
      made_at: now.toISOString(),
      made_by: user,
      expires_at: store.expiryOf(now),
      desired: draft.desired,
      changes: draft.changes,
      seen: draft.seen,
      actions,
      scopes,
      effect,
    };
    if (await store.store(table, organization.id, plan)) return shown(table, organization.id, plan);
  }
  throw new Refusal('conflict', 'This plan was made and applied too often today. Please try again tomorrow.');
}
const MOST_TIMES = 20;

export async function find(
  { table, now }: { table: Table; now: Date },
  organization: number,
  hash: string,
): Promise<Plan> {
  return shown(table, organization, await read({ table, now }, organization, hash));
}

async function read({ table, now }: { table: Table; now: Date }, organization: number, hash: string) {
  const plan = /^[0-9a-f]{64}$/.test(hash) && (await store.read(table, organization, hash, now));
  if (plan) return plan;
  throw new Refusal('not-found', GONE);
}

const MOST_TRIES = 5;

/**
 * Does what a plan says, in one transaction that also marks it as applied: so it is done once, or not at all. The texts of new
 * content come first, which nothing shows or sends without their heads; a repetition writes the same ones.
 */
export async function apply(needs: Needs, hash: string, { max_people }: PlanApplication): Promise<Plan> {
  const { table, now, user, active } = needs;
  const { id } = active.organization;
  for (let tries = 1; ; tries++) {
    const plan = await read(needs, id, hash);
    requireRights(needs, plan.actions, plan.scopes);
    if (plan.applied_at) return shown(table, id, plan);
    requireFew(plan.effect, max_people);
    const world = await readWorld(table, active.organization, plan.desired);
    requireSame(world, plan);
    const draft = await redrafted(needs, world, plan);
    const applied = { applied_at: now.toISOString(), applied_by: user };
    const mark = store.appliedWrite(table, id, plan, applied);
    const writes = [
      mark,
      ...writesOf({ ...needs, by: needs.by === 'agent' ? 'agent' : 'plan' }, world, draft),
    ];
    requireFewWrites(writes.length);
    // Texts stay where the transaction fails.
    await requirePlaces(needs, id, draft);
    await storeTexts(table, id, textsIn(draft));
    try {
      await commit(table, withMentions(table, writes));
      return await shown(table, id, { ...plan, ...applied });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Somebody was faster: what they have changed is found when all is read again.
      if (tries === MOST_TRIES)
        throw new Refusal('conflict', 'Other changes are under way. Please try again.');
    }
  }
}

const ID_LENGTH = 12;
/** The same ids for the same names, as text and transaction are written one after the other. */
const idsOf = (seed: string) => (kind: string, name: string) =>
  BigInt(`0x${sha256(`${seed} ${kind} ${name}`)}`)
    .toString(36)
    .slice(-ID_LENGTH);

/**
 * Of what a plan changes, and of all this as it is. The ids of what it creates are random. The lists and automations that it names
 * are in it by their ids, as another one may get the name.
 */
const fingerprintOf = (
  organization: number,
  { changes, seen, automations, linked, linkedTo }: Draft,
): string =>
  sha256(
    canonical({
      organization,
      changes: changes.map(change => ({ ...change, id: change.action === 'create' ? null : change.id })),
      seen,
      lists: [...automations.values()].map(({ after }) => after?.email_list_ids),
      linked: [...linked.keys(), ...linkedTo].filter(
        id => automations.get(id)?.before || !automations.has(id),
      ),
    }),
  );

function scopesOf(draft: Draft): Scope[] {
  const needed = (name: Scope) =>
    [...draft.actions].some(action => (SCOPED[name] as readonly Action[]).includes(action)) ||
    (name === 'sending' && isSwitch(draft));
  return SCOPE_NAMES.filter(needed);
}

/** Throws 403 if the role of the caller, or their token, lacks what one of the changes needs. */
function requireRights({ active, scopes }: Needs, actions: Action[], needed: Scope[]): void {
  if (actions.some(action => !may(active.membership.role, action)))
    throw new Refusal('forbidden', 'Your role does not allow all that this plan changes.');
  if (scopes) for (const scope of needed) requireScope(scopes, scope);
}

function requireFew({ newly_reached, counted_share }: store.StoredEffect, most: number | undefined): void {
  if (most === undefined) return;
  const { count, margin } = newly_reached;
  // Of those who could not be read in time, as many are reached.
  const people = counted_share > 0 ? Math.ceil((count + margin) / counted_share) : Number.POSITIVE_INFINITY;
  if (people <= most) return;
  const about = people === count ? `${count}` : `up to ${people}`;
  throw invalid('max_people', `This plan newly reaches ${about} people, and max_people is ${most}`);
}

/** Throws 409, and says what was changed, if anything is not as the plan saw it. */
function requireSame(world: World, { seen }: store.StoredPlan): void {
  const changed = seen.flatMap(({ kind, id, name, stamp, fields }) => {
    const present = snapshot(world, kind, id);
    const called = [kind.replace('_', ' '), name].filter(Boolean).join(' ');
    if (!present) return [`${called} was deleted`];
    if (present.stamp === stamp) return [];
    const differing = Object.keys(present.fields).filter(
      field => canonical(present.fields[field]) !== canonical(fields[field]),
    );
    return [`${called}${differing.length > 0 ? ` (${differing.join(', ')})` : ''}`];
  });
  if (changed.length > 0) throw changedSince(changed.join('; '));
}

const changedSince = (what: string) =>
  new Refusal('conflict', `This has changed since the plan was made: ${what}. Make a new plan.`);

async function redrafted(needs: Needs, world: World, plan: store.StoredPlan): Promise<Draft> {
  try {
    const draft = await drafted(needs, world, plan.desired, idsOf(plan.seed));
    if (fingerprintOf(needs.active.organization.id, draft) === plan.fingerprint) return draft;
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'invalid') throw changedSince(error.message);
    throw error;
  }
  throw changedSince('what it names');
}

async function shown(table: Table, organization: number, plan: store.StoredPlan): Promise<Plan> {
  const { hash, made_at, expires_at, made_by, applied_by, scopes, changes, effect } = plan;
  const applied_at = plan.applied_at ?? null;
  const ids = [made_by, applied_by].filter(id => id !== undefined);
  const named = await users.namesOf({ table }, ids);
  const by = (id: string | undefined) =>
    id === undefined ? null : { id, name: named.get(id) ?? users.FORMER_MEMBER };
  const reached = (of: keyof Pick<Plan['effect'], 'newly_reached' | 'no_longer_reached'>) =>
    withAddresses(table, organization, effect[of]);
  const [newly_reached, no_longer_reached] = await Promise.all([
    reached('newly_reached'),
    reached('no_longer_reached'),
  ]);
  return {
    hash,
    made_at,
    made_by: by(made_by),
    expires_at,
    applied_at,
    applied_by: by(applied_by),
    scopes,
    changes: changes.map((change): PlannedChange => {
      const isToCome = ['create', 'new_wording'].includes(change.action) && !applied_at;
      return isToCome && change.before === null ? { ...change, id: null } : change;
    }),
    effect: { ...effect, newly_reached, no_longer_reached },
  };
}

/** Those who are still there. */
async function withAddresses(
  table: Table,
  organization: number,
  { samples, ...counts }: store.StoredEffect['newly_reached'],
): Promise<Reached> {
  const found = await inParallel(samples, MOST_AT_ONCE, async list_member_id => {
    const id = readMemberId(list_member_id);
    const [member] = id ? await memberships(table, [{ organization, hash: id.hash }], id.listId) : [];
    return member ? [{ list_member_id, email: member.email }] : [];
  });
  return { ...counts, samples: found.flat() };
}
const MOST_AT_ONCE = 10;
