import type { Safeguards } from '../../../../shared/safeguards.ts';
import type { Skipped } from '../../../../shared/send.ts';
import type * as automation from '../../automation/automation/automation.ts';
import { dueOccurrences, type Occurrence, triggerOf } from '../../automation/due/due.ts';
import * as combination from '../../content/combination/combination.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { instantOf, type Pack } from '../pack/pack.ts';
import { offReason, type Switches } from '../switches/switches.ts';

const MINUTE = 60 * 1000;

export type PersonDue = Pack['people'][number];

/** What claims are decided by, as it was read at one moment. */
export type World = Switches & {
  linked: Map<string, automation.Linked>;
  safeguards: Safeguards;
  /** What the combinations consist of that are claimed; those that are stored. */
  choices: Map<string, combination.Choice>;
  /** Each is stored by one insert, which the others wait for. */
  storing: Map<string, Promise<unknown>>;
};

/** An email that is reserved for this pack: to be sent, or released. */
export type Claimed = {
  hash: string;
  claim: recipient.Claim;
  membership: recipient.Membership;
  /** How many days after the member's date it was due. */
  days: number;
  /** When the member was last seen to be due for it. */
  checkedAt: number;
};
export type Skip = { hash: string; source: number; reason: Skipped };
/** A claim without what is needed to post it. */
export type Held = Pick<Claimed, 'hash' | 'claim'>;
export type Outcome = {
  claimed: Claimed[];
  /** Of this pack, but not to be sent any more: released when their batch is decided. */
  lost: Held[];
  skips: Skip[];
};

/** Whether a pack and not another one made this claim. */
export const isOf = ({ minute, id }: Pick<Pack, 'minute' | 'id'>, { batch }: recipient.Claim) =>
  batch.startsWith(`${minute}#${id}#`);

type Decision = Outcome & {
  /** To be claimed, in this order. */
  wanted: (Claimed & { choice: combination.Choice })[];
};

/** What becomes of everything that is due for a person. Each decision counts for the next. */
export function decide(
  world: World,
  pack: Pack,
  hash: string,
  dues: PersonDue[1],
  person: recipient.Person,
  now: Date,
): Decision {
  const decision: Decision = { wanted: [], claimed: [], skips: [], lost: [] };
  // What this pack has claimed by a list that does not send it any more is lost: another list may.
  const isStillDue = ({ list_id, automation_id }: recipient.Claim) =>
    dues.some(([source]) => {
      const of = pack.sources[source];
      const isIts = of?.list === list_id && of.automation === automation_id;
      return isIts && !('reason' in dueOf(world, pack, source, person, now));
    });
  const claims = person.claims.filter(claim => !isOf(pack, claim) || isStillDue(claim));
  let { seq, at: lastAt } = person.last;
  for (const [source] of inOrder(pack, dues, claims)) {
    const skip = (reason: Skipped) => decision.skips.push({ hash, source, reason });
    const found = dueOf(world, pack, source, person, now);
    if ('reason' in found) {
      skip(found.reason);
      continue;
    }
    const { occurrence, automation, membership } = found;
    const days = automation.delay_days + occurrence.k * automation.every_x_days;
    const seen = { hash, membership, days, checkedAt: now.getTime() };
    const taken = claims.find(({ key }) => key === occurrence.key);
    if (taken) {
      const isAdopted = decision.claimed.some(({ claim }) => claim === taken);
      const isOwn = isOf(pack, taken) && taken.list_id === membership.list_id;
      if (isOwn && person.claims.includes(taken) && !isAdopted) {
        decision.claimed.push({ ...seen, claim: taken });
      }
      continue;
    }
    const at = instantFor(pack, lastAt, now);
    const reason = refusalOf(world, occurrence, claims, at);
    const choice = combination.choice(
      world.linked.get(automation.id) ?? {},
      `${hash}#${occurrence.key.slice(0, -1)}`,
      occurrence.copy,
    );
    if (reason || !choice) {
      skip(reason ?? 'no_content');
      continue;
    }
    const claim: recipient.Claim = {
      seq: ++seq,
      type: 'send',
      at,
      list_id: membership.list_id,
      automation_id: automation.id,
      key: occurrence.key,
      batch: batchOf(pack, membership.list_id, automation.id, choice.id),
      combination: choice.id,
    };
    lastAt = at;
    claims.unshift(claim);
    decision.wanted.push({ ...seen, claim, choice });
  }
  decision.lost = person.claims
    .filter(claim => isOf(pack, claim) && !decision.claimed.some(adopted => adopted.claim === claim))
    .map(claim => ({ hash, claim }));
  return decision;
}

/** The automation that mailed a person least recently is first. */
function inOrder(pack: Pack, dues: PersonDue[1], claims: recipient.Claim[]): PersonDue[1] {
  const lastOf = (automation: string) =>
    claims.find(({ automation_id }) => automation_id === automation)?.at ?? '';
  const order = ([source]: PersonDue[1][number]) => {
    const { list = '', automation = '' } = pack.sources[source] ?? {};
    return `${lastOf(automation).padEnd(24)}#${automation}#${list}`;
  };
  return [...dues].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

type Found =
  | { reason: Skipped }
  | {
      occurrence: Occurrence;
      automation: automation.StoredAutomation;
      membership: recipient.Membership;
    };

/** Whether a source of a pack is due for a person, as both are now. */
function dueOf(world: World, pack: Pack, source: number, person: recipient.Person, now: Date): Found {
  const { list: listId = '', automation: automationId = '' } = pack.sources[source] ?? {};
  const off = offReason(world, listId, automationId, instantOf(pack.minute));
  const automation = world.automations.get(automationId);
  if (off || !automation) return { reason: off ?? 'automation_off' };
  if (person.suppression) return { reason: 'suppressed' };
  const membership = person.memberships.get(listId);
  if (membership?.status !== 'subscribed') return { reason: 'not_subscribed' };
  if (!isReadable(membership)) return { reason: 'unreadable' };
  const trigger = triggerOf(membership, automation);
  const minute = instantOf(pack.minute);
  const next = new Date(minute.getTime() + MINUTE);
  const [occurrence] = dueOccurrences(trigger, automation, { from: minute, until: next });
  if (!occurrence) return { reason: 'not_due' };
  const until = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  const isSuperseded = dueOccurrences(trigger, automation, { from: next, until }).some(
    newer => newer.k > occurrence.k || (occurrence.copy > 1 && newer.copy > occurrence.copy),
  );
  return isSuperseded ? { reason: 'superseded' } : { occurrence, automation, membership };
}

const isReadable = ({ email, metadata, created_at }: recipient.Membership) =>
  typeof email === 'string' &&
  typeof metadata === 'object' &&
  metadata !== null &&
  typeof created_at === 'string';

/** The instant that an email counts from: never before that of the entry before. */
function instantFor({ minute }: Pack, lastAt: string, now: Date): string {
  const due = instantOf(minute);
  const isPunctual = now.getTime() - due.getTime() <= recipient.PUNCTUAL;
  const at = (isPunctual ? due : now).toISOString();
  return at > lastAt ? at : lastAt;
}

function refusalOf(
  world: World,
  { key, copy, at: due }: Occurrence,
  claims: recipient.Claim[],
  at: string,
): Skipped | undefined {
  if (copy > 1) {
    const first = claims.find(claim => claim.key === key.replace(/\d$/, '1'));
    // One that went late stands for the copies that were due by then.
    if (!first || first.at > due.toISOString()) return 'no_first';
  }
  const instants = claims.map(claim => Date.parse(claim.at));
  const window = safeguards.cappedBy(world.safeguards, instants, Date.parse(at));
  return window && `capped:${window.field}`;
}

/** Claims with the same list, automation and combination are one batch of their pack. */
const batchOf = ({ minute, id }: Pack, list: string, automation: string, chosen: string) =>
  `${minute}#${id}#${list}.${automation}.${chosen}`;
