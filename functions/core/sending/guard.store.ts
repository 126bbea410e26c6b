import type { Counter } from '#core/storage/projection.ts';
import { batchWrite, deletePage, queryPartition, type Table } from '#core/storage/table.store.ts';
import { type Guarded, type HourCounts, hourOf, LONGEST_WINDOW_HOURS } from '#shared/guard.ts';
import type { ProviderName } from '#shared/providers.ts';
import { HOUR } from '#shared/time.ts';

/** The type of the event after which the guard looks at an automation. */
export const GUARD_CHECK = 'guard.check';

/** The emails of an automation that one provider took. */
export type Stream = { organization: number; automation: string; provider: ProviderName };

const partition = (organization: number) => `ORG#${organization}#GUARD`;
const streamPrefix = ({ automation, provider }: Omit<Stream, 'organization'>) => `${automation}#${provider}#`;

export type Counted = Partial<Record<Guarded | 'sent', number>>;

type Email = { at: string; resumes?: number };

/** Everything counts in the hour of its email, apart from what was sent before a pause. It may be the first of the hour. */
export const guardCounter = (stream: Stream, { at, resumes }: Email, add: Counted): Counter => ({
  key: {
    PK: partition(stream.organization),
    SK: `${streamPrefix(stream)}${hourOf(at)}${resumes ? `.${resumes}` : ''}`,
  },
  add: { ...add },
  organization: stream.organization,
});

/** The streams of which counters count something that the guard acts on. */
export function guardedIn(counters: Counter[]): Stream[] {
  const found = counters.flatMap(({ key: { PK, SK }, add }) => {
    const [, organization, part] = PK.split('#');
    const [automation = '', provider] = SK.split('#');
    const isGuarded = part === 'GUARD' && (add.bounced || add.complained);
    return isGuarded
      ? [{ organization: Number(organization), automation, provider: provider as ProviderName }]
      : [];
  });
  return [...new Map(found.map(stream => [JSON.stringify(stream), stream])).values()];
}

/** Of the hours that still count, what was sent since this resume. Older ones are deleted. */
export async function readHours(
  table: Table,
  stream: Stream,
  { resumes: since = 0 }: { resumes?: number | undefined },
  now: Date,
): Promise<HourCounts[]> {
  const items = await queryPartition(table, partition(stream.organization), streamPrefix(stream));
  const first = hourOf(new Date(now.getTime() - LONGEST_WINDOW_HOURS * HOUR).toISOString());
  const hours = items.map(({ PK, SK, sent = 0, bounced = 0, complained = 0 }) => ({
    key: { PK: String(PK), SK: String(SK) },
    hour: hourOf(String(SK).slice(streamPrefix(stream).length)),
    resumes: Number(String(SK).split('.')[1] ?? 0),
    sent: Number(sent),
    bounced: Number(bounced),
    complained: Number(complained),
  }));
  const old = hours.filter(({ hour }) => hour < first).map(({ key }) => key);
  if (old.length > 0) await batchWrite(table, { deletes: old });
  return hours
    .filter(({ hour, resumes }) => hour >= first && resumes === since)
    .map(({ key: _, resumes: __, ...counts }) => counts);
}

/** Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
