import { DAY, startOfMinute } from '#shared/time.ts';
import { chance, pick } from './chance.ts';
import type { ListName } from './company.ts';

/** A fictional person, as a member of one list. */
export type Person = {
  list: ListName;
  email: string;
  metadata: Record<string, string | number>;
  /** Undefined if they are members when the history begins. */
  joins: number | undefined;
  is_subscribed: boolean;
};

// biome-ignore format: two lists of words
const FIRST_NAMES = [
  'Ada', 'Amir', 'Ana', 'Ben', 'Bruno', 'Carla', 'Chen', 'Clara', 'Dario', 'Dina', 'Elif', 'Emil', 'Eva', 'Farid', 'Felix',
  'Greta', 'Hana', 'Henry', 'Ida', 'Ines', 'Ivo', 'Jana', 'Jonas', 'Karim', 'Kira', 'Lars', 'Lea', 'Lina', 'Luca', 'Maja',
  'Marco', 'Mina', 'Nadia', 'Nils', 'Nora', 'Olga', 'Oscar', 'Paula', 'Petra', 'Rafael', 'Rosa', 'Samir', 'Sofia', 'Tara',
  'Theo', 'Uma', 'Vera', 'Viktor', 'Yara', 'Zoe',
];
// biome-ignore format: two lists of words
const LAST_NAMES = [
  'archer', 'baker', 'brook', 'carter', 'dale', 'ember', 'field', 'fletcher', 'garden', 'harbor', 'hill', 'lake', 'mason',
  'meadow', 'miller', 'moss', 'north', 'porter', 'reed', 'river', 'rowan', 'shore', 'stone', 'summer', 'thatcher', 'vale',
  'wells', 'winter', 'wood', 'wright',
];
// Nobody can have an address there: https://www.rfc-editor.org/rfc/rfc2606
const DOMAINS = ['example.com', 'example.org', 'example.net'];
const COFFEES = ['espresso', 'filter', 'decaf'];

const OF_CLUB = 0.64;
const FROM_THE_START = 0.65;
const ON_BOTH_LISTS = 0.4;
const LONGEST_BEFORE = 80 * DAY;

/** As many members as `count`, over both lists, in the order in which they join. */
export function people(count: number, { from, to }: { from: number; to: number }): Person[] {
  const ofClub = Math.round(count * OF_CLUB);
  const all = Array.from({ length: count }, (_, index): Person => {
    const list = index < ofClub ? 'club' : 'customers';
    // Some customers are members of the club too.
    const isOnBoth = list === 'customers' && chance('both', index) < ON_BOTH_LISTS;
    const identity = isOnBoth ? index - ofClub : index;
    const first = pick(FIRST_NAMES, 'first name', identity);
    const email = `${first.toLowerCase()}.${pick(LAST_NAMES, 'last name', identity)}${identity + 1}@${pick(DOMAINS, 'domain', identity)}`;
    const isOld = chance('joined', index) < FROM_THE_START;
    const joins = isOld ? undefined : from + chance('joins', index) * (to - from);
    const date = joins ?? from - DAY - chance('since', index) * LONGEST_BEFORE;
    return {
      list,
      email,
      joins,
      metadata: {
        first_name: first,
        coffee: pick(COFFEES, 'coffee', identity),
        ...datesOf(list, date, index),
      },
      is_subscribed: !isOld || chance('left', index) > 0.02,
    };
  });
  return all.sort((a, b) => (a.joins ?? 0) - (b.joins ?? 0));
}

/** The person, as if they had signed up or ordered just now. */
export const since = (person: Person, now: number): Person => ({
  ...person,
  metadata: { ...person.metadata, [DATES[person.list]]: minuteText(now) },
});

const DATES: Record<ListName, string> = { club: 'signed_up', customers: 'last_order' };

const datesOf = (list: ListName, date: number, index: number): Person['metadata'] =>
  list === 'club'
    ? { [DATES.club]: dayText(date) }
    : { [DATES.customers]: dayText(date), orders: 1 + Math.floor(chance('orders', index) ** 2 * 9) };

/** A date as in the company's first import file. */
const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 'yyyy-mm-dd'.length);

/** A date as the shop sends it. */
const minuteText = (instant: number) => new Date(startOfMinute(instant)).toISOString().replace('.000Z', 'Z');
