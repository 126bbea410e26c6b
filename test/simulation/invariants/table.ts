import type { Item } from '../../../functions/core/table.store.ts';
import type { Rest } from '../invariants.ts';

/** What holds of the items of the table, whatever was sent. */

export const theWatermarkNeverMovesBack = ({ world: { store } }: Rest): string[] =>
  store.shards
    .flat()
    .filter(({ key }) => key.SK === 'WATERMARK')
    .filter(
      ({ before, after }) => before && after && String(after.swept_minute) <= String(before.swept_minute),
    )
    .map(({ after }) => `moved back to ${after?.swept_minute}`);

export const theCountsOfAListAreThoseOfItsMembers = ({ world: { store } }: Rest): string[] => {
  const items = [...store.all()];
  return items
    .filter(({ SK }) => SK === 'COUNTS')
    .flatMap(({ PK, total = 0, subscribed = 0 }) => {
      const listId = String(PK).slice('LIST#'.length);
      const members = items.filter(({ SK, status }) => SK === `IN#${listId}` && status !== 'left');
      const counted = members.filter(({ status }) => status === 'subscribed').length;
      const isRight = total === members.length && subscribed === counted;
      return isRight ? [] : [`${listId}: ${total} and ${subscribed}, not ${members.length} and ${counted}`];
    });
};

export const theEntriesOfAJournalAreNumberedWithoutGaps = ({ world: { store } }: Rest): string[] => {
  const entries = [...store.all()].filter(({ SK }) => String(SK).startsWith('J#'));
  return [...Map.groupBy(entries, ({ PK }) => String(PK))].flatMap(([PK, of]) => {
    const numbers = of.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
    return numbers.every((seq, at) => seq === at + 1) ? [] : [`${PK}: ${numbers}`];
  });
};

/** None is missing. One too many has no effect: only a process that fails in the middle leaves one behind. */
export const theTriggerRowsAreThoseOfTheMembersWhoMayBeMailed = ({
  world: { store, faults },
}: Rest): string[] => {
  const items = [...store.all()];
  const rows = new Set(
    items.filter(({ PK }) => String(PK).startsWith('TRG#')).map(({ PK, SK }) => `${PK} ${SK}`),
  );
  const suppressed = new Set(
    items.filter(({ SK, suppression }) => SK === 'HEAD' && suppression).map(({ PK }) => PK),
  );
  const wanted = new Set(
    items
      .filter(
        ({ PK, SK, status }) =>
          String(SK).startsWith('IN#') && status === 'subscribed' && !suppressed.has(PK),
      )
      .flatMap(rowsOf),
  );
  const missing = [...wanted].filter(row => !rows.has(row)).map(row => `${row} is missing`);
  const extra = [...rows].filter(row => !wanted.has(row)).map(row => `${row} is left over`);
  return faults.counts.size === 0 ? [...missing, ...extra] : missing;
};

function rowsOf({ PK, list_id, created_at, metadata }: Item): string[] {
  const hash = String(PK).split('#')[2];
  const dates = Object.entries({ '': created_at, ...(metadata as object) });
  return dates.flatMap(([column, value]) => {
    const instant = new Date(/^\d{4}-\d\d-\d\d/.test(String(value)) ? String(value) : Number.NaN);
    if (Number.isNaN(instant.getTime())) return [];
    const minute = String(instant.getUTCHours() * 60 + instant.getUTCMinutes()).padStart(4, '0');
    return [`TRG#${list_id}#${column} ${minute}#${instant.toISOString().slice(0, 10)}#${hash}`];
  });
}

/** A claim is released, and nothing else ever changes. */
export const theEntriesOfAJournalStay = ({ world: { store } }: Rest): string[] =>
  store.shards
    .flat()
    .filter(({ key, before }) => key.SK.startsWith('J#') && before)
    .filter(({ before, after }) => {
      const { released: _, ...kept } = after ?? {};
      const { released: __, ...was } = before ?? {};
      return JSON.stringify(Object.entries(kept).sort()) !== JSON.stringify(Object.entries(was).sort());
    })
    .map(({ key }) => `${key.PK} ${key.SK} was replaced or deleted`);
