import { Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import type { RecordEntry } from '#shared/record.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { DayFilters, ExportButton } from '#web/components/log-controls.tsx';
import { namedOptions, optionsOf, Select } from '#web/components/select.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import {
  recordColumns,
  recordPage,
  useNamesOfFile,
  useRecord,
  useRecordNames,
} from '#web/entities/record/record.tsx';
import { KIND_NAMES, rowsOfRecord } from '#web/entities/record/record-texts.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { day, oneOf, text } from '#web/lib/filters.ts';
import { countText, IN_UTC } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { MOST_EXPORTED } from '#web/lib/save-file.ts';

const KINDS = Object.keys(KIND_NAMES) as (keyof typeof KIND_NAMES)[];
const KIND_OPTIONS = optionsOf({ '': 'Everything', ...KIND_NAMES });
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
      pageActions={rows && rows.length > 0 && <ExportChanges query={query} />}
      above={
        <Text mt="-4" mb="4" color="fg.muted">
          {IN_UTC}
        </Text>
      }
      table={table}
      filters={
        <ChangeFilters
          {...table}
          named={rows?.find(({ object }) => object.id === table.view.filters.object)}
        />
      }
      noun="change"
      total={isNothing ? 0 : undefined}
      found={rows?.length}
      count={countText(rows?.length, data?.next_cursor ? 'newest change' : 'change')}
      nothing={{
        title: 'No changes yet',
        cause:
          'Each change to automations, broadcasts, content, roles and tokens is listed here for two years, with who made it.',
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
        options={KIND_OPTIONS}
      />
      <Select
        aria-label="Who changed it"
        width={WIDTH}
        value={user}
        onChange={event => filter({ user: event.target.value })}
        options={namedOptions(data?.members, { chosen: user, none: 'Everybody', deleted: 'A former member' })}
      />
      <DayFilters from={from} to={to} onChange={filter} />
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

function ExportChanges({ query }: { query: Parameters<typeof useRecord>[0] }) {
  const namesOf = useNamesOfFile();
  const organization = useOrganization()?.id ?? 0;
  return (
    <ExportButton
      file="changes"
      noun="changes"
      running="The changes are being exported."
      failure="Failed to export the changes. Please try again."
      load={async (signal, onProgress) => {
        const entries: RecordEntry[] = [];
        let cursor: string | null | undefined;
        do {
          const asked = { ...query, per_page: PER_PAGE, ...(cursor && { cursor }) };
          const page = await recordPage(organization, asked, signal);
          entries.push(...page.data);
          onProgress(entries.length);
          cursor = page.next_cursor;
        } while (cursor && entries.length < MOST_EXPORTED);
        return { rows: rowsOfRecord(entries, await namesOf(entries)), isComplete: !cursor };
      }}
    />
  );
}
