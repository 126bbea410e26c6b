import type { Item } from '../../functions/core/table.store.ts';
import type { World } from './world.ts';

/** What must never be, and where it was found. */
export type Violation = { invariant: string; found: string };

type Check = (world: World) => string[];

/** What holds when everything has come to rest, whatever happened before. */
const INVARIANTS: Record<string, Check> = {
  'no process fails by its own mistake': ({ scheduler }) => scheduler.mistakes,
  'the watermark never moves back': ({ store }) => {
    const changes = store.shards.flat().filter(({ key }) => key.SK === 'WATERMARK');
    return changes
      .filter(
        ({ before, after }) => before && after && String(after.swept_minute) <= String(before.swept_minute),
      )
      .map(({ after }) => `moved back to ${after?.swept_minute}`);
  },
  'the counts of a list are those of its members': ({ store }) =>
    [...store.all()]
      .filter(({ SK }) => SK === 'COUNTS')
      .flatMap(counts => {
        const listId = String(counts.PK).slice('LIST#'.length);
        const members = [...store.all()].filter(
          ({ SK, status }) => SK === `IN#${listId}` && status !== 'left',
        );
        const subscribed = members.filter(({ status }) => status === 'subscribed').length;
        if ((counts.total ?? 0) === members.length && (counts.subscribed ?? 0) === subscribed) return [];
        return [
          `${listId}: ${counts.total} and ${counts.subscribed}, not ${members.length} and ${subscribed}`,
        ];
      }),
  'the entries of a journal are numbered without gaps': ({ store }) => {
    const entries = [...store.all()].filter(({ SK }) => String(SK).startsWith('J#'));
    return [...Map.groupBy(entries, ({ PK }) => String(PK))].flatMap(([PK, of]) => {
      const numbers = of.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
      return numbers.every((seq, at) => seq === at + 1) ? [] : [`${PK}: ${numbers}`];
    });
  },
  'a member who may be mailed has their trigger row': ({ store }) => {
    const items = [...store.all()];
    const rows = new Set(items.filter(({ PK }) => String(PK).startsWith('TRG#')).map(rowOf));
    const members = items.filter(({ SK, status }) => String(SK).startsWith('IN#') && status === 'subscribed');
    return members
      .filter(({ PK, list_id }) => !rows.has(`TRG#${list_id}##${String(PK).split('#')[2]}`))
      .map(({ PK, SK }) => `${PK} ${SK}`);
  },
};

/** The column and the person of a trigger row. */
const rowOf = ({ PK, SK }: Item) => `${PK}#${String(SK).split('#')[2]}`;

export const violations = (world: World): Violation[] =>
  Object.entries(INVARIANTS).flatMap(([invariant, check]) =>
    check(world).map(found => ({ invariant, found })),
  );
