import * as automations from '#core/automation/automation.store.ts';
import type { Active } from '#core/organization/organization.ts';
import { Refusal } from '#core/refusal.ts';
import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { AutomationComparison, Comparing, Comparisons } from '#shared/comparisons.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import { compareNames } from '#shared/names.ts';
import { combinationTitles, variantLabels } from '#shared/report/combination-titles.ts';
import { quarterOf } from '#shared/report/range.ts';
import {
  type CombinationCounts,
  type ComparedRow,
  type Comparison,
  compare,
  countsOfVariants,
  type SumsById,
  sumsOf,
} from '#shared/report/significance.ts';
import { type Described, describedOf, readChoices, readNamed } from './described-combinations.ts';
import { namesIn, shortened } from './report.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: () => boolean };

/** All that was sent since the start of the quarter is compared: a range that moves would be a new test every day. */
export async function comparisons(needs: Needs, active: Active): Promise<Comparisons> {
  const { table, now, hasTimeLeft } = needs;
  const organization = active.organization.id;
  const to = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const since = quarterOf(to);
  const [counts, all, counted_until] = await Promise.all([
    readByAutomation(needs, organization, { from: since, to }),
    automations.readAll(table, organization),
    countedUntil(needs),
  ]);
  const { alone, together } = byHash(all);
  const sources = alone
    .map(({ id, name, hash }) => ({ id, name, days: sentOf(counts.get(hash)) }))
    .filter(({ days }) => days.size > 1)
    .sort((a, b) => compareNames(a.name, b.name));
  const ids = sources.flatMap(({ days }) => [...days.keys()]);
  const choices = await readChoices(table, organization, ids);
  const partsOf = new Map(choices.map(({ id, assets }) => [id, assets ?? {}]));
  const compared = sources.map(({ id, name, days }) => {
    if (!hasTimeLeft()) throw tooMuchToCompare();
    return { automation_id: id, automation: name, groups: groupsOf(days, partsOf) };
  });
  const shown = cutToFit(judged(compared));
  const shownIds = idsIn(shown.map(({ combinations }) => combinations));
  const isShown = new Set(shownIds);
  const [described, variants] = await Promise.all([
    describedOf(
      table,
      active,
      shownIds,
      choices.filter(({ id }) => isShown.has(id)),
    ),
    readNamed(table, organization, idsIn(shown.flatMap(({ parts }) => parts))),
  ]);
  const known = new Map(described.map(combination => [combination.id, combination]));
  return {
    since,
    automations: shown.map(automation => named(automation, known, variants)),
    not_compared: together
      .filter(({ hash }) => counts.has(hash))
      .map(({ id, name }) => ({ automation_id: id, automation: name })),
    counted_until,
  };
}

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

type DayCounts = { day: string; sent: number; clicked: number };
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
  { automation, combination, day, counted, count }: rollup.CountsOfAutomation,
): void {
  const ofAutomation = getOrAdd(counts, automation, () => new Map());
  const ofCombination = getOrAdd(ofAutomation, combination, () => new Map());
  getOrAdd(ofCombination, day, () => ({ day, sent: 0, clicked: 0 }))[counted] += count;
}

function getOrAdd<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

type ByCombination = Map<string, DayCounts[]>;

/** The combinations of which something was sent. */
const sentOf = (counts: Map<string, Map<string, DayCounts>> = new Map()): ByCombination =>
  new Map(
    [...counts]
      .map(([id, days]): [string, DayCounts[]] => [id, [...days.values()]])
      .filter(([, days]) => days.some(({ sent }) => sent > 0)),
  );

/** Rows before they get their names. */
type Rows = Comparison & Pick<Comparing, 'left_out'>;
type Judged = Pick<AutomationComparison, 'automation_id' | 'automation'> & {
  combinations: Rows;
  parts: (Rows & Pick<AutomationComparison['parts'][number], 'part'>)[];
};

/** The sums of combinations, and of the variants of each part that has several. */
type Groups = Map<'combinations' | Part, SumsById>;

function groupsOf(days: ByCombination, partsOf: Map<string, CombinationCounts['parts']>): Groups {
  const counts = [...days].flatMap(([id, ofDays]) => {
    const parts = partsOf.get(id) ?? {};
    return ofDays.map((counts): CombinationCounts => ({ id, ...counts, parts }));
  });
  const parts = PART_NAMES.map(part => [part, sumsOf(countsOfVariants(counts, part))] as const);
  return new Map([
    ['combinations', sumsOf(counts)] as const,
    ...parts.filter(([, variants]) => variants.size > 1),
  ]);
}

/** All at once, since what is claimed of one depends on how many claims there are. */
function judged(all: (Pick<Judged, 'automation_id' | 'automation'> & { groups: Groups })[]): Judged[] {
  const compared = compare(all.flatMap(({ groups }) => [...groups.values()]));
  return all.map(({ groups, ...automation }) => {
    const [[, combinations], ...parts] = [...groups.keys()].map(
      group => [group, { ...(compared.shift() as Comparison), left_out: 0 }] as const,
    ) as [['combinations', Rows], ...[Part, Rows][]];
    return { ...automation, combinations, parts: parts.map(([part, rows]) => ({ part, ...rows })) };
  });
}

// With names of 100 characters of four bytes each, this is less than the 6 MB of an answer.
const MOST_ROWS = 5_000;
const LONGEST_NAME = 100;

/** As many as an answer holds: first those with a verdict, then those with the most sends. */
function cutToFit(all: Judged[]): Judged[] {
  const combinations = kept(all.map(({ combinations }) => combinations));
  const parts = kept(all.flatMap(({ parts }) => parts));
  return all.map(comparison => ({
    ...comparison,
    combinations: cut(comparison.combinations, combinations),
    parts: comparison.parts.map(part => ({ ...part, ...cut(part, parts) })),
  }));
}

function kept(all: Rows[]): Set<ComparedRow> {
  const isClaimed = ({ verdict }: ComparedRow) => verdict === 'better' || verdict === 'worse';
  const rows = all.flatMap(({ rows }) => rows);
  if (rows.length <= MOST_ROWS) return new Set(rows);
  const sorted = rows.sort((a, b) => Number(isClaimed(b)) - Number(isClaimed(a)) || b.sent - a.sent);
  return new Set(sorted.slice(0, MOST_ROWS));
}

function cut({ result, rows }: Rows, keep: Set<ComparedRow>): Rows {
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
  new Refusal('invalid', 'Too much was sent in this quarter to be compared at once. Please try again.');
