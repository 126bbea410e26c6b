import type { Failing } from '#core/list/list.store.ts';
import { lackOf, noteFailing, providerNow } from '#core/list/providers.ts';
import type { Pace, Provider, Providers } from '#core/provider.ts';
import { fromItem, get, type Item, storedOf, type Table } from '#core/storage/table.store.ts';
import { PRESENT, unchanged, updateItem } from '#core/storage/write.store.ts';
import { type ProviderName, providerOf } from '#shared/providers.ts';
import { MINUTE, SECOND } from '#shared/time.ts';
import { type Candidate, candidatesWith, type Pack } from './pack.ts';
import type { SendingState } from './state.ts';

type Needs = {
  table: Table;
  now: () => Date;
  providers: Providers;
  failed: (what: string, error: unknown) => void;
};

/** `free_at`: everything that is reserved is sent by then. `by`: the organization that was the last to reserve. */
type Stored = Partial<Pace> & { read_at: string; free_at?: string; by?: number };

const keyOf = (provider: ProviderName) => ({ PK: `PROVIDER#${provider}`, SK: 'PACE' });

/** How long what the provider has said holds. */
const KNOWN = MINUTE;
/** What one pack claims at most: sent within this time, well before its process ends. */
const SPAN = 20 * SECOND;
/** How long nobody asks a provider that takes nothing. */
const CLOSED = 15 * MINUTE;
/**
 * How far ahead an organization may reserve time: behind the reservations of others, and behind its own. So nobody holds the rate for
 * hours, not even for emails that are never sent, and organizations take turns.
 */
const AHEAD = { ofOthers: 2 * CLOSED, ofItself: CLOSED };
/** Less than this is no wait. */
const AT_ONCE = SECOND;
const MOST_ATTEMPTS = 10;

export type Share = {
  people: Candidate[];
  /** From when on they may be claimed. */
  from: Date;
  /** They need not ask again then. */
  isReserved?: boolean;
  perSecond?: number;
};

/**
 * Shares of a pack, each as large as what its provider sends within `SPAN`. One write reserves the whole pack, behind what other
 * packs have reserved, so that people wait without a claim and without being asked for again. Without room it asks again later:
 * what other providers take does not wait for that.
 */
export async function shares(
  needs: Needs,
  pack: Pack,
  state: SendingState,
  people: Candidate[],
): Promise<Share[]> {
  const now = needs.now();
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
  const paced = pacedIn(needs.providers, pack, state, people, now);
  if (!paced) return [{ people, from: now }];
  const wait = (lists: Set<string>, milliseconds: number): Share[] => {
    const of = (isTheirs: boolean) =>
      candidatesWith({ people }, at => lists.has(pack.sources[at]?.list ?? '') === isTheirs);
    const parts = [
      { people: of(false), from: now },
      { people: of(true), from: after(milliseconds) },
    ];
    return parts.filter(share => share.people.length > 0);
  };
  const known = await paceOf(needs, paced);
  if (!known) return wait(paced.lists, SPAN);
  const { perSecond, left, isPaused } = known.pace;
  if (isPaused || left < 1 || perSecond <= 0) {
    const waiting = await noteClosed(needs, state, paced, isPaused ? 'denied' : 'throttled');
    return wait(waiting, CLOSED);
  }
  if (pack.paced_at) return [{ people, from: new Date(pack.paced_at), isReserved: true, perSecond }];
  const most = Math.floor(people.length * Math.min(1, left / paced.emails));
  const start = await reserve(needs, pack, paced.name, known.item, (paced.emails / perSecond) * SECOND);
  if (start === undefined) return wait(paced.lists, CLOSED);
  // Emails that other providers take go along with these.
  const size = Math.max(1, Math.floor((perSecond * SPAN * people.length) / (SECOND * paced.emails)));
  const parts = Array.from({ length: Math.ceil(most / size) }, (_, at) => at);
  return [
    ...parts.map(at => ({
      people: people.slice(at * size, Math.min(most, (at + 1) * size)),
      from: new Date(start + at * SPAN),
      isReserved: true,
      perSecond,
    })),
    { people: people.slice(most), from: after(CLOSED) },
  ].filter(share => share.people.length > 0);
}

export const isDue = ({ from }: Share, now: Date) => from.getTime() - now.getTime() < AT_ONCE;

type Paced = {
  name: ProviderName;
  ask: NonNullable<Provider['pace']>;
  emails: number;
  /** Whose emails they are. */
  lists: Set<string>;
};

/** The provider with a pace that most of these emails go to now, how many, and of which lists. */
function pacedIn(
  providers: Providers,
  { sources }: Pack,
  { lists }: SendingState,
  people: Candidate[],
  now: Date,
): Paced | undefined {
  const names = sources.map(({ list }) => {
    const found = lists.get(list);
    const used = found && !lackOf(found) ? providerNow(found, now) : undefined;
    return used && 'provider' in used ? used.provider : undefined;
  });
  const byName = Map.groupBy(
    people.flatMap(([, dues]) => dues.flatMap(([source]) => names[source] ?? [])),
    name => name,
  );
  const [first] = [...byName]
    .flatMap(([name, { length: emails }]): Paced[] => {
      const ask = providers[name].pace;
      const lists = new Set(sources.flatMap(({ list }, at) => (names[at] === name ? [list] : [])));
      return ask ? [{ name, ask, emails, lists }] : [];
    })
    .sort((a, b) => b.emails - a.emails);
  return first;
}

type Known = { item: Item; pace: Pace };

/** As it was within the last minute. Of all processes, one asks. Undefined as long as there has been no answer. */
async function paceOf(
  { table, now, failed }: Needs,
  { name, ask }: Pick<Paced, 'name' | 'ask'>,
): Promise<Known | undefined> {
  const key = keyOf(name);
  const item = await get(table, key);
  const stored = storedOf<Stored>(item);
  const at = now();
  const isOld = !stored || at.getTime() - Date.parse(stored.read_at) >= KNOWN;
  const read_at = at.toISOString();
  const isAsking =
    isOld && (await updateItem(table, key, { set: { read_at } }, unchanged(item, ['read_at'])));
  const pace = isAsking
    ? await ask().catch((error: unknown) => failed('a provider did not say its pace', error))
    : undefined;
  const asked = pace && (await updateItem(table, key, { set: pace }, PRESENT));
  const latest = asked ?? item;
  const { perSecond, left, isPaused = false }: Partial<Stored> = storedOf<Stored>(latest) ?? {};
  if (!latest || perSecond === undefined || left === undefined) return undefined;
  return { item: latest, pace: { perSecond, left, isPaused } };
}

/** Returns when the reserved time begins; undefined if so much is reserved that others come first. */
async function reserve(
  { table, now }: Needs,
  { organization }: Pack,
  name: ProviderName,
  known: Item,
  milliseconds: number,
): Promise<number | undefined> {
  const key = keyOf(name);
  let item: Item | undefined = known;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && item; attempt++) {
    const { free_at, by } = fromItem<Stored>(item);
    const at = now().getTime();
    const start = Math.max(at, free_at === undefined ? 0 : Date.parse(free_at));
    if (start - at >= AHEAD[by === organization ? 'ofItself' : 'ofOthers']) return undefined;
    const set = { free_at: new Date(start + milliseconds).toISOString(), by: organization };
    if (await updateItem(table, key, { set }, unchanged(item, ['free_at']))) return start;
    item = await get(table, key);
  }
  throw new Error(`Others have reserved a provider's time on all ${MOST_ATTEMPTS} attempts`);
}

/** Notes it for lists with a second provider. Returns the lists that no other provider takes over now. */
async function noteClosed(
  { table, now }: Needs,
  { lists }: SendingState,
  { name, lists: closed }: Pick<Paced, 'name' | 'lists'>,
  reason: Failing['reason'],
): Promise<Set<string>> {
  const waiting = new Set(closed);
  for (const id of closed) {
    const list = lists.get(id);
    if (!list?.second_provider || providerOf(list) !== name) continue;
    const noted = await noteFailing(table, list, reason, now());
    const used = noted && providerNow({ ...list, ...noted }, now());
    if (used && 'provider' in used && used.provider !== name) waiting.delete(id);
  }
  return waiting;
}

/** Less is no news. */
const LONG_QUEUE = 2 * MINUTE;

/** Until when emails wait for their turn, where that is long, and how many go in a second. */
export async function queueOf(
  table: Table,
  name: ProviderName,
  now: Date,
): Promise<{ until: Date; perSecond: number } | undefined> {
  const item = await get(table, keyOf(name));
  const { free_at, perSecond }: Partial<Stored> = storedOf<Stored>(item) ?? {};
  const until = free_at === undefined ? undefined : new Date(free_at);
  const isLong = until !== undefined && until.getTime() - now.getTime() > LONG_QUEUE;
  return isLong && perSecond ? { until, perSecond } : undefined;
}
