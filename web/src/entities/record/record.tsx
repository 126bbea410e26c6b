import { Box, Text } from '@chakra-ui/react';
import { ArrowRight } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import type { RecordEntry, RecordPage } from '#shared/record.ts';
import type { QueryInput } from '#shared/routes.ts';
import { TextLink } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Section } from '#web/components/section.tsx';
import { api } from '#web/lib/api.ts';
import { useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { countText, formatUtcMoment, IN_UTC } from '#web/lib/format.ts';
import { organizationInput, useOrganization } from '#web/lib/organization.ts';
import { changesPath } from '#web/lib/paths.ts';
import { changesOf, meansOf, pathOf, whatOf, whoOf } from './record-texts.ts';

const RECORD = 'GET /api/organizations/{organization}/record';
type Query = QueryInput<typeof RECORD>;

export const recordPage = (organization: number, query: Query, signal?: AbortSignal) =>
  api(RECORD, { ...organizationInput(organization), query, ...(signal && { signal }) });

/** Newest first, with as many pages as were requested. */
export function useRecord(query: Query) {
  const organization = useOrganization()?.id ?? 0;
  const [isLoadingMore, setLoadingMore] = useState(false);
  /** How many pages were requested, by query. */
  const requested = useRef<Record<string, number>>({});
  const filter = JSON.stringify(query);
  const pages = () => requested.current[filter] ?? 1;

  async function fetcher(): Promise<RecordPage> {
    const loaded = await recordPage(organization, query);
    for (let page = 1; page < pages() && loaded.next_cursor; page++) {
      const next = await recordPage(organization, { ...query, cursor: loaded.next_cursor });
      loaded.data.push(...next.data);
      loaded.next_cursor = next.next_cursor;
    }
    return loaded;
  }
  const input = { params: { organization: String(organization) }, query };
  const { data, error, mutate } = useOrganizationData(RECORD, input, { fetcher });

  async function showMore() {
    requested.current[filter] = pages() + 1;
    setLoadingMore(true);
    await mutate();
    setLoadingMore(false);
  }
  return { data, error, retry: () => void mutate(), showMore, isLoadingMore };
}

const hasIn = (entries: RecordEntry[]) => (field: string) => entries.some(({ changes }) => field in changes);
const namesIn = (all: ({ id: string; name: string }[] | undefined)[]): ReadonlyMap<string, string> =>
  new Map(all.flatMap(named => named ?? []).map(({ id, name }) => [id, name]));

/** The names of the lists and automations that changed settings have by id. Only what there are ids of is loaded. */
export function useRecordNames(entries: RecordEntry[] = []): ReadonlyMap<string, string> {
  const has = hasIn(entries);
  const ofLists = useOrganizationData(has('email_list_ids') ? 'GET /api/email-lists' : undefined);
  const isLinked = has('automation_ids');
  const ofAutomations = useOrganizationData(isLinked ? 'GET /api/automations-for-templates' : undefined);
  const ofBroadcasts = useOrganizationData(isLinked ? 'GET /api/broadcasts' : undefined, { query: {} });
  return namesIn([ofLists.data, ofAutomations.data, ofBroadcasts.data]);
}

/** The same for a file, whose entries are more than those shown. */
export function useNamesOfFile() {
  const call = useOrganizationCall();
  return async (entries: RecordEntry[]) => {
    const has = hasIn(entries);
    const isLinked = has('automation_ids');
    return namesIn(
      await Promise.all([
        has('email_list_ids') ? call('GET /api/email-lists', {}) : undefined,
        isLinked ? call('GET /api/automations-for-templates', {}) : undefined,
        isLinked ? call('GET /api/broadcasts', { query: {} }) : undefined,
      ]),
    );
  };
}

type Names = ReturnType<typeof useRecordNames>;

/** `of`: whose changes are shown. Of others, such as content that it was linked to, the name is shown as well. */
export const recordColumns = (names: Names, of?: string): Column<RecordEntry>[] => [
  {
    key: 'at',
    header: 'When',
    width: '190px',
    // As the filters by day, and `IN_UTC` in the view.
    cell: ({ at }) => <time dateTime={at}>{formatUtcMoment(at, '')}</time>,
  },
  { key: 'by', header: 'Who', width: 'minmax(120px, 0.8fr)', cell: whoOf },
  {
    key: 'what',
    header: 'What',
    width: 'minmax(160px, 1.2fr)',
    cell: entry => (
      <Box minWidth="0" overflowWrap="anywhere">
        {whatOf(entry)} {entry.object.id !== of && <ObjectName entry={entry} />}
      </Box>
    ),
  },
  {
    key: 'changes',
    header: 'Changes',
    width: 'minmax(200px, 2fr)',
    cell: entry => <ChangedSettings lines={changesOf(entry, names)} />,
  },
  { key: 'means', header: 'By', width: '100px', collapse: 'labelAndValue', cell: meansOf },
];

function ObjectName({ entry }: { entry: RecordEntry }) {
  const { kind, object } = entry;
  const to = pathOf(entry);
  if (object.name && to) return <TextLink to={to}>{object.name}</TextLink>;
  // The hash of an address, as a proof that this address was meant.
  return <span dir="auto">{object.name ?? (kind === 'person' ? object.id : '')}</span>;
}

const MOST_LINES = 4;
const ARROW = { display: 'inline', margin: '0 3px' };

const ChangedSettings = ({ lines }: { lines: string[] }) => (
  <Box minWidth="0" overflowWrap="anywhere" fontSize="sm" lineHeight="20px">
    {lines.slice(0, MOST_LINES).map(line => (
      <div key={line}>
        {line.split(' → ').map((part, at) => (
          <Fragment key={part}>
            {at > 0 && ' '}
            {at > 0 && <ArrowRight aria-label="to" size={12} style={ARROW} />}
            {at > 0 && ' '}
            {part}
          </Fragment>
        ))}
      </div>
    ))}
    {lines.length > MOST_LINES && (
      <Text as="span" color="fg.muted" title={lines.slice(MOST_LINES).join('\n')}>
        and {lines.length - MOST_LINES} more
      </Text>
    )}
  </Box>
);

const SHORT = 5;

/** The newest ones, and a link to all of them. */
export default function RecentChanges({ of }: { of?: string | undefined }) {
  const filter: Record<string, string> = of === undefined ? {} : { object: of };
  const { data, error, retry } = useRecord({ ...filter, per_page: SHORT });
  const names = useRecordNames(data?.data);
  return (
    <Section
      title="Changes"
      note={
        of === undefined
          ? `Each change to automations, broadcasts, content, roles and tokens, and who made it. Kept for two years. ${IN_UTC}`
          : IN_UTC
      }
      actions={data && data.data.length > 0 && <TextLink to={changesPath(filter)}>All changes</TextLink>}
    >
      <DataTable
        label="Changes"
        columns={recordColumns(names, of)}
        rows={data?.data}
        rowKey={({ id }) => id}
        count={data && (data.next_cursor ? `The newest ${SHORT}` : countText(data.data.length, 'change'))}
        problem={error}
        failure="Failed to load the changes"
        onRetry={retry}
        expected={1}
        empty={<EmptyState title="No changes yet" cause="Who changes what, and when, will be here." />}
      />
    </Section>
  );
}
