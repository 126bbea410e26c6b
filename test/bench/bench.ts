import { changingAutomations, simulating } from './automation.ts';
import { expectCounted, newCustomer } from './customer.ts';
import { fill } from './fill.ts';
import { importing } from './import.ts';
import { readingPages } from './members-page.ts';
import { startProduct } from './product.ts';
import type { Section } from './report.ts';

/** Every budget, a bench each, one after the other on one stack: the counts do not depend on the machine. */
export async function* bench(assembly: string, members: number): AsyncGenerator<Section> {
  const product = await startProduct(assembly);
  try {
    yield await importing(product, members / 10);
    const customer = await newCustomer(product, 'reader');
    await fill(product, customer, customer.list, members);
    await product.drain();
    await expectCounted(product, customer, members);
    yield await readingPages(product, customer, members);
    yield await simulating(product, customer, members);
    yield await changingAutomations(product, customer);
  } finally {
    await product.close();
  }
}
