import * as automations from '#core/automation/automation.store.ts';
import { requireAutomation } from '#core/automation/automation.ts';
import * as listStore from '#core/list/list.store.ts';
import * as holdout from '#core/organization/holdout.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import {
  type Amounts,
  bounded,
  boundOf,
  classOf,
  dispersionOf,
  PARTS,
  partOf,
} from '#core/sending/amounts.ts';
import { parseBatchId } from '#core/sending/batch/batch.store.ts';
import { peopleByList } from '#core/sending/forecast/audience-count.ts';
import type { ClaimChange } from '#core/sending/sending.counters.ts';
import { ADDED } from '#core/sources/source.ts';
import type { Counter } from '#core/storage/projection.ts';
import { get, type Item, memoryOf, type Table } from '#core/storage/table.store.ts';
import { amountOf } from '#shared/report/figures.ts';
import type { Gain, HoldoutReport, OrganizationHoldoutReport } from '#shared/reporting.ts';
import { MINUTE } from '#shared/time.ts';
import { LEAST_HITS, rangeOf } from './allocation-model.ts';

/** What has a holdout: an automation, a sequence with its steps, or the organization. */
type Unit = { id: string; percent: number };
/** `counts`: whether something that a person did tells what its emails do. */
type CountingUnit = Unit & { counts: (happened: Happened) => boolean };

const unitId = ({ id, sequence_id = id }: automations.StoredAutomation) => sequence_id;

const MOST_KNOWN = 1_000;
const memory = memoryOf<{ units: CountingUnit[]; readAt: number }>(MOST_KNOWN);

/** As they were up to a minute ago, since most organizations have none. Both groups of a new percent miss the same. */
export async function unitsOf(
  { table, now }: { table: Table; now: Date },
  organization: number,
): Promise<CountingUnit[]> {
  const known = memory(table);
  const last = known.get(String(organization));
  if (last && Math.abs(now.getTime() - last.readAt) < MINUTE) return last.units;
  const units = await readUnits(table, organization);
  known.add(String(organization), { units, readAt: now.getTime() });
  return units;
}

async function readUnits(table: Table, organization: number): Promise<CountingUnit[]> {
  const [all, [whole]] = await Promise.all([
    automations.readAll(table, organization),
    organizationStore.readAll(table, [organization]),
  ]);
  const held = all.filter(({ holdout_percent = 0 }) => holdout_percent > 0);
  const units = [...Map.groupBy(held, unitId)].map(([id, of]) => {
    const ids = new Set(of.map(one => one.id));
    const its = new Set(of.flatMap(({ email_list_ids }) => email_list_ids));
    const counts = ({ lists, of: automation }: Happened) =>
      lists.some(list => its.has(list)) && !(automation && ids.has(automation));
    return { id, percent: of[0]?.holdout_percent ?? 0, counts };
  });
  if (!whole?.holdout_percent) return units;
  // People who get no emails have none in which to click or unsubscribe, so these cannot be compared.
  return [...units, { ...ofWhole(whole), counts: ({ counted }) => counted === 'conversions' }];
}

const ofWhole = (organization: organizationStore.StoredOrganization): Unit => ({
  id: holdout.idOf(organization),
  percent: holdout.shown(organization).percent,
});

/** With another percent, the groups are other ones, and are counted apart. */
const liftKey = (organization: number, { id, percent }: Unit) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `LIFT#${id}#${percent}`,
});

const COUNTED = { conversions: 'n', clicks: 'c', unsubscribes: 'u' } as const;
type Counted = keyof typeof COUNTED;
const SIDES = { held_out: 'h', others: 'o' } as const;
type Side = keyof typeof SIDES;

export type Happened = {
  organization: number;
  hash: string;
  lists: string[];
  counted: Counted;
  /** Of a conversion: its ten-thousandths. */
  units?: number;
  /** The automation whose email it is about. */
  of?: string;
};

/** The person belongs to a group by their hash, so nothing is read of them. */
export const liftCounters = (units: CountingUnit[], happened: Happened): Counter[] =>
  units
    .filter(({ counts }) => counts(happened))
    .map(unit => {
      const { organization, hash, counted, units: worth = 0 } = happened;
      const side = SIDES[holdout.isHeldOut(hash, unit.id, unit.percent) ? 'held_out' : 'others'];
      const key = liftKey(organization, unit);
      const add = {
        [`${COUNTED[counted]}${side}${partOf(hash)}`]: 1,
        ...(worth > 0 && { [`k${side}${classOf(worth)}`]: 1, [`v${side}${classOf(worth)}`]: worth }),
      };
      return { key, add, guard: key, organization };
    });

type MemberChange = { organization_id: number; hash: string; list_id: string };
type WithStatus = { before: { status: string } | undefined; after: { status: string } | undefined };

export const unsubscribesIn = ({
  organization_id: organization,
  hash,
  list_id,
  ...of
}: MemberChange & WithStatus) =>
  of.before?.status === 'subscribed' && of.after?.status === 'unsubscribed'
    ? [{ organization, hash, lists: [list_id], counted: 'unsubscribes' as const }]
    : [];

export function clicksIn({ organization_id: organization, before, after }: ClaimChange): Happened[] {
  const isNew = after?.marks.includes('first_clicked_at') && !before?.marks.includes('first_clicked_at');
  if (!after || !isNew) return [];
  const { list, automation } = parseBatchId(after.batch);
  return [{ organization, hash: after.hash, lists: [list], counted: 'clicks', of: automation }];
}

type Sums = {
  total: number;
  /** Of each tenth of the people. */
  parts: number[];
  /** The variance of the total by its square, where each thing happens by itself. */
  noise: number;
};

/**
 * How much more often those who are not held out do something. Whoever does it is held out with a known chance, so how many
 * people there are need not be known. It holds at whichever day it is looked at.
 */
export function liftOf(held: Sums, others: Sums, percent: number, by = [held, others]) {
  const dispersion = dispersionOf(by);
  const known = Math.min(...[held, others].map(({ noise }) => 1 / (noise * dispersion)));
  const log = Math.log(others.total / (100 - percent) / (held.total / percent));
  const lift: Gain | null =
    known >= LEAST_HITS ? rangeOf(log, dispersion * (held.noise + others.noise)) : null;
  return { lift, known };
}

export const sumsOf = (parts: number[]): Sums => {
  const total = parts.reduce((sum, count) => sum + count, 0);
  return { total, parts, noise: 1 / total };
};

/** Of the value of one group, or of both. */
const amountsIn = (item: Item, ...sides: Side[]): Amounts[] =>
  Object.entries(item).flatMap(([field, units]) => {
    const [, letter, amounts] = /^v([ho])(\d+)$/.exec(field) ?? [];
    if (!sides.some(side => SIDES[side] === letter)) return [];
    const count = Number(item[`k${letter}${amounts}`]);
    return [{ amounts: Number(amounts), count, units: Number(units) }];
  });

type Needs = { table: Table; now: Date; hasTimeLeft: (reserveMs?: number) => boolean };

/** What people do who are held out of an automation or its sequence, and all others on its lists. */
export function liftOfAutomation(
  needs: Needs,
  automation: automations.StoredAutomation,
): Promise<HoldoutReport> {
  requireAutomation(automation);
  const { organization_id, email_list_ids, holdout_percent: percent = 0 } = automation;
  return liftIn(needs, organization_id, { id: unitId(automation), percent }, email_list_ids);
}

/** The same of a whole organization, all of whose lists count. */
export async function liftOfOrganization(
  needs: Needs,
  organization: organizationStore.StoredOrganization,
): Promise<OrganizationHoldoutReport> {
  const lists = await listStore.readAllUncounted(needs.table, organization.id);
  const ids = lists.map(({ id }) => id);
  const { clicks, unsubscribes, ...report } = await liftIn(
    needs,
    organization.id,
    ofWhole(organization),
    ids,
  );
  return report;
}

/** What both groups did since the percent is what it is. */
async function liftIn(
  needs: Needs,
  organization: number,
  unit: Unit,
  lists: string[],
): Promise<HoldoutReport> {
  const { percent } = unit;
  const columns = lists.map(list => ({ list, column: ADDED }));
  const [item = {}, found] = await Promise.all([
    get(needs.table, liftKey(organization, unit)),
    peopleByList(needs, columns),
  ]);
  const all = [...found.all];
  const scaled = (count: number) => Math.round(count / (found.share || 1));
  const held = all.filter(hash => holdout.isHeldOut(hash, unit.id, percent)).length;
  const people = { held_out: scaled(held), others: scaled(all.length - held) };
  const partsOf = (counted: Counted, side: Side) =>
    Array.from({ length: PARTS }, (_, part) => Number(item[`${COUNTED[counted]}${SIDES[side]}${part}`] ?? 0));
  const measured = (held: Sums, others: Sums, by?: Sums[]) => {
    const { lift, known } = liftOf(held, others, percent, by);
    const more = ((people.held_out + people.others) * (LEAST_HITS - known)) / known;
    return {
      held_out: held.total,
      others: others.total,
      held_out_per_person: people.held_out > 0 ? held.total / people.held_out : null,
      others_per_person: people.others > 0 ? others.total / people.others : null,
      lift,
      people_needed: !lift && known > 0 && Number.isFinite(more) ? Math.ceil(more) : null,
    };
  };
  const counts = (counted: Counted) =>
    [sumsOf(partsOf(counted, 'held_out')), sumsOf(partsOf(counted, 'others'))] as const;
  const conversions = counts('conversions');
  const bound = boundOf(amountsIn(item, 'held_out', 'others'));
  const value = (['held_out', 'others'] as const).map((side, at) => {
    const { total, noise } = bounded(amountsIn(item, side), bound ?? 0);
    return { total: amountOf(Math.round(total)), parts: conversions[at]?.parts ?? [], noise };
  }) as [Sums, Sums];
  return {
    percent,
    people,
    conversions: measured(...conversions),
    value: measured(...value, [...conversions]),
    value_bounded_at: bound === undefined ? null : amountOf(Math.round(bound)),
    clicks: measured(...counts('clicks')),
    unsubscribes: measured(...counts('unsubscribes')),
  };
}
