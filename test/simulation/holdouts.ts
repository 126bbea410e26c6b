import { createHash } from 'node:crypto';
import type { History } from './history.ts';
import { automationKey } from './stored.ts';

type Email = { organization: number; hash: string; automation: string };

/**
 * Whether somebody is held out of an email at an instant. This is written independently of the code that decides the same.
 */
export function isHeldOut(history: History, { organization, hash, automation }: Email, at: number): boolean {
  const configuration = `ORG#${organization}`;
  const { id, sequence_id, holdout_percent } = history.at(configuration, automationKey(automation), at) ?? {};
  const ofAll = history.at(configuration, 'META', at)?.holdout_percent;
  return [
    { of: String(sequence_id ?? id), percent: holdout_percent },
    { of: `organization ${organization}`, percent: ofAll },
  ].some(({ of, percent = 0 }) => {
    const digits = createHash('sha256').update(`holdout#${of}#${hash}`).digest('hex').slice(0, 8);
    return Number.parseInt(digits, 16) * 100 < Number(percent) * 16 ** 8;
  });
}
