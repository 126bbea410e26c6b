import type { Reading } from '#local/meter.ts';
import { type Mailing, mailing } from './mailing.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

const BEGIN = 10 * 60;

/** What the emails of some hours use that were not swept in time, beside those of the same hours that were. */
export async function catchingUp(
  product: Product,
  { caller, spread }: Mailing,
  hours: number,
): Promise<Section> {
  const during = { minute: BEGIN, minutes: hours * 60 };
  const inTime = await mailing(product, caller, spread, during);
  const late = await mailing(product, caller, spread, { ...during, outage: true });
  const emails = inTime.provider.accepted;
  if (late.provider.accepted !== emails) {
    throw new Error(`After the outage ${late.provider.accepted} emails were sent instead of ${emails}`);
  }
  const lines = (what: string, counted: (used: Reading) => number) => [
    { what: `${what}, in time`, measured: counted(inTime) / emails },
    { what: `${what}, after the outage`, measured: counted(late) / emails, budget: counted(inTime) / emails },
  ];
  return {
    title: `An email of ${hours} h that was not swept in time, of ${emails.toLocaleString('en-US')}`,
    lines: [
      ...lines('write units', ({ dynamodb }) => dynamodb.write_units),
      ...lines('read units', ({ dynamodb }) => dynamodb.read_units),
      ...lines('table requests', ({ dynamodb }) => dynamodb.requests),
      ...lines('calls of the provider', ({ provider }) => provider.calls),
      ...lines('invocations', ({ lambda }) => lambda.invocations),
    ],
  };
}
