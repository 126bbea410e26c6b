import { WINDOWS } from '#shared/safeguards.ts';
import type { Claimed, History } from './history.ts';

const CLOCKS_APART = 5_000;

export type Known = {
  history: History;
  /** The claims of the person. */
  all: Claimed[];
  /** How long before it was stored a skip may have been decided. */
  within: number;
};

/** Whether the limit was reached when another email was refused: by claims that were not released before. */
export function isCapped(
  field: string,
  at: number,
  { organization, at: due }: { organization: number; at: number },
  { history, all, within: decidedBefore }: Known,
): boolean {
  const window = WINDOWS.find(one => one.field === field);
  if (!window) return false;
  const limits = history.during(`ORG#${organization}`, 'SAFEGUARDS', at - decidedBefore, at);
  return limits.some(set => {
    if (set?.enabled === false) return false;
    const within = all.filter(({ claim, change, releasedAt }) => {
      const instant = Date.parse(claim.at);
      const isCounted = change.at <= at && (releasedAt === undefined || releasedAt > at - decidedBefore);
      return isCounted && instant > due - window.length && instant <= at + CLOCKS_APART;
    });
    return within.length >= Number(set?.[window.field] ?? window.initial);
  });
}
