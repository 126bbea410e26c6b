import { createHash } from 'node:crypto';

export const HASH_LENGTH = 5;
const HASHES = 36 ** HASH_LENGTH;

/**
 * Identifies an automation in the names of counts. A whole id would make each name much longer, and names make up most of an
 * item.
 */
export const automationHash = (id: string) =>
  (createHash('sha256').update(id).digest().readUIntBE(0, 6) % HASHES)
    .toString(36)
    .padStart(HASH_LENGTH, '0');
