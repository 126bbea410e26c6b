import * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item, Key } from '#core/storage/table.store.ts';

/** An email to a person: its claim. */
export type FoundEmail = { key: recipientKey.RecipientKey; claim: journal.Claim };

/** The key of an email's claim, always within this organization. */
export function keysOf(organization: number, id: string): Key[] {
  const named = recipientKey.readClaimId(id);
  return named ? [journal.entryKey({ organization, hash: named.hash }, named.seq)] : [];
}

export function found(organization: number, id: string, items: Item[]): FoundEmail {
  const named = recipientKey.readClaimId(id);
  const claim = items.map(journal.claimIn).find(one => one !== undefined);
  if (!named || !claim) throw new Refusal('not-found', 'Email not found');
  return { key: { organization, hash: named.hash }, claim };
}
