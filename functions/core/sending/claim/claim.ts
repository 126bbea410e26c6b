import type { Skipped } from '../../../../shared/send.ts';
import * as combination from '../../content/combination/combination.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';
import { instantOf, type Pack } from '../pack/pack.ts';
import { decide, isOf, type Outcome, type PersonDue, type Skip, type World } from './decide.ts';

export type { Claimed, Held, Skip, World } from './decide.ts';

const STALE = 24 * 60 * 60 * 1000;

type Needs = { table: Table; now: () => Date };

export const isStale = ({ minute }: Pack, now: Date) => now.getTime() - instantOf(minute).getTime() > STALE;

/** Those of a person's claims that a pack made. */
export async function claimsOf({ table, now }: Needs, pack: Pack, hash: string) {
  const person = await readPerson({ table, now }, pack, hash, { consistent: true });
  return person.claims.filter(claim => isOf(pack, claim));
}

/** Reasons that stand in what is stored of a person. */
const ofPerson: Skipped[] = ['not_due', 'not_subscribed', 'suppressed', 'unreadable', 'no_first'];

// Nobody is mailed by so many automations at once.
const MOST_TRIES = 20;

/**
 * Claims what is due for one person, each by appending to their journal: of two packs that want to, one fails, and looks
 * again. What this pack has claimed before is its own.
 */
export async function claimFor(
  needs: Needs,
  world: World,
  pack: Pack,
  [hash, dues]: PersonDue,
): Promise<Outcome> {
  const key = { organization: pack.organization, hash };
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    // From before the answer, which may be late.
    const now = needs.now();
    const person = await readPerson(needs, pack, hash, { consistent: attempt > 1, world });
    const { wanted, claimed, skips, lost } = decide(world, pack, hash, dues, person, now);
    // What was read may be from before a change that makes them due: to pass somebody over takes a look at what is so now.
    if (attempt === 1 && (lost.length > 0 || skips.some(({ reason }) => ofPerson.includes(reason)))) continue;
    let { hasHead } = person;
    let isOvertaken = false;
    for (const next of wanted) {
      const first = hasHead ? undefined : next.membership;
      await rememberChoice(needs, world, pack.organization, next.choice);
      isOvertaken = !(await recipient.writeClaim(needs.table, key, next.claim, first));
      if (isOvertaken) break;
      hasHead = true;
      const { choice: _, ...claim } = next;
      claimed.push(claim);
    }
    if (isOvertaken) continue;
    await deleteStray(needs, pack, hash, dues, skips);
    return { claimed, lost, skips };
  }
  throw new Error('Another sender was faster each time');
}

const WITHOUT_ROW: Skipped[] = ['not_due', 'not_subscribed', 'suppressed'];

/** Who is not due may have been found by a trigger row that a dead process left behind. */
async function deleteStray(
  { table, now }: Needs,
  { organization, sources }: Pack,
  hash: string,
  dues: PersonDue[1],
  skips: Skip[],
): Promise<void> {
  for (const { source, reason } of skips) {
    const of = sources[source];
    const trigger = dues.find(([place]) => place === source)?.[1];
    if (!of || trigger === undefined || !WITHOUT_ROW.includes(reason)) continue;
    const key = { organization, hash };
    const row = recipient.triggerRow(of.list, of.column, instantOf(trigger), hash);
    const state = await recipient.read(table, key, of.list);
    await recipient.deleteStrayTriggers({ table, now: now() }, key, of.list, state, [row]);
  }
}

/** Stored before a claim names it, so that another process can post the claim. */
async function rememberChoice(
  { table }: Needs,
  { choices, storing }: World,
  organizationId: number,
  choice: combination.Choice,
): Promise<void> {
  if (choices.has(choice.id)) return;
  const stored = storing.get(choice.id) ?? combination.insert(table, organizationId, choice);
  storing.set(choice.id, stored);
  await stored;
  choices.set(choice.id, choice);
}

/** Far enough back for the caps, and for what else may have sent an occurrence that is not stale. */
const readPerson = (
  { table, now }: Needs,
  { organization, minute }: Pack,
  hash: string,
  { consistent, world }: { consistent: boolean; world?: World },
) => {
  const reach = world?.safeguards.enabled ? safeguards.LONGEST_WINDOW : 3 * STALE;
  return recipient.readPerson(
    table,
    { organization, hash },
    {
      since: new Date(Math.min(now().getTime(), instantOf(minute).getTime()) - reach),
      enough: world?.safeguards.enabled ? world.safeguards.max_emails_1_week : Number.POSITIVE_INFINITY,
      consistent,
    },
  );
};
