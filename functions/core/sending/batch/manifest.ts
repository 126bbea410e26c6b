import { type ClaimKey, claimId, HASH_BYTES } from '#core/recipient/recipient.key.ts';
import type { Item } from '#core/storage/table.store.ts';

/** A claim in a batch, with the id of its combination. */
export type Send = ClaimKey & { combination: string };

const CLAIM_BYTES = HASH_BYTES + 4;
const SEND_BYTES = CLAIM_BYTES + 2;

export function packedClaims(claims: ClaimKey[]): Uint8Array {
  const bytes = Buffer.alloc(claims.length * CLAIM_BYTES);
  for (const [index, claim] of claims.entries()) writeClaimKey(bytes, index * CLAIM_BYTES, claim);
  return bytes;
}

function writeClaimKey(bytes: Buffer, at: number, { hash, seq }: ClaimKey): void {
  Buffer.from(hash, 'base64url').copy(bytes, at);
  bytes.writeUInt32BE(seq, at + HASH_BYTES);
}

const readClaimKey = (bytes: Buffer, at: number): ClaimKey => ({
  hash: bytes.subarray(at, at + HASH_BYTES).toString('base64url'),
  seq: bytes.readUInt32BE(at + HASH_BYTES),
});

/** A manifest never changes: a claim in it is posted by this batch or not at all. */
export function manifestOf(sends: Send[]): Item {
  const combinations = [...new Set(sends.map(({ combination }) => combination))];
  const place = new Map(combinations.map((id, at) => [id, at]));
  const bytes = Buffer.alloc(sends.length * SEND_BYTES);
  for (const [index, send] of sends.entries()) {
    writeClaimKey(bytes, index * SEND_BYTES, send);
    bytes.writeUInt16BE(place.get(send.combination) ?? 0, index * SEND_BYTES + CLAIM_BYTES);
  }
  return { combinations, sends: bytes };
}

export function sendsIn(manifest: Item | undefined): Send[] {
  if (!manifest) return [];
  const bytes = Buffer.from(manifest.sends as Uint8Array);
  const combinations = manifest.combinations as string[];
  return Array.from({ length: bytes.length / SEND_BYTES }, (_, index) => {
    const at = index * SEND_BYTES;
    const combination = combinations[bytes.readUInt16BE(at + CLAIM_BYTES)] ?? '';
    return { ...readClaimKey(bytes, at), combination };
  });
}

export function claimIdsIn(part: Item): Set<string> {
  const bytes = Buffer.from(part.sends as Uint8Array);
  const count = bytes.length / CLAIM_BYTES;
  return new Set(
    Array.from({ length: count }, (_, index) => claimId(readClaimKey(bytes, index * CLAIM_BYTES))),
  );
}
