import { isDeleted } from './endings.ts';
import type { History } from './history.ts';
import { IGNORED } from './reference.ts';
import { isBroadcast } from './stored.ts';

const MINUTE = 60_000;
/** As long as a pack may wait, with its retries. */
export const RESOLVED = 27 * 60 * MINUTE;

/** A person on a list of an automation. */
export type Of = { hash: string; list: string; automation: string };

/** The passes over people who were there, each with where it begins: its source, and since when that is. */
export const passesIn = (history: History) =>
  history
    .changesWithin('SWEEP#', '')
    .filter(({ before, after }) => after?.existing === '' && before?.since !== after.since)
    .map(({ key, after, at }) => {
      const [organization = '', list = '', , id = ''] = key.SK.split('#');
      return { organization: Number(organization), list, id, existing: String(after?.since), at };
    })
    .filter(({ organization, id }) => !isBroadcast(id) && !isDeleted(history, organization));

export const hashesOn = (history: History, organization: number, list: string) =>
  new Set(
    history.versionsOf(`R#${organization}#`, `IN#${list}`).map(({ PK }) => String(PK).split('#')[2] ?? ''),
  );

/** Whether all was on when something was switched on, and did not change since. */
export function isUnchanged(
  history: History,
  organization: number,
  of: Of,
  { at, since, until = at + RESOLVED }: { at: number; since: string; until?: number },
): boolean {
  const configuration = `ORG#${organization}`;
  const person = `R#${organization}#${of.hash}`;
  const all = [
    [configuration, 'META'],
    [configuration, `LIST#${of.list}`],
    [configuration, `AUTO#${of.automation}`],
    [person, `IN#${of.list}`],
    [person, 'HEAD'],
  ] as const;
  const ignored = (SK: string) => (SK === 'HEAD' ? ['email', 'GSI1PK', 'GSI1SK'] : IGNORED);
  const from = Math.min(at, Date.parse(since)) - MINUTE;
  const begin = (SK: string) => (SK.startsWith('AUTO#') ? at + 1 : from);
  if (all.some(([PK, SK]) => history.isChanged(PK, SK, begin(SK), until, ignored(SK)))) return false;
  const [meta, list, automation, member, head] = all.map(([PK, SK]) => history.at(PK, SK, at));
  return Boolean(
    meta?.active &&
      list?.active &&
      automation?.active &&
      automation.repeat !== 'yearly' &&
      !automation.audience &&
      member?.status === 'subscribed' &&
      !head?.suppression,
  );
}
