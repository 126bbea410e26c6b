import { expectSent, type Mailing, MIDNIGHT, mailing, ofFunction, setSafeguards } from './mailing.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

const MANY = 1_000;

/** What an email uses, and one that the safeguards do not allow. */
export async function sending(
  product: Product,
  { caller, members, atOnce }: Mailing,
): Promise<{ sections: Section[]; sweepReads: number }> {
  const send = () => mailing(product, caller, atOnce, { minute: MIDNIGHT });
  await setSafeguards(product, caller, MANY);
  const first = await send();
  expectSent(first, members);
  const used = await send();
  expectSent(used, members);
  const { dynamodb, provider, sqs } = used;
  const each = (what: string, counted: number) => ({ what, measured: counted / members });
  const per1000 = (what: string, counted: number) => ({ what, measured: (counted / members) * 1000 });
  const sender = ofFunction(used, 'Sender');
  const sweep = ofFunction(used, 'Sweep');
  const sent: Section = {
    title: `An email, of ${members.toLocaleString('en-US')} due at once`,
    lines: [
      { ...each('write units', dynamodb.write_units), budget: 1.2 },
      { ...each('read units', dynamodb.read_units), budget: 0.8 },
      each('table requests', dynamodb.requests),
      each('read units of the sender', sender.read_units),
      each('read units of the sweep', sweep.read_units),
      each('write units of the first email of a person', first.dynamodb.write_units),
      { ...per1000('calls of the provider for 1,000 emails', provider.calls), budget: 4 },
      per1000('calls of queues for 1,000 emails', sqs.requests),
    ],
  };

  await setSafeguards(product, caller, MANY, 1);
  const skipped = await send();
  expectSent(skipped, 0);
  await setSafeguards(product, caller, MANY);
  const notSent: Section = {
    title: `An email that is skipped, of ${members.toLocaleString('en-US')}`,
    lines: [
      { ...each('write units', skipped.dynamodb.write_units), budget: 0.03 },
      each('read units', skipped.dynamodb.read_units),
    ],
  };
  return { sections: [sent, notSent], sweepReads: sweep.read_units };
}
