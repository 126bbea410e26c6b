import * as recipient from '../../recipient/recipient/recipient.ts';
import { Refusal } from '../../refusal.ts';
import type { Item, Key } from '../../storage/table.store.ts';

/** An email to somebody: its claim. */
export type Found = { key: recipient.RecipientKey; claim: recipient.Claim };

/** An email's id: the parts of its claim's key, which mean nothing in another organization. */
export const idOf = ({ hash, seq }: { hash: string; seq: number }) => `${hash}-${seq}`;

const ID = /^([\w-]{22})-([1-9]\d{0,8})$/;

const keyOf = (organization: number, id: string) => {
  const [, hash, seq] = ID.exec(id) ?? [];
  return hash === undefined ? undefined : { key: { organization, hash }, seq: Number(seq) };
};

/** The items that `found` is made of: its claim, which the organization's number leads to alone. */
export function keysOf(organization: number, id: string): Key[] {
  const named = keyOf(organization, id);
  return named ? [recipient.entryKey(named.key, named.seq)] : [];
}

export function found(organization: number, id: string, items: Item[]): Found {
  const named = keyOf(organization, id);
  const claim = items.map(recipient.claimIn).find(one => one !== undefined);
  if (!named || !claim) throw new Refusal('not-found', 'Email not found');
  return { key: named.key, claim };
}
