import * as automations from '#core/automation/automation.store.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { inParallel } from '#core/parallel.ts';
import * as rollup from '#core/sending/rollup.ts';
import type { Table } from '#core/storage/table.store.ts';
import { dayAfter } from '#shared/report/range.ts';
import type { EarnedBy } from '#shared/reporting.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';
import type { Needs as Running } from './allocation.ts';
import { getOrAdd, isKnown, probably, type Sum } from './allocation-model.ts';
import { tooMuch } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

/** What the emails of an automation led to. `earned` are clicks, where nothing proves of any automation what value it has. */
type Result = { emails: number; earned: Sum; complained: Sum };
/** By the hash of the automation. */
type Earnings = { by: EarnedBy; results: Map<string, Result> };

export const EARNING_DAYS = 30;
const DAYS_OF_PART = 10;

/** The last days up to today. */
export const earningDays = (now: Date) => {
  const to = now.toISOString().slice(0, 10);
  return { from: dayAfter(to, 1 - EARNING_DAYS), to };
};

type OwnCounts = Map<string, rollup.OwnCounts>;
const newMap = (): OwnCounts => new Map();

export async function readEarnings(
  { table, now, hasTimeLeft }: Needs,
  organization: number,
): Promise<Earnings> {
  const sums = new Map<string, rollup.Sums>();
  /** By combination: those of the days on which something was reported. */
  const reported = new Map<string, rollup.Sums[]>();
  /** By automation. */
  const [days, combinations] = [new Map<string, OwnCounts>(), new Map<string, OwnCounts>()];
  await rollup.readInParts(table, organization, earningDays(now), DAYS_OF_PART, items => {
    if (!hasTimeLeft()) throw tooMuch();
    for (const item of items) {
      const ofDay = new Map<string, rollup.Sums>();
      rollup.addTo(ofDay, item);
      for (const [id, of] of ofDay) {
        const all = getOrAdd(sums, id, rollup.noSums);
        all.sent += of.sent;
        all.complained += of.complained;
        if (of.reported > 0) getOrAdd(reported, id, () => []).push(of);
      }
      for (const { day, automation, combination, counted, count } of rollup.countsByAutomation(item)) {
        getOrAdd(getOrAdd(days, automation, newMap), day, rollup.noCounts)[counted] += count;
        getOrAdd(getOrAdd(combinations, automation, newMap), combination, rollup.noCounts)[counted] += count;
      }
    }
  });
  const all = [...days].map(([automation, byDay]) => {
    const ofDays = [...byDay.values()];
    // Value and complaints are counted by combination. Where several automations send one, each has its share of the emails.
    const shares = [...(combinations.get(automation) ?? [])].map(([id, own]) => {
      const { sent, complained } = sums.get(id) ?? rollup.noSums();
      return { share: sent > 0 ? own.sent / sent : 0, complained, converted: reported.get(id) ?? [] };
    });
    const complaints = sum(shares.map(({ share, complained }) => share * complained));
    return {
      automation,
      emails: sum(ofDays.map(({ sent }) => sent)),
      value: convertedOf(shares),
      clicks: clicksOf(ofDays),
      complained: { total: complaints, variance: complaints },
    };
  });
  const by = all.some(({ value }) => isKnown(value)) ? 'value' : 'clicks';
  const results = all.map(({ automation, emails, complained, [by]: earned }) => {
    return [automation, { emails, earned, complained }] as const;
  });
  return { by, results: new Map(results) };
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/** Conversions happen by themselves. How much their amounts differ shows between days and combinations. */
function convertedOf(of: { share: number; converted: rollup.Sums[] }[]): Sum {
  const all = of.flatMap(({ share, converted }) => converted.map(one => ({ share, ...one })));
  const total = sum(all.map(({ share, value }) => share * value));
  const conversions = sum(all.map(({ share, reported }) => share * reported));
  if (conversions === 0) return { total: 0, variance: 0 };
  const mean = total / conversions;
  const spread = sum(all.map(({ reported, value }) => reported * (value / reported - mean) ** 2));
  const differing = all.length > 1 ? spread / (all.length - 1) : mean ** 2;
  return { total, variance: conversions * (mean ** 2 + differing) };
}

/** Clicks vary more than by chance where days differ. */
function clicksOf(days: rollup.OwnCounts[]): Sum {
  const total = sum(days.map(({ clicked }) => clicked));
  const rate = total / sum(days.map(({ sent }) => sent));
  const sending = days.filter(({ sent }) => rate * sent > 0);
  const chi = sum(sending.map(({ sent, clicked }) => (clicked - rate * sent) ** 2 / (rate * sent)));
  return { total, variance: total * Math.max(1, chi / Math.max(1, sending.length - 1)) };
}

/** What so many emails of each automation probably lead to. `unknown` are those of automations that sent nothing. */
export function expected(
  counts: [automation: string, emails: number][],
  { results }: Earnings,
  of: 'earned' | 'complained',
) {
  const sums = { total: 0, variance: 0, unknown: 0 };
  for (const [automation, count] of counts) {
    const { emails = 0, [of]: known } = results.get(rollup.automationHash(automation)) ?? {};
    if (!known || emails === 0) sums.unknown += count;
    else {
      sums.total += (count * known.total) / emails;
      sums.variance += (count / emails) ** 2 * known.variance;
    }
  }
  return sums;
}

/** The ids of the active automations of which something is proven, the best first. */
async function earnersOf(needs: Needs, organization: number): Promise<string[]> {
  const [all, { results }] = await Promise.all([
    automations.readAll(needs.table, organization),
    readEarnings(needs, organization),
  ]);
  // The least that an email earns, so that luck with few of them does not lead.
  const provenOf = (id: string) => {
    const { emails = 0, earned } = results.get(rollup.automationHash(id)) ?? {};
    return earned && emails > 0 ? (probably(earned)?.from ?? 0) / emails : 0;
  };
  return all
    .map(({ id, active }) => ({ id, proven: active ? provenOf(id) : 0 }))
    .filter(({ proven }) => proven > 0)
    .sort((a, b) => b.proven - a.proven || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

const tomorrowOf = (now: Date) => dayAfter(now.toISOString().slice(0, 10), 1);

/** As they would be stored for tomorrow, if a change of the safeguards lets emails go by them. */
export async function earnersAfter(
  needs: Needs,
  organization: number,
  { order }: SafeguardsChange,
): Promise<safeguards.Earners | undefined> {
  if (order !== 'value') return undefined;
  const before = await safeguards.read(needs.table, organization);
  if (before.order === 'value') return undefined;
  return { [tomorrowOf(needs.now)]: await earnersOf(needs, organization) };
}

const ORGANIZATIONS_AT_ONCE = 4;

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
