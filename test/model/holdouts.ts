/** Who is held out, as `model.ts` counts it. */
import { createHash } from 'node:crypto';
import type { Email, Person, World } from './model.ts';

/** In these worlds a person has no other hash than the address. Of each hundred, by chance; the steps of a sequence hold out the same ones, and the organization others. */
export function isHeldOut({ automation }: Email, { email }: Person, { holdout }: World): boolean {
  const placeOf = (of: string) =>
    Number(`0x${createHash('sha256').update(`holdout#${of}#${email}`).digest('hex').slice(0, 8)}`);
  const isBelow = (of: string, percent: number) => placeOf(of) / 16 ** 8 < percent / 100;
  return (
    isBelow(automation.begun ? 'sequence' : automation.id, automation.holdout) ||
    isBelow('organization 1', holdout)
  );
}
