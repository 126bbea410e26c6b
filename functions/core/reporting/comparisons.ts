import * as automations from '#core/automation/automation.store.ts';
import type { Active } from '#core/organization/organization.ts';
import { inParallel } from '#core/parallel.ts';
import { Refusal } from '#core/refusal.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import type {
  AutomationComparison,
  ComparedBy,
  Comparing,
  Comparisons,
  ComparisonsQuery,
} from '#shared/comparisons.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import { compareNames } from '#shared/names.ts';
import { combinationTitles, variantLabels } from '#shared/report/combination-titles.ts';
import { dayAfter } from '#shared/report/range.ts';
import {
  addSums,
  type ComparedRow,
  type Comparison,
  type Counts,
  compare,
  countsOfVariants,
  hasUnevenShares,
  noSums,
  type Sums,
  type SumsById,
  sumsOf,
} from '#shared/report/significance.ts';
import { getOrAdd } from './allocation-model.ts';
import { type Described, describedOf, readChoices, readNamed } from './described-combinations.ts';
import { namesIn, shortened } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

type Asked = Partial<ComparisonsQuery> & { mostRows?: number };

/**
 * All that was ever sent is compared, as each beginning would be a new test. Of the months before the last one, to whose
 * emails hardly a click is still added, sums are kept.
 */
export async function comparisons(
  needs: Needs,
  active: Active,
  { by = 'clicks', mostRows = MOST_ROWS }: Asked = {},
): Promise<Comparisons> {
  const { table, now } = needs;
  const organization = active.organization.id;
  const to = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const ended = monthsAfter(to, -1);
  const [all, kept, counted_until] = await Promise.all([
    automations.readAll(table, organization),
    automations.readKept(table, organization),
    countedUntil(needs),
  ]);
  const { alone, together } = byHash(all);
  await keepUntil(needs, { organization, alone, kept }, ended);
  const counts = await readByAutomation(needs, organization, { from: ended, to });
  const { summed, choices } = await sumsOfDays(needs, { organization, alone, kept }, counts);
  const sources = alone
    .flatMap(({ id, name }) => {
      const [before, recent] = [kept.get(id), summed.get(id)];
      const since = before?.since ?? recent?.since ?? to;
      const groups = merged(groupsIn(before), recent?.groups);
      const isUneven = recent?.isUneven ?? false;
      return sentIn(groups.get('combinations')) > 1 ? [{ id, name, since, groups, isUneven }] : [];
    })
    .sort((a, b) => compareNames(a.name, b.name));
  const shown = cutToFit(judged(sources, by), mostRows);
  const shownIds = idsIn(shown.map(({ combinations }) => combinations));
  const known = new Set(choices.map(({ id }) => id));
  const others = await readChoices(
    table,
    organization,
    shownIds.filter(id => !known.has(id)),
  );
  const isShown = new Set(shownIds);
  const [described, variants] = await Promise.all([
    describedOf(
      table,
      active,
      shownIds,
      [...choices, ...others].filter(({ id }) => isShown.has(id)),
    ),
    readNamed(table, organization, idsIn(shown.flatMap(({ parts }) => parts))),
  ]);
  const byId = new Map(described.map(combination => [combination.id, combination]));
  return {
    by,
    since: sources.map(({ since }) => since).sort()[0] ?? to,
    automations: shown.map(automation => named(automation, byId, variants)),
    not_compared: together
      .filter(({ hash }) => counts.has(hash))
      .map(({ id, name }) => ({ automation_id: id, automation: name })),
    counted_until,
  };
}

/** The first day of the month that is so many months later. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/**
 * The sums of clicks of combinations, and of the variants of each part. Those of conversions have the same names, marked, and are
 * left out where nobody converted.
 */
type Groups = Map<string, SumsById>;
const OF_CONVERSIONS = ' by conversions';
type Known = { organization: number; alone: Hashed[]; kept: Map<string, automations.Kept> };

const MONTHS_AT_ONCE = 3;
const MOST_WRITTEN_AT_ONCE = 8;

/** Adds ended months to the sums that are kept, and stores them. What a call has no time for is left to the next one. */
async function keepUntil(needs: Needs, known: Known, ended: string): Promise<void> {
  const { organization, kept } = known;
  const before = kept.get('');
  let until = before?.until ?? (await rollup.firstAndLast(needs.table, organization))?.first ?? ended;
  if (before && until >= ended) return;
  do {
    const from = until;
    const next = monthsAfter(from, MONTHS_AT_ONCE);
    until = next < ended ? next : ended;
    const counts = await readByAutomation(needs, organization, { from, to: dayAfter(until, -1) });
    const { summed } = await sumsOfDays(needs, known, counts);
    await inParallel([...summed], MOST_WRITTEN_AT_ONCE, async ([automation, { since, groups }]) => {
      const old = kept.get(automation);
      const sums = packed(merged(groupsIn(old), groups));
      const added = { until, since: old?.since ?? since, sums };
      await automations.keep(needs.table, { organization, automation }, old, added);
      kept.set(automation, added);
    });
    await automations.keep(needs.table, { organization, automation: '' }, kept.get(''), { until });
    kept.set('', { until });
  } while (until < ended);
}

const groupsIn = ({ sums = {} }: Partial<automations.Kept> = {}): Groups =>
  new Map(Object.entries(sums).map(([group, byId]) => [group, new Map(Object.entries(byId))]));

// 220 bytes each, those of clicks and of conversions together: an item has 400 KB.
const MOST_KEPT = 1_500;

/** Of more, those with the fewest emails begin anew. */
function packed(groups: Groups): automations.Kept['sums'] {
  const all = [...groups].flatMap(([group, byId]) => [...byId].map(([id, sums]) => ({ group, id, sums })));
  const most = all.sort((a, b) => b.sums.sent - a.sums.sent).slice(0, MOST_KEPT);
  const kept: Record<string, Record<string, Sums>> = {};
  for (const { group, id, sums } of most) {
    kept[group] ??= {};
    kept[group][id] = sums;
  }
  return kept;
}

function merged(groups: Groups, added: Groups = new Map()): Groups {
  for (const [group, byId] of added) {
    const sums = getOrAdd(groups, group, () => new Map());
    addSums(sums, byId);
  }
  return groups;
}

const sentIn = (byId: SumsById = new Map()) => [...byId.values()].filter(({ sent }) => sent > 0).length;

/** By automation, of the days that are not in its kept sums. Days on which its content was changed are not compared. */
async function sumsOfDays({ table, hasTimeLeft }: Needs, known: Known, counts: CountsByAutomation) {
  const { organization, alone, kept } = known;
  const sources = alone.flatMap(({ id, hash }) => {
    const ofAutomation = counts.get(hash);
    return ofAutomation ? [{ id, days: sentSince(ofAutomation, kept.get(id)?.until ?? '') }] : [];
  });
  const sent = sources.filter(({ days }) => days.length > 0);
  const [choices, changed] = await Promise.all([
    readChoices(table, organization, [...new Set(sent.flatMap(({ days }) => days.map(({ id }) => id)))]),
    automations.readChangedDays(
      table,
      organization,
      sent.map(({ id }) => id),
    ),
  ]);
  const partsOf = new Map(choices.map(({ id, assets }) => [id, assets ?? {}]));
  const summed = new Map(
    sent.map(({ id, days }) => {
      if (!hasTimeLeft()) throw tooMuchToCompare();
      const counts = days.map(day => ({ ...day, parts: partsOf.get(day.id) ?? {} }));
      const choices = new Map<string, (Counts & rollup.OwnCounts)[]>([
        ['combinations', counts],
        ...PART_NAMES.map(part => [part, countsOfVariants(counts, part)] as const),
      ]);
      const leftOut = new Set([
        ...(changed.get(id) ?? []),
        ...counts.filter(isByShares).map(({ day = '' }) => day),
      ]);
      const groups: Groups = new Map(
        [...choices].map(([group, ofGroup]) => [group, sumsOf(ofGroup, leftOut)]),
      );
      if (days.some(({ conversions }) => conversions > 0))
        for (const [group, ofGroup] of choices)
          groups.set(group + OF_CONVERSIONS, sumsOf(ofGroup.map(byConversions), leftOut));
      // Of too many combinations a day has some alone, so that their shares are unequal by chance.
      const isUneven =
        sentIn(groups.get('combinations')) < MOST_COMBINATIONS &&
        [...choices.values()].some(ofGroup =>
          hasUnevenShares(
            ofGroup.filter(one => !isByShares(one)),
            changed.get(id),
          ),
        );
      const [since = ''] = days.map(({ day = '' }) => day.slice(0, 'yyyy-mm-dd'.length)).sort();
      return [id, { since, groups, isUneven }] as const;
    }),
  );
  return { summed, choices };
}

const byConversions = ({ id, day, sent, conversions: clicked }: Counts & rollup.OwnCounts) =>
  day === undefined ? { id, sent, clicked } : { id, day, sent, clicked };

const sentSince = (counts: Map<string, Map<string, DayCounts>>, since: string) =>
  [...counts].flatMap(([id, days]) =>
    [...days.values()].filter(({ day, sent }) => sent > 0 && day >= since).map(day => ({ id, ...day })),
  );

type Hashed = { id: string; name: string; hash: string };

/** Those with the same hash are counted together, so none of them is compared: one pair of automations in 60 million. */
function byHash(all: automations.StoredAutomation[]): { alone: Hashed[]; together: Hashed[] } {
  const hashed = all.map(({ id, name }) => ({ id, name, hash: rollup.automationHash(id) }));
  const groups = [...Map.groupBy(hashed, ({ hash }) => hash).values()];
  return {
    alone: groups.filter(group => group.length === 1).flat(),
    together: groups.filter(group => group.length > 1).flat(),
  };
}

type DayCounts = rollup.OwnCounts & { day: string };
/** By the hash of an automation, by combination, by day. */
type CountsByAutomation = Map<string, Map<string, Map<string, DayCounts>>>;

// Of 5,000 combinations, so many days are some 6 MB. A query returns 1 MB at a time.
const DAYS_OF_PART = 12;

/** By combination and day. */
async function readByAutomation(
  { table, hasTimeLeft }: Needs,
  organization: number,
  days: rollup.Days,
): Promise<CountsByAutomation> {
  const counts: CountsByAutomation = new Map();
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    for (const item of items) for (const counted of rollup.countsByAutomation(item)) add(counts, counted);
    if (!hasTimeLeft()) throw tooMuchToCompare();
  });
  return counts;
}

function add(
  counts: CountsByAutomation,
  { automation, combination, day: date, counted, weighted, count }: rollup.CountsOfAutomation,
): void {
  const ofAutomation = getOrAdd(counts, automation, () => new Map());
  const ofCombination = getOrAdd(ofAutomation, combination, () => new Map());
  const day = weighted ? `${date}${BY_SHARES}` : date;
  getOrAdd(ofCombination, day, () => ({ day, ...rollup.noCounts() }))[counted] += count;
}

/**
 * Ends the name of a day on which emails were chosen by shares. These are counted, but not compared: their rest is mostly the
 * best one, and the parts of all emails of the day are not independent. The tenth at equal shares is compared.
 */
const BY_SHARES = ' by shares';
const isByShares = ({ day = '' }: Counts) => day.endsWith(BY_SHARES);

/** Rows before they get their names. */
type Row = ComparedRow & { conversions: number };
type Rows = Pick<Comparing, 'result' | 'left_out'> & { rows: Row[] };
type Judged = Pick<AutomationComparison, 'automation_id' | 'automation' | 'has_uneven_shares'> & {
  combinations: Rows;
  parts: (Rows & Pick<AutomationComparison['parts'][number], 'part'>)[];
};

type Source = { id: string; name: string; groups: Groups; isUneven: boolean };

/** All at once, since what is claimed of one depends on how many claims there are. */
function judged(sources: Source[], by: ComparedBy): Judged[] {
  const groups = sources.flatMap(({ groups }) =>
    [...groups].flatMap(([group, clicks]) => {
      if (group.endsWith(OF_CONVERSIONS) || (group !== 'combinations' && sentIn(clicks) <= 1)) return [];
      const conversions = ofConversions(clicks, groups.get(group + OF_CONVERSIONS));
      return [{ clicks, conversions }];
    }),
  );
  const compared = compare(groups.map(of => of[by]));
  const comparisons = new Map(
    groups.map(({ clicks, conversions }, at) => {
      const { result, rows } = compared[at] as Comparison;
      const counted = rows.map(row => ({
        ...row,
        clicked: clicks.get(row.id)?.clicked ?? 0,
        conversions: conversions.get(row.id)?.clicked ?? 0,
      }));
      return [clicks, { result, rows: counted, left_out: 0 }];
    }),
  );
  return sources.map(({ id, name, groups, isUneven }) => ({
    automation_id: id,
    automation: name,
    has_uneven_shares: isUneven,
    combinations: comparisons.get(groups.get('combinations') as SumsById) as Rows,
    parts: PART_NAMES.flatMap(part => {
      const rows = comparisons.get(groups.get(part) as SumsById);
      return rows ? [{ part, ...rows }] : [];
    }),
  }));
}

/** The same emails, of which none may have led to a conversion. */
const ofConversions = (clicks: SumsById, conversions: SumsById = new Map()): SumsById =>
  new Map([...clicks].map(([id, { sent }]) => [id, { ...(conversions.get(id) ?? noSums()), sent }]));

// With names of 100 characters of four bytes each, this is less than the 6 MB of an answer.
const MOST_ROWS = 5_000;
const LONGEST_NAME = 100;

/** As many as an answer holds: first those with a verdict, then those with the most sends. */
function cutToFit(all: Judged[], mostRows: number): Judged[] {
  const combinations = kept(
    all.map(({ combinations }) => combinations),
    mostRows,
  );
  const parts = kept(
    all.flatMap(({ parts }) => parts),
    mostRows,
  );
  return all.map(comparison => ({
    ...comparison,
    combinations: cut(comparison.combinations, combinations),
    parts: comparison.parts.map(part => ({ ...part, ...cut(part, parts) })),
  }));
}

function kept(all: Rows[], most: number): Set<Row> {
  const isClaimed = ({ verdict }: Row) => verdict === 'better' || verdict === 'worse';
  const rows = all.flatMap(({ rows }) => rows);
  if (rows.length <= most) return new Set(rows);
  const sorted = rows.sort((a, b) => Number(isClaimed(b)) - Number(isClaimed(a)) || b.sent - a.sent);
  return new Set(sorted.slice(0, most));
}

function cut({ result, rows }: Rows, keep: Set<Row>): Rows {
  const left = rows.filter(row => keep.has(row));
  return { result, rows: left, left_out: rows.length - left.length };
}

const idsIn = (all: Rows[]) => [...new Set(all.flatMap(({ rows }) => rows.map(({ id }) => id)))];

/** With names that tell the rows of each comparison apart. */
function named(
  { combinations, parts, ...automation }: Judged,
  described: Map<string, Described>,
  variants: Map<string, { name: string | null; value?: string }>,
): AutomationComparison {
  const withNames = ({ rows, ...others }: Rows, nameOf: (id: string) => string | undefined): Comparing => ({
    ...others,
    rows: rows.map(row => ({ ...row, name: shortened(nameOf(row.id) ?? '', LONGEST_NAME) })),
  });
  const compared = combinations.rows.flatMap(({ id }) => described.get(id) ?? []);
  const titles = combinationTitles(compared, namesIn(compared));
  return {
    ...automation,
    combinations: withNames(
      combinations,
      id => titles.get(id) || described.get(id)?.assets.subject_line || undefined,
    ),
    parts: parts.map(({ part, ...rows }) => {
      const written = rows.rows.map(({ id }) => {
        const { name, value } = variants.get(id) ?? {};
        return [id, { name, text: value }] as const;
      });
      const labels = variantLabels(new Map(written), LONGEST_NAME);
      return { part, ...withNames(rows, id => labels.get(id)) };
    }),
  };
}

/** Refused, since a comparison of the days that were read in time would have another result each time. */
const tooMuchToCompare = () =>
  new Refusal('invalid', 'Too much was sent to be compared at once. Please try again.');
