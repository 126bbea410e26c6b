import * as automations from '#core/automation/automation.store.ts';
import { isBroadcast } from '#core/id.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { inParallel } from '#core/parallel.ts';
import * as rollup from '#core/sending/rollup.ts';
import type { Table } from '#core/storage/table.store.ts';
import { dayAfter } from '#shared/report/range.ts';
import type { Gain } from '#shared/reporting.ts';
import { rangeOf } from './allocation-model.ts';
import { tooMuch } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

/** What the emails of an automation led to, in all. */
export type Result = { emails: number; total: number; variance: number };

export type Earnings = {
  /** Clicks, where nothing proves of any automation what value it has. */
  by: 'value' | 'clicks';
  /** By the hash of the automation. */
  earned: Map<string, Result>;
  complained: Map<string, Result>;
};

export const EARNING_DAYS = 30;
const DAYS_OF_PART = 10;

/** The last days up to today. */
export const earningDays = (now: Date) => {
  const to = now.toISOString().slice(0, 10);
  return { from: dayAfter(to, 1 - EARNING_DAYS), to };
};

type OfCombination = {
  sent: number;
  complained: number;
  sentBy: Map<string, number>;
  /** On a day. */
  converted: { value: number; conversions: number }[];
};
type OfDay = { sent: number; clicked: number };

export async function readEarnings(
  { table, now, hasTimeLeft }: Needs,
  organization: number,
): Promise<Earnings> {
  const combinations = new Map<string, OfCombination>();
  const clicks = new Map<string, Map<string, OfDay>>();
  await rollup.readInParts(table, organization, earningDays(now), DAYS_OF_PART, items => {
    if (!hasTimeLeft()) throw tooMuch();
    for (const item of items) {
      const sums = new Map<string, rollup.Sums>();
      rollup.addTo(sums, item);
      for (const [id, { sent, complained, value, conversions }] of sums) {
        const none: OfCombination = { sent: 0, complained: 0, sentBy: new Map(), converted: [] };
        const of = combinations.get(id) ?? none;
        combinations.set(id, of);
        of.sent += sent;
        of.complained += complained;
        if (conversions > 0) of.converted.push({ value, conversions });
      }
      for (const { day, automation, combination, counted, count } of rollup.countsByAutomation(item)) {
        const days = clicks.get(automation) ?? new Map<string, OfDay>();
        clicks.set(automation, days);
        const ofDay = days.get(day) ?? { sent: 0, clicked: 0 };
        days.set(day, { ...ofDay, [counted]: ofDay[counted] + count });
        const sentBy = combinations.get(combination)?.sentBy;
        if (counted === 'sent') sentBy?.set(automation, (sentBy.get(automation) ?? 0) + count);
      }
    }
  });
  // Value and complaints are counted by combination. Where several automations send one, each has its share of the emails.
  const sharesOf = (automation: string) =>
    [...combinations.values()].flatMap(({ sentBy, sent, ...of }) => {
      const own = sentBy.get(automation);
      return own ? [{ ...of, share: own / sent }] : [];
    });
  const all = [...clicks].flatMap(([automation, days]) => {
    const emails = sum([...days.values()].map(({ sent }) => sent));
    if (emails === 0) return [];
    const shares = sharesOf(automation);
    const complaints = sum(shares.map(({ share, complained }) => share * complained));
    return [
      {
        automation,
        value: { emails, ...convertedOf(shares) },
        clicked: { emails, ...clicksOf([...days.values()]) },
        complained: { emails, total: complaints, variance: complaints },
      },
    ];
  });
  const by = all.some(({ value }) => isKnown(value)) ? 'value' : 'clicks';
  const named = (result: 'value' | 'clicked' | 'complained') =>
    new Map(all.map(of => [of.automation, of[result]]));
  return { by, earned: named(by === 'value' ? 'value' : 'clicked'), complained: named('complained') };
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/** Conversions happen by themselves. How much their amounts differ shows between days and combinations. */
function convertedOf(of: { share: number; converted: OfCombination['converted'] }[]): Omit<Result, 'emails'> {
  const all = of.flatMap(({ share, converted }) => converted.map(one => ({ share, ...one })));
  const total = sum(all.map(({ share, value }) => share * value));
  const conversions = sum(all.map(one => one.share * one.conversions));
  if (conversions === 0) return { total: 0, variance: 0 };
  const mean = total / conversions;
  const spread = sum(all.map(({ conversions, value }) => conversions * (value / conversions - mean) ** 2));
  const differing = all.length > 1 ? spread / (all.length - 1) : mean ** 2;
  return { total, variance: conversions * (mean ** 2 + differing) };
}

/** Clicks vary more than by chance where days differ. */
function clicksOf(days: OfDay[]): Omit<Result, 'emails'> {
  const total = sum(days.map(({ clicked }) => clicked));
  const rate = total / sum(days.map(({ sent }) => sent));
  const sending = days.filter(({ sent }) => rate * sent > 0);
  const chi = sum(sending.map(({ sent, clicked }) => (clicked - rate * sent) ** 2 / (rate * sent)));
  return { total, variance: total * Math.max(1, chi / Math.max(1, sending.length - 1)) };
}

const LEAST = 20;
const isKnown = ({ total, variance }: Pick<Result, 'total' | 'variance'>) =>
  total !== 0 && total ** 2 >= LEAST * variance;

/** A range that holds on any day; null while too little is known. */
export function probably(total: number, variance: number): Gain | null {
  if (!isKnown({ total, variance })) return null;
  const { from, to } = rangeOf(0, variance / total ** 2);
  const ends = [from, to].map(end => total * (1 + end)).sort((a, b) => a - b);
  const [least = 0, most = 0] = ends;
  return { estimate: total, from: least, to: most };
}

/** What an email earns at least, so that luck with few of them does not lead. */
const provenOf = ({ emails, total, variance }: Result) => (probably(total, variance)?.from ?? 0) / emails;

/** The ids of the active automations of which something is proven, the best first. */
async function earnersOf(needs: Needs, organization: number): Promise<string[]> {
  const [all, { earned }] = await Promise.all([
    automations.readAll(needs.table, organization),
    readEarnings(needs, organization),
  ]);
  return all
    .filter(({ id, active }) => active && !isBroadcast(id))
    .flatMap(({ id }) => {
      const result = earned.get(rollup.automationHash(id));
      const proven = result ? provenOf(result) : 0;
      return proven > 0 ? [{ id, proven }] : [];
    })
    .sort((a, b) => b.proven - a.proven || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

const tomorrowOf = (now: Date) => dayAfter(now.toISOString().slice(0, 10), 1);

/** As they would be stored for tomorrow. */
export const earnersFrom = async (needs: Needs, organization: number): Promise<safeguards.Earners> => ({
  [tomorrowOf(needs.now)]: await earnersOf(needs, organization),
});

const ORGANIZATIONS_AT_ONCE = 4;

type Running = {
  table: Table;
  now: () => Date;
  hasTimeLeft: () => boolean;
  failed: (of: { organization: number }, error: unknown) => void;
};

/** Stores, before each UTC day, what earns most in organizations whose emails go by that. Run twice, it stores it once. */
export async function rankEarners({ table, now, hasTimeLeft, failed }: Running): Promise<number> {
  const day = tomorrowOf(now());
  let stored = 0;
  const all = await safeguards.organizationsByValue(table);
  await inParallel(all, ORGANIZATIONS_AT_ONCE, async organization => {
    if (!hasTimeLeft()) return;
    try {
      const compute = async () => {
        const ids = await earnersOf({ table, now: now(), hasTimeLeft }, organization);
        return automations.isSettled(day, now()) ? undefined : ids;
      };
      if (await safeguards.storeEarners(table, organization, day, compute)) stored++;
    } catch (error) {
      failed({ organization }, error);
    }
  });
  return stored;
}
