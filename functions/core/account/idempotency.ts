import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { newRevision } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { sha256 } from '#core/secret.ts';
import type { Table } from '#core/storage/table.store.ts';
import { SECOND } from '#shared/time.ts';
import * as store from './idempotency.store.ts';

/** A response is repeated for so long. */
const KEPT = 24 * 60 * 60 * SECOND;
/** Longer than the timeout of a function, whichever process's clock measures it. */
const BUSY = 40 * SECOND;
/** An item has at most 400 KB. */
const MOST_BYTES = 300_000;

const HEADER = 'Idempotency-Key';
const LONGEST_KEY = 200;
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${LONGEST_KEY}}$`);

/** What identifies a call: another one with the same key must have the same. */
export type Call = { key: string; method: string; path: string; body: string };
export type Answer = { status: number; body: string };
type Needs = { table: Table; now: Date };

/**
 * Handles a call once: a repeated call with the same key within a day gets the same response, and nothing is done again.
 * Refused and failed calls are not stored: a repetition tries again.
 */
export async function once(
  needs: Needs,
  organization: number,
  call: Call,
  answer: () => Promise<Answer>,
): Promise<Answer & { isRepeated: boolean }> {
  if (!KEY.test(call.key)) {
    const text = `${HEADER} must be 1 to ${LONGEST_KEY} visible ASCII characters, without spaces`;
    throw invalid(HEADER, text);
  }
  const { table, now } = needs;
  const name = sha256(call.key);
  const kept: store.Kept = {
    fingerprint: sha256([call.method, call.path, call.body].join('\n')),
    revision: newRevision(),
    busy_until: new Date(now.getTime() + BUSY).toISOString(),
    expires_at: new Date(now.getTime() + KEPT).toISOString(),
  };
  if (!(await store.begin(table, organization, name, kept, now))) {
    const first = await store.read(table, organization, name);
    // The SDK repeats a write whose response was lost, and then finds the item of this very process.
    if (first?.revision !== kept.revision) return { ...repeated(first, kept, call), isRepeated: true };
  }
  let answered: Answer;
  try {
    answered = await answer();
  } catch (error) {
    await store.forget(table, organization, name, kept);
    throw error;
  }
  const sealed = seal(call, answered.body);
  await store.end(table, organization, name, kept, {
    status: answered.status,
    ...(sealed.length <= MOST_BYTES && { answer: sealed }),
  });
  return { ...answered, isRepeated: false };
}

function repeated(first: store.Kept | undefined, { fingerprint }: store.Kept, call: Call): Answer {
  if (first && first.fingerprint !== fingerprint) {
    throw new Refusal('conflict', `This ${HEADER} belongs to another call: use a new one for each.`);
  }
  // If the item is deleted, the first call was refused just now.
  if (!first?.status) {
    const text = `The first call with this ${HEADER} is still being answered. Please repeat it in a moment.`;
    throw new Refusal('conflict', text, { retryAfter: 1 });
  }
  if (!first.answer) {
    throw new Refusal('conflict', 'This call was answered before. Its answer was too large to be kept.');
  }
  return { status: first.status, body: open(call, first.answer) };
}

/**
 * Responses have personal data, and may outlast the erasure of a person. So only a caller who makes the same call can
 * decrypt one.
 */
const secretOf = ({ key, method, path, body }: Call) =>
  Buffer.from(hkdfSync('sha256', [key, method, path, body].join('\n'), '', 'answer', 32));

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

function seal(call: Call, text: string): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, secretOf(call), iv);
  const sealed = [cipher.update(text), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

function open(call: Call, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const tagEnd = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, secretOf(call), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, tagEnd));
  return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString();
}
