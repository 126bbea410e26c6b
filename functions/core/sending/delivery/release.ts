import { inParallel } from '../../parallel.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as batches from '../batch/batch.ts';
import type { Held } from '../claim/claim.ts';
import { delayOf, followUp, type Pack } from '../pack/pack.ts';
import type { Needs } from './needs.ts';

/** The list, the automation and the combination of a batch. */
export const partsOf = (batch: string) => {
  const [list = '', automation = '', chosen = ''] = (batch.split('#')[2] ?? '').split('.');
  return { list, automation, chosen };
};

export const headOf = (batch: string, size: number, at: Date): batches.Head => {
  const { list: list_id, automation: automation_id, chosen } = partsOf(batch);
  return {
    batch,
    state: 'posting',
    at: at.toISOString(),
    list_id,
    automation_id,
    combination: chosen,
    size,
    sent: 0,
  };
};

export const sendOf = ({ hash, claim }: Held): batches.Send => ({ hash, seq: claim.seq });

/** The claims that a manifest does not name. */
export function notAmong(sends: batches.Send[], claimed: Held[]): Held[] {
  const named = new Set(sends.map(({ hash, seq }) => `${hash}#${seq}`));
  return claimed.filter(({ hash, claim }) => !named.has(`${hash}#${claim.seq}`));
}

const MOST_AT_ONCE = 20;

type Why = Pick<batches.Head, 'reason' | 'retry_after'>;

/** Decides that claims are not posted, as a batch of its own kind: whoever still wants to post them comes too late. */
export async function abandon(
  needs: Needs,
  pack: Pack,
  batch: string,
  claimed: Held[],
  why: Why,
): Promise<void> {
  const sends = claimed.map(sendOf);
  const head: batches.Head = { ...headOf(batch, sends.length, needs.now()), state: 'released', ...why };
  if (!(await batches.begin(needs.table, pack.organization, head, sends))) {
    return yieldTo(needs, pack, batch, claimed);
  }
  await settleReleased(needs, pack, head, sends);
}

/** Another process has decided: what it did not know of is released. */
export async function yieldTo(needs: Needs, pack: Pack, batch: string, claimed: Held[]): Promise<void> {
  const sends = await batches.readManifest(needs.table, pack.organization, batch);
  const others = notAmong(sends, claimed);
  await releaseLeft(needs, pack, batch, others);
}

export const releaseAll = ({ table }: Needs, { organization }: Pack, claimed: Held[]) =>
  inParallel(claimed, MOST_AT_ONCE, ({ hash, claim }) =>
    recipient.releaseClaim(table, { organization, hash }, claim.seq),
  );

/** Releases claims that their batch does not name. Queued before, so that a process that dies in between forgets nobody. */
export async function releaseLeft(needs: Needs, pack: Pack, batch: string, left: Held[]): Promise<void> {
  if (left.length === 0) return;
  await queueAgain(needs, pack, `${batch}#left`, left.map(sendOf), 0);
  await releaseAll(needs, pack, left);
}

/** Releases the claims of a batch that certainly were not sent, and queues their people again where that is due. */
export async function settleReleased(
  needs: Needs,
  pack: Pack,
  head: batches.Head,
  sends: batches.Send[],
): Promise<void> {
  const { organization } = pack;
  await inParallel(sends, MOST_AT_ONCE, ({ hash, seq }) =>
    recipient.releaseClaim(needs.table, { organization, hash }, seq),
  );
  if (head.retry_after !== undefined) await queueAgain(needs, pack, head.batch, sends, head.retry_after);
  await batches.markSettled(needs.table, organization, head.batch);
}

/** Looks again at what the automation of a batch owes to some of its people, so many seconds later at least. */
async function queueAgain(
  { queue }: Needs,
  pack: Pack,
  batch: string,
  sends: batches.Send[],
  seconds: number,
): Promise<void> {
  const again = followUp(pack, batch, peopleOf(pack, batch, sends));
  await queue(again, delayOf(again, seconds));
}

/** With what was due for them by its automation: another of their lists may owe what this one does not any more. */
function peopleOf(pack: Pack, batch: string, sends: batches.Send[]): Pack['people'] {
  const { automation } = partsOf(batch);
  const hashes = new Set(sends.map(({ hash }) => hash));
  return pack.people.flatMap(([hash, dues]): Pack['people'] => {
    const kept = dues.filter(([source]) => pack.sources[source]?.automation === automation);
    return hashes.has(hash) && kept.length > 0 ? [[hash, kept]] : [];
  });
}
