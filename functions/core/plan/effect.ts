import { eligibilityOf } from '#core/automation/automation.ts';
import * as holdout from '#core/organization/holdout.ts';
import type { Earners } from '#core/organization/safeguards.ts';
import * as sendingHours from '#core/organization/sending-hours.ts';
import { memberId } from '#core/recipient/recipient.key.ts';
import { earnersAfter } from '#core/reporting/earnings.ts';
import { touchedBy, withSafeguards } from '#core/sending/forecast/dry-run.ts';
import {
  isSent,
  type Predicted,
  type Needs as Predicting,
  predict,
  type State,
  sampledFrom,
} from '#core/sending/forecast/predict.ts';
import { FORECAST_DAYS } from '#shared/forecast.ts';
import { MOST_REACHED_SAMPLES } from '#shared/plan.ts';
import { WINDOWS } from '#shared/safeguards.ts';
import { NOT_SENT, type NotSent } from '#shared/send-status.ts';
import { DAY, startOfDay, startOfMinute } from '#shared/time.ts';
import type { Draft } from './changes.ts';
import type { StoredEffect } from './plan.store.ts';
import type { World } from './world.ts';

/** In 19 of 20 samples in which nobody is found, fewer than that divided by the sample's part are there. */
const NONE_FOUND = 3;

/** What senders would meet after a plan. What it leaves alone keeps its objects. */
function stateAfter(world: World, draft: Draft, now: Date, earners: Earners | undefined): State {
  const { state } = world;
  const hours = draft.sendingHours && sendingHours.changed(world.organization, draft.sendingHours, now);
  const organization = {
    ...world.organization,
    ...hours,
    ...(draft.holdout && holdout.setOf(draft.holdout)),
  };
  const automations = new Map(state.automations);
  for (const [id, { after }] of draft.automations) {
    if (after) automations.set(id, after);
    else automations.delete(id);
  }
  return {
    ...(draft.safeguards ? withSafeguards(draft.safeguards, earners)(state) : state),
    automations,
    linked: draft.linked.size > 0 ? new Map([...state.linked, ...draft.linked]) : state.linked,
    ...((draft.sendingHours || draft.holdout) && { organization }),
  };
}

/** The emails of 30 days with a plan and without it, for each person whom it may touch. */
export async function effectOf(needs: Predicting, world: World, draft: Draft): Promise<StoredEffect> {
  const before = world.state;
  const earners = await earnersAfter(needs, world.organization.id, draft.safeguards ?? {});
  const after = stateAfter(world, draft, needs.now, earners);
  // The minute that has begun is swept when it has ended.
  const from = startOfMinute(needs.now.getTime());
  const today = startOfDay(from);
  const interval = { from: new Date(from), until: new Date(today + FORECAST_DAYS * DAY) };
  const days = Array.from({ length: FORECAST_DAYS }, () => ({ more: 0, fewer: 0 }));
  const [newly, noLonger] = [newReached(), newReached()];
  const caps = new Map(WINDOWS.map(({ field }) => [field, { emails_now: 0, emails: 0 }]));
  const hindered = new Map<string, number>();
  const isTouched = touchedBy(before, after);
  const question = { states: [before, after], interval, isAsked: isTouched };
  const touched = [...after.automations.values()].filter(
    ({ id, active }) => active && (draft.automations.has(id) || draft.linked.has(id)),
  );
  const ids = new Set(touched.map(({ id }) => id));
  const predicted = async () =>
    predict(needs, question, ([had = [], has = []], { hash }) => {
      const counts = new Map<string, number>();
      const nameOf = ({ automation, due }: Predicted) => `${Math.floor((due - today) / DAY)} ${automation}`;
      for (const [emails, by] of [[had, -1] as const, [has, 1] as const])
        for (const email of emails.filter(isSent))
          counts.set(nameOf(email), (counts.get(nameOf(email)) ?? 0) + by);
      let moved = 0;
      for (const [name, count] of counts) {
        const day = days[Number.parseInt(name, 10)];
        if (day) day[count > 0 ? 'more' : 'fewer'] += Math.abs(count);
        moved += Math.abs(count);
      }
      newly.add(reachedBy(has, had), hash);
      noLonger.add(reachedBy(had, has), hash);
      for (const [emails, when] of [[had, 'emails_now'] as const, [has, 'emails'] as const])
        for (const { notSent } of emails) {
          const cap =
            notSent && caps.get(notSent.replace(/^capped:/, '') as (typeof WINDOWS)[number]['field']);
          if (cap) cap[when]++;
        }
      for (const { automation, notSent } of has)
        if (notSent && ids.has(automation) && !notSent.startsWith('capped:'))
          increment(hindered, `${automation} ${notSent}`);
      return moved;
    });
  const { scaled, ...looked } =
    draft.changes.length > 0
      ? await predicted()
      : { scaled: (count: number) => count, sampled: null, counted_share: 1 };
  // What sends nothing to anybody may have nobody due in these days.
  for (const { id, email_list_ids } of touched) {
    const isOff = email_list_ids.some(list => !after.lists.get(list)?.active);
    const lacks: [boolean, NotSent][] = [
      [isOff, 'list_off'],
      [!eligibilityOf(after.linked.get(id)).is_eligible, 'no_content'],
    ];
    for (const [is, reason] of lacks) if (is) increment(hindered, `${id} ${reason}`, 0);
  }
  const { sampled, counted_share } = looked;
  /** What may be left out where none is found: https://en.wikipedia.org/wiki/Rule_of_three_(statistics) */
  const unseen = sampled
    ? Math.min(sampled.of, Math.ceil((NONE_FOUND / sampled.people) * sampled.of))
    : counted_share < 1
      ? NONE_FOUND
      : 0;
  const leastMargin = mayReach(world, draft) ? unseen : 0;
  const of = sampled?.of;
  return {
    days: days.map(({ more, fewer }, nth) => ({
      date: new Date(today + nth * DAY).toISOString().slice(0, 10),
      more: scaled(more),
      fewer: scaled(fewer),
    })),
    newly_reached: newly.shown(scaled, of, leastMargin),
    no_longer_reached: noLonger.shown(scaled, of, leastMargin),
    binding_caps: [...caps]
      .map(([cap, of]) => ({ cap, emails_now: scaled(of.emails_now), emails: scaled(of.emails) }))
      .filter(({ emails_now, emails }) => emails_now + emails > 0),
    obstacles: [...hindered].map(([name, emails]) => {
      const [id = '', reason] = name.split(' ') as [string, NotSent];
      return {
        automation: after.automations.get(id)?.name ?? '',
        reason,
        text: NOT_SENT[reason],
        emails: scaled(emails),
      };
    }),
    ...looked,
  };
}

/** A new wording of what is sent anyway reaches the same people. */
const mayReach = ({ state }: World, { automations, linked, safeguards, sendingHours, holdout }: Draft) =>
  Boolean(automations.size > 0 || safeguards || sendingHours || holdout) ||
  [...linked].some(
    ([id, after]) => eligibilityOf(state.linked.get(id)).is_eligible !== eligibilityOf(after).is_eligible,
  );

const increment = (counts: Map<string, number>, name: string, by = 1) =>
  counts.set(name, (counts.get(name) ?? 0) + by);

/** The list of the first email of an automation that sends them none of the others. */
function reachedBy(emails: Predicted[], others: Predicted[]): string | undefined {
  const known = new Set(others.filter(isSent).map(({ automation }) => automation));
  return emails.find(email => isSent(email) && !known.has(email.automation))?.list;
}

function newReached() {
  const counts: number[] = [];
  const samples: string[] = [];
  return {
    add: (list: string | undefined, hash: string) => {
      counts.push(list === undefined ? 0 : 1);
      if (list !== undefined && samples.length < MOST_REACHED_SAMPLES) samples.push(memberId(list, hash));
    },
    shown(scaled: (count: number) => number, of = counts.length, unseen = 0) {
      const count = scaled(counts.reduce((sum, one) => sum + one, 0));
      return { count, margin: count === 0 ? unseen : (sampledFrom(counts, of)?.margin ?? 0), samples };
    },
  };
}
