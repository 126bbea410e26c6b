import { Flex, Input } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RecordEntry } from '#shared/record.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { namedOptions, Select } from '#web/components/select.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import { recordColumns, recordPage, useRecord, useRecordNames } from '#web/entities/record/record.tsx';
import { KIND_NAMES, rowsOfRecord } from '#web/entities/record/record-texts.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day, oneOf, text } from '#web/lib/filters.ts';
import { countText, formatNumber } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { today } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toasts.ts';

const KINDS = Object.keys(KIND_NAMES) as (keyof typeof KIND_NAMES)[];
const KIND_OPTIONS = KINDS.map(id => ({ id, name: KIND_NAMES[id] }));
const VIEW = { filters: { kind: oneOf(KINDS), user: text, object: text, from: day, to: day } };
type Table = TableOf<typeof VIEW>;

/** Who changed what in the organization, with filters in the address. */
export function ChangesPage() {
  const table = useTableView(VIEW);
  const { query } = table;
  const { data, error, retry, showMore, isLoadingMore } = useRecord(query);
  const names = useRecordNames(data?.data);
  const rows = data?.data;
  const isNothing = !table.isFiltered && rows?.length === 0;
  return (
    <TablePage
      title="Changes"
      pageActions={rows && rows.length > 0 && <ExportButton query={query} names={names} />}
      table={table}
      filters={<ChangeFilters {...table} named={rows?.[0]} />}
      noun="change"
      total={isNothing ? 0 : undefined}
      found={rows?.length}
      count={countText(rows?.length, data?.next_cursor ? 'newest change' : 'change')}
      nothing={{
        title: 'No changes yet',
        cause: 'Who changes what that sends, content, roles and tokens will be here, for two years.',
        action: <ButtonLink to={paths.organizations()}>Go to the organization</ButtonLink>,
      }}
      noMatch={{ title: 'No changes match these filters' }}
      label="Changes"
      columns={recordColumns(names)}
      rows={rows}
      rowKey={({ id }) => id}
      problem={error}
      failure="Failed to load the changes"
      onRetry={retry}
      loading="Loading changes..."
      more={
        data?.next_cursor && (
          <Button loading={isLoadingMore} loadingText="Loading..." onClick={() => void showMore()}>
            Load more
          </Button>
        )
      }
    />
  );
}

const DAYS = { from: 'From', to: 'To' };
const WIDTH = { base: 'full', sm: '180px' };

function ChangeFilters({ view: { filters }, filter, named }: Table & { named: RecordEntry | undefined }) {
  const { kind, user, object, from, to } = filters;
  const organization = String(useOrganization()?.id ?? '');
  const { data } = useOrganizationData('GET /api/organizations/{organization}/members', {
    params: { organization },
  });
  return (
    <>
      <Select
        aria-label="What was changed"
        width={WIDTH}
        value={kind ?? ''}
        onChange={event => filter({ kind: event.target.value })}
        options={namedOptions(KIND_OPTIONS, { chosen: kind ?? '', none: 'Everything', deleted: '' })}
      />
      <Select
        aria-label="Who changed it"
        width={WIDTH}
        value={user}
        onChange={event => filter({ user: event.target.value })}
        options={namedOptions(data?.members, { chosen: user, none: 'Everybody', deleted: 'A former member' })}
      />
      {(['from', 'to'] as const).map(name => (
        <Flex key={name} align="center" gap="1.5" flex={{ base: '1 1 40%', sm: 'none' }}>
          {DAYS[name]}
          <Input
            type="date"
            aria-label={`${DAYS[name]}, a day in UTC`}
            width={{ base: 'full', sm: '136px' }}
            value={name === 'from' ? from : to}
            onChange={event => filter({ [name]: event.target.value })}
          />
        </Flex>
      ))}
      {object && (
        <Button onClick={() => filter({ object: '' })}>
          {named?.object.name ?? 'One item'}
          <X aria-label="Remove this filter" />
        </Button>
      )}
    </>
  );
}

const PER_PAGE = 500;
const MOST_ROWS = 50_000;

type Export = { query: Parameters<typeof useRecord>[0]; names: ReturnType<typeof useRecordNames> };

/** Exports all changes that the filters find. Pressing it again stops it. */
function ExportButton({ query, names }: Export) {
  const organization = useOrganization()?.id ?? 0;
  const [count, setCount] = useState<number>();
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  async function start() {
    const abort = new AbortController();
    run.current = abort;
    setCount(0);
    try {
      const entries: RecordEntry[] = [];
      let cursor: string | null | undefined;
      do {
        const asked = { ...query, per_page: PER_PAGE, ...(cursor && { cursor }) };
        const page = await recordPage(organization, asked, abort.signal);
        entries.push(...page.data);
        setCount(entries.length);
        cursor = page.next_cursor;
      } while (cursor && entries.length < MOST_ROWS);
      const { saveCsv } = await import('#web/lib/save-file.ts');
      saveCsv(`changes_${today()}.csv`, rowsOfRecord(entries, names));
      if (cursor) toast(`The file has the newest ${formatNumber(MOST_ROWS)} changes.`, 'warning', 6000);
    } catch (problem) {
      if (abort.signal.aborted) return;
      toast(serverMessageOr(problem, 'Failed to export the changes. Please try again.'), 'error');
    } finally {
      if (run.current === abort) setCount(undefined);
    }
  }
  function stop() {
    run.current?.abort();
    setCount(undefined);
  }
  return count === undefined ? (
    <Button onClick={() => void start()}>Export to CSV</Button>
  ) : (
    <Button onClick={stop}>Stop the export ({formatNumber(count)})</Button>
  );
}
