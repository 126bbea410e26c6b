import { importing } from './import.ts';
import { readingPages } from './members-page.ts';
import { startProduct } from './product.ts';
import type { Section } from './report.ts';

/** Every budget, a bench each, one after the other on one stack: the counts do not depend on the machine. */
export async function* bench(assembly: string, members: number): AsyncGenerator<Section> {
  const product = await startProduct(assembly);
  try {
    yield await importing(product, members / 10);
    yield await readingPages(product, members);
  } finally {
    await product.close();
  }
}
