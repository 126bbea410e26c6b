import { createHash } from 'node:crypto';
import type { Item } from '#core/storage/table.store.ts';

// Reads items as docs/table.md describes them, without the code of the product.

const HASH_BYTES = 16;
const CLAIM_BYTES = HASH_BYTES + 4;
const SEND_BYTES = CLAIM_BYTES + 2;
const SKIP_BYTES = HASH_BYTES + 3;

export type Sent = { hash: string; seq: number; combination: string };

const parts = (bytes: Uint8Array, size: number) =>
  Array.from({ length: bytes.length / size }, (_, at) =>
    Buffer.from(bytes.subarray(at * size, (at + 1) * size)),
  );
const hashIn = (bytes: Buffer) => bytes.subarray(0, HASH_BYTES).toString('base64url');

export const sendsIn = ({ sends, combinations }: Item): Sent[] =>
  parts(sends as Uint8Array, SEND_BYTES).map(bytes => ({
    hash: hashIn(bytes),
    seq: bytes.readUInt32BE(HASH_BYTES),
    combination: (combinations as string[])[bytes.readUInt16BE(CLAIM_BYTES)] ?? '',
  }));

/** The claims of a batch with another outcome than most: `<hash>#<number of the claim>`. */
export const claimsIn = ({ sends }: Item): string[] =>
  parts(sends as Uint8Array, CLAIM_BYTES).map(bytes => `${hashIn(bytes)}#${bytes.readUInt32BE(HASH_BYTES)}`);

type SkipRow = { hash: string; list: string; automation: string; reason: string; isForExisting: boolean };

export const skipsIn = ({ skips, reasons, sources }: Item): SkipRow[] =>
  parts(skips as Uint8Array, SKIP_BYTES).map(bytes => {
    const source = (sources as (SkipRow & { existing?: string })[])[bytes.readUInt16BE(HASH_BYTES)];
    return {
      hash: hashIn(bytes),
      list: source?.list ?? '',
      automation: source?.automation ?? '',
      isForExisting: source?.existing !== undefined,
      reason: (reasons as string[])[bytes.readUInt8(HASH_BYTES + 2)] ?? '',
    };
  });

/** The id of a batch: `<minute>#<pack>#<list>.<automation>`. */
export const minuteIn = (batch: string) => batch.slice(0, 'yyyy-mm-ddThh:mm'.length);
export const packIn = (batch: string) => batch.split('#').slice(0, 2).join('#');

/** By the pack, the time that is reserved for it at its provider. */
export const turnsOf = (packs: { minute: string; id: string; paced_at?: string }[]): Map<string, number> =>
  new Map(
    packs.flatMap(({ minute, id, paced_at }): [string, number][] =>
      paced_at ? [[`${minute}#${id}`, Date.parse(paced_at)]] : [],
    ),
  );

const COUNTS = {
  s: 'sent',
  o: 'opened',
  m: 'machine_opened',
  c: 'clicked',
  l: 'unsub_clicked',
  u: 'unsubscribed',
  b: 'bounced',
  x: 'complained',
  /** The value, in ten-thousandths. */
  v: 'value',
  r: 'reported',
  n: 'conversions',
} as const;
export type Counted = (typeof COUNTS)[keyof typeof COUNTS];

/** The length of the names of counts by mailbox provider: `<letter><letter of the provider>`. */
const BY_MAILBOX = 2;

/** The counts of a rollup, for a day: `<letter><combination>`; sent and clicked also have the hash of the automation. */
export const countsIn = ({ PK: _, SK, ...fields }: Item) =>
  Object.entries(fields).flatMap(([name, count]) =>
    name.length === BY_MAILBOX
      ? []
      : {
          day: String(SK).slice(0, 'yyyy-mm-dd'.length),
          counted: COUNTS[name[0] as keyof typeof COUNTS],
          combination: name.slice(1, 13),
          automation: name.slice(13),
          count: Number(count),
        },
  );

/** The hash that stands for an automation in rollups. */
export const automationHashOf = (id: string) =>
  Number(createHash('sha256').update(id).digest().readUIntBE(0, 6) % 36 ** 5)
    .toString(36)
    .padStart(5, '0');

export const hashOf = (email: string) =>
  createHash('sha256').update(email).digest().subarray(0, HASH_BYTES).toString('base64url');

export const isBroadcast = (automation: string) => automation.startsWith('B');
export const automationKey = (id: string) => `${isBroadcast(id) ? 'CAST' : 'AUTO'}#${id}`;

export const journalKey = (seq: number) => `J#${9_999_999_999 - seq}`;

/** The name of an email in the events of the provider. */
export const sendName = (organization: number | string, hash: string, seq: number) =>
  `${organization}-${hash}-${seq}`;
