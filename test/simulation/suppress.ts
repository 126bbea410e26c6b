import { optimistically } from '../../functions/core/optimistic.ts';
import { entryKey } from '../../functions/core/recipient/journal.store.ts';
import { membershipOrLeft } from '../../functions/core/recipient/membership.store.ts';
import { HEAD, MEMBERSHIP, partitionOf } from '../../functions/core/recipient/recipient.key.ts';
import type * as recipient from '../../functions/core/recipient/recipient.ts';
import { triggersOf } from '../../functions/core/recipient/trigger.ts';
import { queryPartition, type Table } from '../../functions/core/table.store.ts';
import {
  ABSENT,
  commit,
  conditionCheck,
  deleteWrite,
  held,
  putWrite,
  unchanged,
  updateWrite,
} from '../../functions/core/write.store.ts';

/** Suppresses an address as a complaint does: journal entry, head and trigger rows in one transaction. */
export const suppress = (
  { table, now }: { table: Table; now: Date },
  key: recipient.RecipientKey,
): Promise<true> =>
  optimistically({
    read: () => queryPartition(table, partitionOf(key)),
    write: async items => {
      const seq = Number(items.find(({ SK }) => String(SK).startsWith('J#'))?.seq ?? 0) + 1;
      const members = items.filter(({ SK }) => String(SK).startsWith(MEMBERSHIP));
      const rows = members.flatMap(item =>
        triggersOf(key.hash, undefined, membershipOrLeft(item).membership),
      );
      const writes = [
        updateWrite(table, { PK: partitionOf(key), SK: HEAD }, { set: { suppression: 'complained' } }),
        putWrite(table, { ...entryKey(key, seq), seq, type: 'complained', at: now.toISOString() }, ABSENT),
        ...members.map(item =>
          conditionCheck(table, { PK: String(item.PK), SK: String(item.SK) }, unchanged(item, ['revision'])),
        ),
        ...rows.map(row => deleteWrite(table, row)),
      ];
      return (await held(commit(table, writes))) || undefined;
    },
    conflict: 'Another change of this person is under way.',
  });
