import * as automations from '#core/automation/automation.store.ts';
import { eligibilityOf, requireAutomation } from '#core/automation/automation.ts';
import { type Choice, weighed } from '#core/content/combination.ts';
import { inParallel } from '#core/parallel.ts';
import * as rollup from '#core/sending/rollup.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import { dayAfter, type Range } from '#shared/report/range.ts';
import type { SharesReport } from '#shared/reporting.ts';
import { OCCURRENCES } from '#shared/schedule.ts';
import { DAY } from '#shared/time.ts';
import { drawnShares, fittedEffects, gainOf, type Row, WHOLE } from './allocation-model.ts';
import { readChoices } from './described-combinations.ts';
import { datesOf, tooMuch } from './report.ts';

type Failed = (of: { organization: number; automation?: string }, error: unknown) => void;
export type Needs = { table: Table; now: () => Date; hasTimeLeft: () => boolean; failed: Failed };
type Automation = automations.StoredAutomation;

const dayOf = (now: Date) => now.toISOString().slice(0, 10);
const ORGANIZATIONS_AT_ONCE = 4;

/**
 * Stores the shares of the next UTC day of all automations that send more of what works, and returns how many. It is run several
 * times before midnight: each run does what is missing, and again what has other content by now.
 */
export async function allocate(needs: Needs): Promise<number> {
  const day = dayAfter(dayOf(needs.now()), 1);
  let stored = 0;
  const all = [...(await automations.allocatedIds(needs.table))];
  await inParallel(all, ORGANIZATIONS_AT_ONCE, async ([organization, ids]) => {
    if (!needs.hasTimeLeft() || automations.isSettled(day, needs.now())) return;
    try {
      const ofIt = await allocateIn(needs, organization, ids, day);
      stored += ofIt;
    } catch (error) {
      needs.failed({ organization }, error);
    }
  });
  return stored;
}

async function allocateIn(needs: Needs, organization: number, ids: string[], day: string): Promise<number> {
  const { table, failed } = needs;
  const wanted = ids.map(automation => ({ automation, day }));
  const [found, { linked, shares }] = await Promise.all([
    automations.readThese(table, organization, ids),
    automations.readChoosing(table, organization, ids, wanted),
  ]);
  const open = found.flatMap(automation => {
    const before = shares.get(automations.sharesName({ automation: automation.id, day }));
    const content = contentOf(linked.get(automation.id) ?? {});
    const isOpen = automation.active && automations.isAllocated(automation) && content.size > 0;
    return isOpen && !isOf(before, content) ? [{ automation, content, before }] : [];
  });
  if (open.length === 0) return 0;
  const learnt = await readLearnt(
    needs,
    organization,
    open.map(({ automation }) => automation),
    day,
  );
  let stored = 0;
  for (const { automation, content, before } of open) {
    const of = { automation: automation.id, day };
    try {
      const effects = fittedEffects(learnt(automation));
      const drawn = Object.fromEntries(
        [...content].map(([kind, ids]) => [
          kind,
          drawnShares([...ids], effects, `${automations.sharesName(of)}#${kind}`),
        ]),
      );
      if (await automations.storeShares(needs, organization, of, { before, shares: drawn })) stored++;
    } catch (error) {
      failed({ organization, automation: automation.id }, error);
    }
  }
  return stored;
}

type Content = Map<automations.LinkKind, Set<string>>;

/** What its emails are chosen from. */
function contentOf(linked: automations.Linked): Content {
  if (linked.template?.size) return new Map([['template', linked.template]]);
  if (!eligibilityOf(linked).is_eligible) return new Map();
  return new Map(
    PART_NAMES.flatMap(part => {
      const ids = linked[part];
      return ids?.size ? [[part, ids] as const] : [];
    }),
  );
}

function isOf(shares: automations.Shares | undefined, content: Content): boolean {
  const namesOf = (ids: Iterable<string>) => [...ids].sort().join();
  return (
    shares !== undefined &&
    Object.keys(shares).length === content.size &&
    [...content].every(([kind, ids]) => namesOf(Object.keys(shares[kind] ?? {})) === namesOf(ids))
  );
}

/** What is older is forgotten: by then, a day counts for a sixth. */
const LEARNT_DAYS = 60;
const FORGOTTEN_A_DAY = 0.03;
// Of 5,000 combinations, so many days are some 6 MB.
const DAYS_OF_PART = 12;
/** Of more combinations, those that were sent most. */
const MOST_LEARNT = 5_000;

type DayCounts = rollup.OwnCounts & { day: string; weighted: boolean };
type Counts = Map<string, DayCounts[]>;

const goalOf = ({ allocation }: Automation) => (allocation === 'conversions' ? 'conversions' : 'clicked');

/** Returns what an automation has learnt: the rows to which its effects are fitted. */
async function readLearnt(
  { table, hasTimeLeft }: Needs,
  organization: number,
  of: Automation[],
  day: string,
): Promise<(automation: Automation) => Row[]> {
  const byHash = new Map(of.map(({ id }) => [rollup.automationHash(id), new Map() as Counts]));
  const days = { from: dayAfter(day, -LEARNT_DAYS), to: dayAfter(day, -1) };
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    if (!hasTimeLeft()) throw new Error('There was no time to read what was sent');
    for (const item of items)
      for (const counted of rollup.countsByAutomation(item)) add(byHash.get(counted.automation), counted);
  });
  for (const [hash, counts] of byHash) byHash.set(hash, mostSent(counts));
  const [choices, changed] = await Promise.all([
    readChoices(
      table,
      organization,
      [...byHash.values()].flatMap(counts => [...counts.keys()]),
    ),
    automations.readChangedDays(
      table,
      organization,
      of.map(({ id }) => id),
    ),
  ]);
  const variants = new Map(choices.map(choice => [choice.id, variantsOf(choice)]));
  const ageOf = (date: string) => (Date.parse(day) - Date.parse(date)) / DAY - 1;
  const weightAt = (age: number) => (1 - FORGOTTEN_A_DAY) ** age;
  return automation => {
    const counts = byHash.get(rollup.automationHash(automation.id)) ?? new Map();
    const rows = [...counts].flatMap(([id, all]) => all.map((one: DayCounts) => ({ id, ...one })));
    return (
      rows
        .filter(one => !changed.get(automation.id)?.has(one.day))
        // By shares, second copies have what first ones seldom have, and are clicked less whatever they have.
        .filter(({ weighted }) => !weighted || !hasCopies(automation))
        .flatMap(({ id, day, weighted, sent, ...known }) =>
          rowOf({
            stratum: `${day}#${weighted}`,
            weight: weightAt(ageOf(day)),
            variants: variants.get(id),
            sent,
            hits: Math.min(sent, known[goalOf(automation)]),
          }),
        )
    );
  };
}

const rowOf = ({ variants, ...row }: Omit<Row, 'variants'> & { variants: string[] | undefined }): Row[] =>
  variants && row.sent > 0 ? [{ ...row, variants }] : [];

function add(counts: Counts | undefined, one: rollup.CountsOfAutomation): void {
  if (!counts) return;
  const ofCombination = counts.get(one.combination) ?? [];
  counts.set(one.combination, ofCombination);
  let ofDay = ofCombination.find(({ day, weighted }) => day === one.day && weighted === one.weighted);
  if (!ofDay) {
    ofDay = { day: one.day, weighted: one.weighted, ...rollup.noCounts() };
    ofCombination.push(ofDay);
  }
  ofDay[one.counted] += one.count;
}

function mostSent(counts: Counts): Counts {
  if (counts.size <= MOST_LEARNT) return counts;
  const sentOf = (all: DayCounts[]) => all.reduce((sum, { sent }) => sum + sent, 0);
  return new Map([...counts].sort(([, a], [, b]) => sentOf(b) - sentOf(a)).slice(0, MOST_LEARNT));
}

const variantsOf = ({ template_id, assets = {} }: Choice): string[] =>
  template_id === undefined ? PART_NAMES.map(part => assets[part] ?? `no ${part}`) : [template_id];

const hasCopies = (automation: Automation) =>
  OCCURRENCES.some(nth => automation[`double_send_${nth}`] || automation[`triple_send_${nth}`]);

/** The shares of each day up to today. Of days without stored ones, they are known since the content was last changed. */
export async function sharesReport(
  { table, now, hasTimeLeft }: { table: Table; now: Date; hasTimeLeft: () => boolean },
  automation: Automation,
  { start_date, end_date }: Range,
): Promise<SharesReport> {
  requireAutomation(automation);
  const { organization_id: organization, id } = automation;
  const today = dayOf(now);
  const range = { start_date, end_date: end_date < today ? end_date : today };
  const [stored, { linked: all }, changed] = await Promise.all([
    automations.readShares(table, organization, id, { from: start_date, to: end_date }),
    automations.readChoosing(table, organization, [id], []),
    automations.readChangedDays(table, organization, [id]),
  ]);
  const linked = all.get(id) ?? {};
  const lastChange = [...(changed.get(id) ?? [])].sort().at(-1) ?? '';
  const equal = new Map(
    [...contentOf(linked)].map(([kind, ids]) => [kind, new Map([...ids].map(one => [one, 1]))] as const),
  );
  const days = datesOf(range).map(date => {
    const shares = stored.get(date);
    const ofDay = shares && date === today ? weighed(linked, shares) : date >= lastChange ? equal : new Map();
    const parts = shares && date !== today ? dividedBy(shares, WHOLE) : normalized(ofDay ?? new Map());
    return { date, by_results: shares !== undefined, parts };
  });
  const dates = days.flatMap(({ date, by_results }) => (by_results ? [date] : []));
  const [from, to] = [dates[0], dates.at(-1)];
  const groups = { equal: rollup.noCounts(), weighted: rollup.noCounts() };
  if (from && to)
    await rollup.readInParts(table, organization, { from, to }, DAYS_OF_PART, items => {
      if (!hasTimeLeft()) throw tooMuch();
      const hash = rollup.automationHash(id);
      for (const item of items)
        for (const { automation, day, weighted, counted, count } of rollup.countsByAutomation(item))
          if (automation === hash && stored.has(day))
            groups[weighted ? 'weighted' : 'equal'][counted] += count;
    });
  const goal = goalOf(automation);
  const hitsOf = ({ sent, ...known }: rollup.OwnCounts) => ({ sent, hits: known[goal] });
  return { days, gain: gainOf({ equal: hitsOf(groups.equal), weighted: hitsOf(groups.weighted) }) };
}

const dividedBy = (shares: automations.Shares, whole: number) =>
  Object.fromEntries(
    Object.entries(shares).map(([kind, ids]) => [
      kind,
      Object.fromEntries(Object.entries(ids).map(([id, share]) => [id, share / whole])),
    ]),
  );

const normalized = (kinds: NonNullable<ReturnType<typeof weighed>>) =>
  Object.fromEntries(
    [...kinds].map(([kind, weights]) => {
      const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
      return [kind, Object.fromEntries([...weights].map(([id, weight]) => [id, weight / all]))];
    }),
  );
