import { looksLikeEpoch, type MetadataChange } from '#shared/metadata.ts';
import { unreadDateText } from '#shared/written-date.ts';

const AS_IT_IS = 'Stored as it is, not as a date. Write a date as 2026-01-31 or 2026-01-31T12:00:00Z';

const warningOf = (value: unknown) => (looksLikeEpoch(value) ? AS_IT_IS : unreadDateText(value));

/**
 * Warnings for values that may be meant as dates and are stored as text, since nothing is changed silently. By key, below a
 * path.
 */
export const warningsOf = (metadata: MetadataChange, path = ''): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => {
      const warning = warningOf(value);
      return warning === undefined ? [] : [[`${path}${key}`, [warning]]];
    }),
  );
