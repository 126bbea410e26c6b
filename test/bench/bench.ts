import { changingAutomations, simulating } from './automation.ts';
import { sweepingBeside, sweepingBroadcast, sweepingMany } from './crowd.ts';
import { expectCounted, newCustomer } from './customer.ts';
import { happening } from './event.ts';
import { fill } from './fill.ts';
import { importing, importingFile } from './import.ts';
import { newMailing, setSafeguards } from './mailing.ts';
import { readingPages } from './members-page.ts';
import { catchingUp } from './outage.ts';
import { type Product, startProduct } from './product.ts';
import { purging } from './purge.ts';
import type { Section } from './report.ts';
import { reporting } from './reporting.ts';
import { sweepingAllDay } from './send-times.ts';
import { GROUP, MANY, packing, sending } from './sending.ts';
import type { Sizes } from './sizes.ts';
import { onePass, sweeping } from './sweep.ts';
import { sendingAll } from './throughput.ts';
import { reading } from './tracking.ts';

type Bench = (sizes: Sizes, assembly: string) => AsyncGenerator<Section>;

export const BENCHES = {
  lists: withProduct(lists),
  mails: withProduct(mails),
  events: withProduct(events),
  reports: withProduct(reports),
  sweeps,
} satisfies Record<string, Bench>;
export type BenchName = keyof typeof BENCHES;

/** Every budget. */
export async function* bench(
  assembly: string,
  sizes: Sizes,
  names = Object.keys(BENCHES) as BenchName[],
): AsyncGenerator<Section> {
  for (const name of names) yield* BENCHES[name](sizes, assembly);
}

/** Each of these has a stack of its own: what one leaves switched on, the sweep of another would read. */
function withProduct(measure: (product: Product, sizes: Sizes) => AsyncGenerator<Section>): Bench {
  return async function* (sizes, assembly) {
    const product = await startProduct(assembly);
    try {
      yield* measure(product, sizes);
    } finally {
      await product.close();
    }
  };
}

async function* sweeps({ organizations, crowd, daily }: Sizes): AsyncGenerator<Section> {
  yield await sweepingMany(organizations);
  yield await sweepingBeside(crowd);
  yield await sweepingBroadcast(crowd);
  yield await sweepingAllDay(daily);
}

async function* events(product: Product, { events }: Sizes): AsyncGenerator<Section> {
  yield* happening(product, await newCustomer(product, 'shop'), events);
}

function reports(product: Product, { combinations, reportDays }: Sizes): AsyncGenerator<Section> {
  return reporting(product, combinations, reportDays);
}

async function* lists(product: Product, { members, people }: Sizes): AsyncGenerator<Section> {
  yield await importing(product, members / 10);
  yield await importingFile(product, members / 10);
  yield await purging(product, people);
  const customer = await newCustomer(product, 'reader');
  await fill(product, customer, customer.list, members);
  await product.drain();
  await expectCounted(product, customer, members);
  yield await readingPages(product, customer, members);
  yield await simulating(product, customer, members);
  yield await changingAutomations(product, customer);
}

async function* mails(product: Product, { sends, due, pack, outageHours }: Sizes): AsyncGenerator<Section> {
  const customer = await newCustomer(product, 'mailer');
  await setSafeguards(product, customer, MANY);
  const small = await newMailing(product, customer, { members: sends, perMinute: GROUP });
  yield await sending(product, small);
  yield await reading(product);
  yield* await packing(product, pack);
  yield await catchingUp(product, small, outageHours);
  const large = await newMailing(product, customer, { members: due });
  const crowded = [...(await sweeping(product, small)), ...(await sweeping(product, large))];
  const { section, sweep } = await sendingAll(product, large);
  yield { title: 'A run of the sweep', lines: [...crowded, onePass(sweep, due)] };
  yield section;
}
