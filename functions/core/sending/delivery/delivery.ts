import { inParallel } from '../../parallel.ts';
import * as batches from '../batch/batch.ts';
import { claimFor, claimsOf, isStale, type Skip, type World } from '../claim/claim.ts';
import { delayOf, followUp, type Pack } from '../pack/pack.ts';
import { waitsUntil } from '../switches/switches.ts';
import { deliverClaimed } from './claimed.ts';
import { postGroup } from './group.ts';
import type { Needs } from './needs.ts';
import { abandon } from './release.ts';
import { owedTo, releaseOf, settle } from './settle.ts';
import { readWorld } from './world.ts';

const MOST_AT_ONCE = 20;

export type { Needs } from './needs.ts';
export type { Answer, Message, Post } from './post.ts';

/**
 * Sends a pack. All its emails are claimed before the first is posted; once a batch of it exists, claiming is over. So a
 * pack may be delivered any number of times, also at once: an email has one claim, a claim one batch, and a batch one
 * process that posts it.
 */
export async function deliver(needs: Needs, pack: Pack, isRedelivered: boolean): Promise<void> {
  const { table, now } = needs;
  const heads = await batches.readHeads(table, pack.organization, pack.minute, pack.id);
  if (heads.length > 0) return settle(needs, pack, heads);
  if (pack.isClaimed) return deliverClaimed(needs, pack);
  if (isStale(pack, now())) return giveUp(needs, pack, isRedelivered);
  const world = await readWorld(table, pack.organization, pack.sources);
  // What belonged to a deleted organization is purged: nothing may be written any more.
  if (!world.organization) return;
  const { ready, waiting, seconds } = split(pack, world, now());
  if (waiting.length > 0) {
    const again = followUp(pack, 'waits', waiting);
    await needs.queue(again, delayOf(again, seconds));
  }
  const { claimed, lost, skips } = await claimAll(needs, world, pack, ready);
  if (skips.length > 0) await batches.writeSkips(table, pack.organization, pack, skips);
  // Only now: with the first batch, claiming is over.
  if (isRedelivered) await abandonClaims(needs, pack, waiting);
  const groups = Map.groupBy([...claimed, ...lost], ({ claim }) => claim.batch);
  for (const [batch, some] of groups) {
    const posted = claimed.filter(({ claim }) => claim.batch === batch);
    await postGroup(needs, world, pack, batch, { claimed: posted, held: some });
  }
}

/** The people of a pack with those of their sources that are wanted. */
const somePeople = (pack: Pack, wanted: (source: number, hash: string) => boolean): Pack['people'] =>
  pack.people.flatMap(([hash, dues]): Pack['people'] => {
    const kept = dues.filter(([source]) => wanted(source, hash));
    return kept.length > 0 ? [[hash, kept]] : [];
  });

/** The people whose lists take nothing for the moment, and the others. */
function split(pack: Pack, world: World, now: Date) {
  const until = pack.sources.map(({ list: id }) => {
    const found = world.lists.get(id);
    return found && waitsUntil(found, now);
  });
  const times = until.flatMap(instant => instant?.getTime() ?? []);
  return {
    ready: somePeople(pack, source => until[source] === undefined),
    waiting: somePeople(pack, source => until[source] !== undefined),
    seconds: times.length > 0 ? Math.ceil((Math.min(...times) - now.getTime()) / 1000) : 0,
  };
}

/** This process will not finish: another one goes on after it. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

async function claimAll(needs: Needs, world: World, pack: Pack, people: Pack['people']) {
  const outcomes = await inParallel(people, MOST_AT_ONCE, person => {
    if (!needs.hasTime()) throw new OutOfTime('The emails of a pack could not be claimed in time');
    return claimFor(needs, world, pack, person);
  });
  return {
    claimed: outcomes.flatMap(({ claimed }) => claimed),
    lost: outcomes.flatMap(({ lost }) => lost),
    skips: outcomes.flatMap(({ skips }) => skips),
  };
}

/** What people were claimed for in an earlier attempt that nothing is to become of. */
async function abandonClaims(needs: Needs, pack: Pack, people: Pack['people']): Promise<void> {
  const held = await inParallel(people, MOST_AT_ONCE, async ([hash, dues]) => {
    const sources = new Set(dues.map(([source]) => nameOf(pack.sources[source])));
    const claims = await claimsOf(needs, pack, hash);
    return claims
      .filter(({ list_id: list, automation_id: automation }) => sources.has(nameOf({ list, automation })))
      .map(claim => ({ hash, claim }));
  });
  for (const [batch, some] of Map.groupBy(held.flat(), ({ claim }) => claim.batch)) {
    await abandon(needs, pack, batch, some, {});
  }
}

const nameOf = (source: { list: string; automation: string } | undefined) =>
  `${source?.list}#${source?.automation}`;

async function giveUp(needs: Needs, pack: Pack, isRedelivered: boolean): Promise<void> {
  await skipAll(needs, pack, pack.people, 'stale');
  if (isRedelivered) await abandonClaims(needs, pack, pack.people);
}

async function skipAll(
  { table }: Needs,
  pack: Pack,
  people: Pack['people'],
  reason: Skip['reason'],
): Promise<void> {
  const skips = people.flatMap(([hash, dues]) => dues.map(([source]) => ({ hash, source, reason })));
  if (skips.length > 0) await batches.writeSkips(table, pack.organization, pack, skips);
}

/**
 * A pack that failed each time it was delivered: what may have been posted is unknown, what was claimed is released, and
 * what was not is skipped.
 */
export async function bury(needs: Needs, pack: Pack): Promise<void> {
  const heads = await batches.readHeads(needs.table, pack.organization, pack.minute, pack.id);
  const { batched } = await releaseOf(needs, pack, heads, { isDead: true });
  await skipAll(
    needs,
    pack,
    somePeople(pack, (source, hash) => !batched.has(owedTo(hash, pack.sources[source]?.automation ?? ''))),
    'dead',
  );
}
