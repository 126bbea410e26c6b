import { createHash } from 'node:crypto';

export const HASH_LENGTH = 5;
const HASHES = 36 ** HASH_LENGTH;

/** By which an automation is named in counts: a whole id would make each name twice as long, and names are what an item costs. */
export const automationHash = (id: string) =>
  (createHash('sha256').update(id).digest().readUIntBE(0, 6) % HASHES)
    .toString(36)
    .padStart(HASH_LENGTH, '0');
