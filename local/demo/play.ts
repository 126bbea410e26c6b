import { DAY, HOUR, MINUTE, startOfDay } from '#shared/time.ts';
import type { Message } from '../inbox/message.ts';
import { REFERENCE } from './company.ts';
import type { Driver } from './driver.ts';
import { type Person, since } from './people.ts';
import { orderValue, type Reaction, reactionsTo } from './reactions.ts';
import { addMembers, type Company } from './setup.ts';

/** How often each kind of event was played, and the total value of orders. */
export type Played = Record<Reaction['kind'] | 'joined' | 'sent' | 'value', number>;

export type Span = { from: number; to: () => number; reached: (instant: number) => void };

/** The minutes of a day in which people act. They are few, as each takes time to play. */
const STOPS = ['07:38', '09:14', '10:52', '12:27', '14:49', '17:41', '19:23', '21:16'].map(text => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
});
/** One person complains, after this share of the history. */
const COMPLAINT_AFTER = 0.6;
// More requests at once would only wait for each other.
const MOST_AT_ONCE = 8;

export async function play(
  driver: Driver,
  company: Company,
  members: Person[],
  { from, to, reached }: Span,
): Promise<Played> {
  const played: Played = {
    joined: 0,
    sent: 0,
    open: 0,
    click: 0,
    order: 0,
    value: 0,
    unsubscribe: 0,
    bounced: 0,
    bounced_soft: 0,
    complained: 0,
  };
  const act = actor(driver, company, members, played);
  const complainsAt = from + (to() - from) * COMPLAINT_AFTER;
  let joining = members.filter(({ joins }) => joins !== undefined);
  let waiting: Reaction[] = [];

  for (const stop of stopsBetween(driver.now(), to)) {
    await driver.advance(stop);
    for (const email of driver.delivered()) {
      played.sent += 1;
      const complains = played.complained === 0 && Date.parse(email.at) > complainsAt;
      if (complains) played.complained = 1;
      waiting.push(...(complains ? complaintAbout(email) : reactionsTo(email)));
    }
    const now = waiting.filter(({ at }) => at <= stop);
    waiting = waiting.filter(({ at }) => at > stop);
    const joined = joining.filter(({ joins = 0 }) => joins <= stop);
    joining = joining.filter(({ joins = 0 }) => joins > stop);
    await driver.inOneBatch(async () => {
      await act(now);
      await addMembers(
        company,
        joined.map(person => since(person, stop)),
      );
    });
    played.joined += joined.length;
    reached(stop);
  }
  await driver.advance(to());
  played.sent += driver.delivered().length;
  return played;
}

function* stopsBetween(from: number, to: () => number) {
  for (let day = startOfDay(from); day < to(); day += DAY) {
    for (const minute of STOPS) {
      const stop = day + minute * MINUTE;
      if (from < stop && stop <= to()) yield stop;
    }
  }
}

const complaintAbout = (email: Message): Reaction[] => [
  { kind: 'complained', at: Date.parse(email.at) + 2 * HOUR, email },
];

/** Acts as the browsers and mail servers of recipients do, and as the shop does. */
function actor(driver: Driver, company: Company, members: Person[], played: Played) {
  const customers = new Map(members.filter(({ list }) => list === 'customers').map(one => [one.email, one]));
  /** The people who get no more emails. */
  const gone = new Set<string>();
  /** The combination from the URL of a button, by the id of the email. */
  const references = new Map<string, string>();

  const doing: Record<Reaction['kind'], (email: Message) => Promise<void>> = {
    async open({ html }) {
      await visit(driver, 'GET', linkIn(html, 'o'));
    },
    async click({ id, html }) {
      const { headers } = await visit(driver, 'GET', linkIn(html, 'c'));
      const reference = new URL(headers.location ?? '').searchParams.get(REFERENCE);
      if (reference) references.set(id, reference);
    },
    async order(email) {
      const value = orderValue(email);
      await company.shop.postValue({
        body: {
          emailTemplateCombinationId: references.get(email.id) ?? '',
          email: email.to,
          eventId: `order-${1000 + played.order}`,
          value,
        },
      });
      played.value += value;
      const customer = customers.get(email.to);
      if (!customer) return;
      const orders = Number(customer.metadata.orders) + 1;
      Object.assign(
        customer,
        since({ ...customer, metadata: { ...customer.metadata, orders } }, driver.now()),
      );
      await addMembers(company, [customer]);
    },
    async unsubscribe({ html, to }) {
      gone.add(to);
      const link = linkIn(html, 'u');
      await visit(driver, 'GET', link);
      await visit(driver, 'POST', link, 'do=unsubscribe');
    },
    bounced: report('bounced'),
    bounced_soft: report('bounced_soft'),
    complained: report('complained'),
  };

  function report(event: 'bounced' | 'bounced_soft' | 'complained') {
    return async ({ to, variables }: Message) => {
      if (event !== 'bounced_soft') gone.add(to);
      await driver.report(variables.send ?? '', event);
    };
  }

  async function actOn(reactions: Reaction[]): Promise<void> {
    for (const { kind, email } of reactions.sort((a, b) => a.at - b.at)) {
      if (gone.has(email.to) && kind !== 'open' && kind !== 'click') continue;
      if (kind !== 'complained') played[kind] += 1;
      await doing[kind](email);
    }
  }

  return async (reactions: Reaction[]) => {
    const groups = [...Map.groupBy(reactions, ({ email }) => email.id).values()];
    await Promise.all(
      Array.from({ length: MOST_AT_ONCE }, async () => {
        for (let group = groups.shift(); group; group = groups.shift()) await actOn(group);
      }),
    );
  };
}

// The user agent of a person: see functions/core/recipient/machine-visits.ts.
const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

const visit = (driver: Driver, method: string, path: string, form?: string) =>
  driver.request({
    method,
    path,
    headers: { 'user-agent': BROWSER, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { body: form }),
  });

/** The path of the open pixel (o), the button (c), or the unsubscribe link (u) of an email. */
const linkIn = (html: string, kind: 'o' | 'c' | 'u') =>
  new RegExp(`/t/${kind}/[\\w-]+`).exec(html)?.[0] ?? '';
