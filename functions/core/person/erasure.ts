import * as record from '#core/organization/record.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { Refusal } from '#core/refusal.ts';
import type { Erasure } from '#shared/erasure.ts';
import { NOTHING_STORED } from '#shared/export.ts';

type Needs = record.Changing & { hasTimeLeft?: () => boolean };

/** Recorded without their address, and once: a repeated call completes what was interrupted. */
export async function erase(
  { user, by, ...needs }: Needs,
  organization: number,
  email: string,
): Promise<Erasure> {
  const erased = await recipient.erase(needs, organization, email);
  if (!erased) throw new Refusal('not-found', NOTHING_STORED);
  const { at, isComplete } = erased;
  if (at !== null && isComplete) {
    const erasure = { at, recipient: recipientKey.hashOf(email) };
    await record.recordErasure({ table: needs.table, user, by }, organization, erasure);
  }
  return { erased_at: at, complete: isComplete };
}
