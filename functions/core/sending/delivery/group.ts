import * as combination from '../../content/combination/combination.ts';
import * as list from '../../list/list/list.ts';
import { inParallel } from '../../parallel.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as batches from '../batch/batch.ts';
import type { Claimed, Held, World } from '../claim/claim.ts';
import { instantOf, type Pack } from '../pack/pack.ts';
import { offReason, readSwitches, type Switches, waitsUntil } from '../switches/switches.ts';
import type { Needs } from './needs.ts';
import { type Answer, type Part, postAll, type Released } from './post.ts';
import {
  abandon,
  headOf,
  partsOf,
  releaseAll,
  releaseLeft,
  sendOf,
  settleReleased,
  yieldTo,
} from './release.ts';
import { messageFor } from './render.ts';

const SECOND = 1000;
/** A claim is posted within this time, or released. */
const POSTED_WITHIN = 120 * SECOND;
/** Whoever has unsubscribed gets nothing that is posted this much later. */
const SEEN_WITHIN = 5 * SECOND;

/**
 * Posts the claims of one list, automation and combination, unless something speaks against it by now. What is held and is
 * not posted is released, once this process has the batch.
 */
export async function postGroup(
  needs: Needs,
  world: World,
  pack: Pack,
  batch: string,
  { claimed, held }: { claimed: Claimed[]; held: Held[] },
): Promise<void> {
  const { table, now } = needs;
  const { list: listId, automation: automationId } = partsOf(batch);
  const chosen = await contentOf(needs, world, pack, batch);
  const key = await needs.trackingKey();
  const seen = await stillSubscribed(needs, pack, claimed, SEEN_WITHIN);
  const { current } = seen;
  // The last to be read: what was switched off by now sends nothing.
  const read = () => readSwitches(table, pack.organization, [{ list: listId, automation: automationId }]);
  const switches = await read();
  if (!switches.organization) return;
  const found = switches.lists.get(listId);
  const automation = switches.automations.get(automationId);
  const reason = offReason(switches, listId, automationId, instantOf(pack.minute));
  if (reason || !chosen || !found || !automation) {
    return abandon(needs, pack, batch, held, { reason: reason ?? 'no_content' });
  }
  const waits = waitsUntil(found, now());
  if (waits) {
    const retry_after = Math.ceil((waits.getTime() - now().getTime()) / SECOND);
    return abandon(needs, pack, batch, held, { retry_after });
  }
  const isLate = current.some(({ checkedAt }) => now().getTime() - checkedAt > POSTED_WITHIN);
  if (isLate || !needs.hasTime() || current.length === 0) {
    return abandon(needs, pack, batch, held, { retry_after: 0 });
  }
  const { organization } = pack;
  const combined = { list: found, automation, combination: chosen };
  const sender = { organization, ...combined, publicUrl: needs.publicUrl, key, written: now() };
  const message = messageFor(sender, current);
  const access = await list.accessOf(needs, found);
  const head = headOf(batch, current.length, now());
  if (!(await batches.begin(table, pack.organization, { ...head, state: 'posting' }, current.map(sendOf)))) {
    return yieldTo(needs, pack, batch, held);
  }
  const isPosted = ({ claim }: Held) => current.some(one => one.claim === claim);
  const unsubscribed = claimed.filter(one => !isPosted(one));
  await releaseLeft(needs, pack, batch, unsubscribed);
  await releaseAll(
    needs,
    pack,
    held.filter(one => !claimed.some(({ claim }) => claim === one.claim)),
  );
  const isSeen = (at: number) => now().getTime() - at <= SEEN_WITHIN;
  /** Looking for addresses that are not taken lasts longer than what was seen before holds. */
  const stillHolds = async (some: Claimed[]): Promise<boolean> => {
    if (isSeen(seen.at)) return true;
    const again = await stillSubscribed(needs, pack, some, 0);
    const isOff = offReason(await read(), listId, automationId, instantOf(pack.minute));
    return !isOff && again.current.length === some.length && isSeen(again.at);
  };
  const posted = await postAll(
    current,
    async (some): Promise<Answer> =>
      // Out of time, another process may have taken it for lost.
      (await stillHolds(some)) && needs.hasTime()
        ? needs.post(access, some === current ? message : messageFor(sender, some))
        : { kind: 'unreached' },
  );
  await react(needs, switches, listId, posted.parts);
  await finish(needs, pack, head, posted);
}

async function contentOf({ table }: Needs, { choices }: World, pack: Pack, batch: string) {
  const { chosen } = partsOf(batch);
  const choice = choices.get(chosen) ?? (await combination.read(table, pack.organization, chosen));
  return choice && combination.load(table, pack.organization, choice);
}

const MOST_AT_ONCE = 20;

/**
 * Without those who have unsubscribed since they were looked at, where that is longer ago; claiming many takes seconds.
 * Nobody was last looked at before `at`.
 */
async function stillSubscribed(
  { table, now }: Needs,
  pack: Pack,
  claimed: Claimed[],
  within: number,
): Promise<{ current: Claimed[]; at: number }> {
  const began = now().getTime();
  const isSeen = ({ checkedAt }: Claimed) => began - checkedAt <= within;
  const seen = await inParallel(claimed, MOST_AT_ONCE, async one => {
    if (isSeen(one)) return one;
    const key = { organization: pack.organization, hash: one.hash };
    const reach = { since: now(), enough: 1, consistent: true };
    const { suppression, memberships } = await recipient.readPerson(table, key, reach);
    const isSubscribed = memberships.get(one.claim.list_id)?.status === 'subscribed';
    return isSubscribed && !suppression ? one : undefined;
  });
  return {
    current: seen.filter(one => one !== undefined),
    at: Math.min(began, ...claimed.filter(isSeen).map(({ checkedAt }) => checkedAt)),
  };
}

/** A key that does not hold, or a provider that asks for patience, stops the list. */
async function react(
  { table, now }: Needs,
  { lists }: Switches,
  listId: string,
  parts: Part<Claimed>[],
): Promise<void> {
  const found = lists.get(listId);
  const released = parts.map(({ ending }) => ending).find(ending => typeof ending !== 'string');
  if (!found || !released) return;
  if (released.denied) await list.markDenied({ table, now: now() }, found);
  else if (released.seconds > 0) {
    await list.pause({ table }, found, new Date(now().getTime() + released.seconds * SECOND));
  }
}

type Posted = { parts: Part<Claimed>[]; ids: string[] };

/** Stores how a batch ended. */
async function finish(needs: Needs, pack: Pack, head: batches.Head, { parts, ids }: Posted): Promise<void> {
  const sendsThat = (wanted: (ending: Part<Claimed>['ending']) => boolean) =>
    parts.filter(({ ending }) => wanted(ending)).flatMap(({ of }) => of.map(sendOf));
  const released = sendsThat(ending => typeof ending !== 'string');
  const [failed, unknown] = (['failed', 'unknown'] as const).map(state =>
    sendsThat(ending => ending === state),
  ) as [batches.Send[], batches.Send[]];
  const sent = parts.filter(({ ending }) => ending === 'sent').flatMap(({ of }) => of);
  const waits = parts
    .map(({ ending }) => ending)
    .find((ending): ending is Released => typeof ending !== 'string');
  const states = new Set(
    parts.map(({ ending }) => (typeof ending === 'string' ? ending : ('released' as const))),
  );
  const [only = 'sent'] = states;
  const ending: batches.Ending = {
    state: states.size === 1 ? only : 'mixed',
    ...(ids.length > 0 && { provider_ids: ids }),
    ...(waits && { retry_after: waits.seconds }),
    ...(states.size > 1 && {
      ...(failed.length > 0 && { failed: batches.packed(failed) }),
      ...(unknown.length > 0 && { unknown: batches.packed(unknown) }),
      ...(released.length > 0 && { released: batches.packed(released) }),
    }),
  };
  const dated = sent.map(one => ({ ...sendOf(one), day: one.claim.at.slice(0, 10) }));
  const isEnded = await batches.end(needs.table, pack.organization, head, ending, dated);
  if (isEnded && unknown.length > 0) await batches.settleKept(needs, pack.organization, head.batch);
  if (isEnded && released.length > 0) {
    await settleReleased(needs, pack, { ...head, ...ending }, released);
  }
}
