import * as automations from '#core/automation/automation.ts';
import { whenFor } from '#core/automation/due/send-slots.ts';
import { rowsAroundClock } from '#core/automation/trigger-rows.ts';
import * as listStore from '#core/list/list.store.ts';
import { matched } from '#core/list/list-member/matching.ts';
import type { StoredOrganization } from '#core/organization/organization.store.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { ADDED } from '#core/sources/source.ts';
import type { AudienceQuestion } from '#shared/automation.ts';
import type { AudienceCount } from '#shared/forecast.ts';
import { DAY, startOfMinute } from '#shared/time.ts';
import { estimateOf, lowest, MOST_PEOPLE, type Needs, READING_PEOPLE } from './predict.ts';

// So many people are read between two looks at the time.
export const AT_ONCE = 400;
const EVERYBODY = { all: [] };

/** How many subscribed people of some lists match: of up to 10,000 all are read, of more a sample. Each counts once. */
export async function countMatching(
  { table, now, hasTimeLeft, mostPeople = MOST_PEOPLE }: Needs,
  organization: StoredOrganization,
  { email_list_ids, audience, time_zone_of }: AudienceQuestion,
): Promise<AudienceCount> {
  const asked = { organization_id: organization.id, email_list_ids, audience };
  await Promise.all([automations.requireLists(table, asked), automations.requireAudienceLists(table, asked)]);
  const lists = await listStore.readCounted(table, organization.id, [...new Set(email_list_ids)]);
  const columns = lists.map(({ id }) => ({ list: id, column: ADDED }));
  const { people, all, rowsRead, share } = await peopleByList({ table, now, hasTimeLeft }, columns);
  const counts: number[] = [];
  let members = 0;
  for (const hashes of chunksOf(lowest(all, mostPeople), AT_ONCE)) {
    if (!hasTimeLeft()) break;
    const found = await inParallel(lists, 4, list => {
      const whenOf = whenFor({ time_zone_of }, { organization, list }, now);
      const ofList = hashes.filter(hash => people.get(list.id)?.has(hash));
      return matched(table, list, ofList, { audience: audience ?? EVERYBODY, whenOf });
    });
    const subscribed = found.flat().filter(({ status }) => status === 'subscribed');
    const matching = new Set(subscribed.filter(({ isMatch }) => isMatch).map(({ hash }) => hash));
    members += new Set(subscribed.map(({ hash }) => hash)).size;
    counts.push(...hashes.map(hash => (matching.has(hash) ? 1 : 0)));
  }
  // Rows that were not reached are taken to be of as many different people as the others.
  const counted = lists.reduce((sum, { counts }) => sum + counts.subscribed, 0);
  const size = share === 1 ? all.size : Math.max(all.size, Math.round((counted * all.size) / rowsRead));
  const { scaled, sampled } = estimateOf(counts, size);
  return { matching: scaled(counts.reduce((sum, count) => sum + count, 0)), of: scaled(members), sampled };
}

type Found = {
  /** By list. */
  people: Map<string, Set<string>>;
  all: Set<string>;
  rowsRead: number;
  /** The part of the day whose rows could be read in time. */
  share: number;
};

/** Who has a row in a column of some lists, as far as the time allows. */
export async function peopleByList(
  { table, now, hasTimeLeft }: Needs,
  columns: { list: string; column: string }[],
): Promise<Found> {
  const found: Found = {
    people: new Map(columns.map(({ list }) => [list, new Set<string>()])),
    all: new Set<string>(),
    rowsRead: 0,
    share: 1,
  };
  for await (const { of, rows, readUntil } of rowsAroundClock(table, columns, now)) {
    for (const { hash } of rows) {
      found.people.get(of.list)?.add(hash);
      found.all.add(hash);
    }
    found.rowsRead += rows.length;
    found.share = Math.min(1, (readUntil.getTime() - startOfMinute(now.getTime())) / DAY);
    if (!hasTimeLeft(READING_PEOPLE)) break;
  }
  return found;
}
