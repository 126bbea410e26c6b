import { isDeleted } from '../endings.ts';
import type { FinishedRun } from '../invariants.ts';
import { countsIn } from '../stored.ts';

/** What holds for the values of conversions. */

/** A request that stores a value ends within half a minute; its write may arrive late. */
const STORED_WITHIN = 60 * 1000;
const CLOCKS_APART = 5_000;

const isEvent = ({ PK }: { PK?: unknown }) => /^ORG#\d+#VALUE$/.test(String(PK));
const organizationOf = (PK: unknown) => Number(String(PK).split('#')[1]);

/** By organization, day and combination. */
export const whatAnEventIsWorthIsCountedOnce = ({ history, items }: FinishedRun): string[] => {
  const [expected, found] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: typeof found, PK: unknown, day: string, what: string, units: unknown) => {
    if (isDeleted(history, organizationOf(PK))) return;
    const name = `${organizationOf(PK)} ${day} ${what}`;
    to.set(name, (to.get(name) ?? 0) + Number(units));
  };
  for (const item of items) {
    if (isEvent(item)) {
      const day = String(item.sent_at ?? item.at).slice(0, 10);
      add(expected, item.PK, day, `value ${item.combination}`, item.units);
      add(expected, item.PK, day, `reported ${item.combination}`, 1);
    }
    if (!String(item.PK).endsWith('#REPORT')) continue;
    for (const { counted, day, combination, count } of countsIn(item)) {
      if (counted === 'value' || counted === 'reported')
        add(found, item.PK, day, `${counted} ${combination}`, count);
    }
  }
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter(name => (expected.get(name) ?? 0) !== (found.get(name) ?? 0))
    .map(name => `${name}: ${found.get(name) ?? 0}, not ${expected.get(name) ?? 0}`);
};

/** The first request with an id decides the value, and the day of that request is its day. */
export const whatAnEventIsWorthStays = ({ history }: FinishedRun): string[] =>
  history
    .changesWithin('ORG#', '')
    .filter(({ key, after, before }) => {
      const isPurged = before && !after && isDeleted(history, organizationOf(key.PK));
      return isEvent(key) && !isPurged;
    })
    .filter(({ at, before, after }) => {
      const posted = Date.parse(String(after?.at));
      return before || !(posted <= at + CLOCKS_APART && posted >= at - STORED_WITHIN);
    })
    .map(({ key, before }) => {
      const what = before ? 'replaced, changed or deleted' : 'posted at another time';
      return `${key.PK} ${key.SK} was ${what}`;
    });
