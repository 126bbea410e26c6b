import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { newRevision, sha256 } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import { deletePage, epochSeconds, get, type Key, storedOf, type Table } from '#core/storage/table.store.ts';
import { deleteItem, putItem, unchanged, updateItem } from '#core/storage/write.store.ts';
import { SECOND } from '#shared/time.ts';

const KEPT = 24 * 60 * 60 * SECOND;
/** Longer than the timeout of a function, whichever process's clock measures it. */
const BUSY = 40 * SECOND;
/** An item has at most 400 KB. */
const MOST_BYTES = 300_000;

const HEADER = 'Idempotency-Key';
const LONGEST_KEY = 200;
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${LONGEST_KEY}}$`);

/** What identifies a call: another one with the same key must have the same. Each user has keys of their own. */
type Call = { user: string; key: string; method: string; path: string; body: string };
type Answer = { status: number; body: string };
type Needs = { table: Table; now: Date };

/** What is stored of a call with an Idempotency-Key: first that it is under way, then its response. */
type StoredCall = {
  fingerprint: string;
  revision: string;
  /** The end of the lease of the process that handles the call. */
  busy_until: string;
  expires_at: string;
  status?: number;
  /** Encrypted; absent if it is too large. */
  answer?: Uint8Array;
};

const partition = (organization: number) => `ORG#${organization}#ANSWERS`;
const keyOf = (organization: number, key: string): Key => ({ PK: partition(organization), SK: key });

/** Refused and failed calls are not stored: a repetition tries again. */
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
  const name = sha256(`${call.user} ${call.key}`);
  const kept: StoredCall = {
    fingerprint: sha256([call.method, call.path, call.body].join('\n')),
    revision: newRevision(),
    busy_until: new Date(now.getTime() + BUSY).toISOString(),
    expires_at: new Date(now.getTime() + KEPT).toISOString(),
  };
  if (!(await storeCall(table, organization, name, kept, now))) {
    const first = await readCall(table, organization, name);
    // The SDK repeats a write whose response was lost, and then finds the item of this very process.
    if (first?.revision !== kept.revision) return { ...repeated(first, kept, call), isRepeated: true };
  }
  let answered: Answer;
  try {
    answered = await answer();
  } catch (error) {
    await forgetCall(table, organization, name, kept);
    throw error;
  }
  const sealed = seal(call, answered.body);
  await storeAnswer(table, organization, name, kept, {
    status: answered.status,
    ...(sealed.length <= MOST_BYTES && { answer: sealed }),
  });
  return { ...answered, isRepeated: false };
}

function repeated(first: StoredCall | undefined, { fingerprint }: StoredCall, call: Call): Answer {
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

/** Responses may outlast the erasure of a person, so only a caller who makes the same call can decrypt one. */
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

const readCall = async (table: Table, organization: number, key: string) =>
  storedOf<StoredCall>(await get(table, keyOf(organization, key)));

/** Returns false if the key is stored and has not expired, unless the process of the same call has died. */
const storeCall = (table: Table, organization: number, key: string, kept: StoredCall, now: Date) =>
  putItem(
    table,
    { ...keyOf(organization, key), ...kept, ttl: epochSeconds(new Date(kept.expires_at)) },
    {
      condition:
        'attribute_not_exists(PK) OR expires_at <= :now OR (attribute_not_exists(#status) AND busy_until <= :now AND fingerprint = :fingerprint)',
      names: { '#status': 'status' },
      values: { ':now': now.toISOString(), ':fingerprint': kept.fingerprint },
    },
  );

/** Stores the response. Does nothing if another process has taken over the call. */
const storeAnswer = (
  table: Table,
  organization: number,
  key: string,
  { revision }: StoredCall,
  answered: Pick<StoredCall, 'status' | 'answer'>,
) => updateItem(table, keyOf(organization, key), { set: answered }, unchanged({ revision }, ['revision']));

const forgetCall = (table: Table, organization: number, key: string, { revision }: StoredCall) =>
  deleteItem(table, keyOf(organization, key), unchanged({ revision }, ['revision']));

export const purgeAnswers = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
