import type { Table } from '#core/storage/table.store.ts';
import type { Difference, Effect } from '#shared/dry-run.ts';
import { DAY, startOfMinute } from '#shared/time.ts';

import { Estimate, readPeople } from '../forecast/people.ts';
import { type Email, emailsOf, type Prepared, prepare } from '../forecast/person.ts';
import { readPlan, type Source } from '../forecast/plan.ts';
import { peopleWithDates } from '../predict.ts';
import type { PlannedChange } from './planned.ts';

const WEEK = 7 * DAY;

type Needs = { table: Table; now: Date; hasTime: (besides?: number) => boolean };

/**
 * The effect of a change on the emails of the next week. Each person is decided on as by a sender, once with the change and
 * once without it. Nothing is stored.
 */
export async function effectOf(needs: Needs, organizationId: number, change: PlannedChange): Promise<Effect> {
  const { table, now, hasTime } = needs;
  const stored = await readPlan(table, organizationId);
  const [before, after] = [prepare(stored, now), prepare(change(stored), now)];
  // The minute that has begun is swept when it has ended.
  const from = startOfMinute(now.getTime());
  const interval = { from: new Date(from), until: new Date(from + WEEK) };
  const { people, share } = await peopleWithDates(needs, affected(before, after));
  const week = new DifferenceSum(WEEK);
  const day = new DifferenceSum(DAY);
  const estimate = new Estimate();
  let first = Number.POSITIVE_INFINITY;
  const read = await readPeople(
    { table, now, hasTime },
    [before.plan, after.plan],
    people,
    (hash, person) => {
      const [without, with_] = [before, after].map(one =>
        emailsOf(one, hash, person, interval).filter(({ notSent }) => !notSent),
      ) as [Email[], Email[]];
      const known = new Set(without.map(nameOf));
      const [next] = with_.filter(email => !known.has(nameOf(email)));
      if (next) first = Math.min(first, next.due);
      day.add(from, without, with_);
      estimate.add(week.add(from, without, with_));
    },
  );
  return {
    next_24_hours: day.difference(read, people.size),
    next_7_days: week.difference(read, people.size),
    first_at: Number.isFinite(first) ? new Date(first).toISOString() : null,
    sampled: estimate.sampled(read, people.size),
    counted_share: share,
  };
}

const nameOf = ({ automation, due }: Email) => `${automation} ${due}`;

/**
 * The sources whose emails a change may affect. A change keeps the objects that it does not touch, so they are compared by
 * identity.
 */
function affected(before: Prepared, after: Prepared): Source[] {
  const [from, to] = [before.plan, after.plan];
  const isTouched = ({ list, automation }: Source) =>
    from.lists.get(list) !== to.lists.get(list) ||
    from.automations.get(automation) !== to.automations.get(automation) ||
    from.linked.get(automation) !== to.linked.get(automation) ||
    from.organization !== to.organization ||
    from.safeguards !== to.safeguards;
  return [...before.sources, ...after.sources].filter(isTouched);
}

/** Sums up, over people, by how many emails within a length of time they differ. */
class DifferenceSum {
  readonly #length: number;
  #emails = 0;
  #more = 0;
  #fewer = 0;

  constructor(length: number) {
    this.#length = length;
  }

  /** Adds one person, and returns how many more emails they get. */
  add(from: number, without: Email[], with_: Email[]): number {
    const within = (emails: Email[]) => emails.filter(({ due }) => due < from + this.#length).length;
    const difference = within(with_) - within(without);
    this.#emails += difference;
    if (difference > 0) this.#more++;
    if (difference < 0) this.#fewer++;
    return difference;
  }

  difference(read: number, people: number): Difference {
    const scaled = (count: number) => (read > 0 ? Math.round((count * people) / read) : 0);
    return {
      emails: scaled(this.#emails),
      people_more: scaled(this.#more),
      people_fewer: scaled(this.#fewer),
    };
  }
}
