import { createHash } from 'node:crypto';
import { optimistically } from '#core/storage/write.store.ts';
import type { Holdout } from '#shared/holdout.ts';
import * as organizationStore from './organization.store.ts';
import * as organization from './organization.ts';
import { type Changing, recorded } from './record.ts';

type Stored = organizationStore.StoredOrganization;

const WORDS = 2 ** 32;

/**
 * One threshold on one hash of the person and of what they are held out of: it stays the same over time, a higher percent only
 * adds people, a lower one only takes some away, and one holdout says nothing about another.
 */
export const isHeldOut = (hash: string, of: string, percent = 0): boolean =>
  percent > 0 &&
  createHash('sha256').update(`holdout#${of}#${hash}`).digest().readUInt32BE() < (percent / 100) * WORDS;

/** What its holdout is a hash of. No automation has such an id. */
export const idOf = ({ id }: Pick<Stored, 'id'>) => `organization ${id}`;

export const shown = ({ holdout_percent = 0 }: Pick<Stored, 'holdout_percent'>): Holdout => ({
  percent: holdout_percent,
});

export const setOf = ({ percent }: Holdout) => ({ holdout_percent: percent });

/** What is set of the organization, on condition that nobody else has changed its holdout. */
export const changeOf = (before: Stored, to: Holdout) => ({
  set: setOf(to),
  only: organizationStore.livingAs(before, ['holdout_percent']),
});

export const recordedWrites = (needs: Changing, before: Stored, to: Holdout) =>
  recorded(needs, before.id, { kind: 'sending', from: setOf(shown(before)), to: setOf(to) });

export const change = (needs: Changing, known: Stored, to: Holdout): Promise<Holdout> =>
  optimistically<Stored, Holdout>({
    known,
    read: () => organization.findLiving(needs, known.id),
    write: async before => {
      if (shown(before).percent === to.percent) return to;
      const others = recordedWrites(needs, before, to);
      return (await organizationStore.changeIf(needs.table, before.id, changeOf(before, to), others)) && to;
    },
    conflict: 'Another change of the holdout is under way. Please try again.',
  });
