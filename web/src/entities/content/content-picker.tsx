import { Badge, Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAssetRow } from '#shared/email-asset.ts';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import { Checkbox } from '#web/components/checkbox.tsx';
import { CheckboxLabel } from '#web/components/checkbox-label.tsx';
import { CheckboxOptions } from '#web/components/checkbox-list.tsx';
import { Choices } from '#web/components/choices.tsx';
import { Failure } from '#web/components/failure.tsx';
import { withoutSubmit } from '#web/components/field.tsx';
import { Loading } from '#web/components/loading.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Select } from '#web/components/select.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { assetName, SHARES_COUNTS } from './content.ts';

/** The ids of the content to link (true) or to unlink (false). */
export type Changes = ReadonlyMap<string, boolean>;

export const NOT_LINKED = 'Failed to link content. Please try again.';

export const changeOf = (changes: Changes) => ({
  link: [...changes].flatMap(([id, isLinked]) => (isLinked ? [id] : [])),
  unlink: [...changes].flatMap(([id, isLinked]) => (isLinked ? [] : [id])),
});

const MOST_CHANGES = 100;
export const isTooMuch = (changes: Changes) => changes.size > MOST_CHANGES;

type ContentKind = 'template' | 'asset';
export type Changed = { kind: ContentKind; isChosen: boolean; row: Row['row'] };

type Props = {
  automation: string | undefined;
  changes: Changes;
  onChange: (changes: Changes, changed: Changed) => void;
  disabled?: boolean;
};

const KINDS = { Templates: 'templates', Assets: 'assets' } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

export function ContentPicker({ onChange, ...props }: Props) {
  const { changes, automation } = props;
  /** The chosen templates that others send too. */
  const [shared, setShared] = useState<ReadonlySet<string>>(new Set());
  const [kind, setKind] = useState<Kind>('templates');
  const [search, setSearch] = useState('');
  const [type, setType] = useState('');
  const [isLinkedOnly, setLinkedOnly] = useState(false);
  const filters = {
    ...(search && { search }),
    ...(isLinkedOnly && props.automation && { automations: props.automation }),
  };
  function change(next: Changes, changed: Changed) {
    const { kind, row } = changed;
    if (kind === 'template' && row.automations.some(({ id }) => id !== automation))
      setShared(new Set(shared).add(row.id));
    onChange(next, changed);
  }

  const all = { ...props, onChange: change };
  return (
    <Box role="group" aria-label="Content" onKeyDown={withoutSubmit}>
      <Flex wrap="wrap" gap="2" mb="2">
        <Choices label="Kind of content" choices={KINDS} value={kind} onChange={setKind} />
        <SearchField label={`Search ${kind}`} value={search} onSearch={setSearch} />
        {kind === 'assets' && (
          <Select
            width="auto"
            aria-label="Type"
            value={type}
            onChange={({ target }) => setType(target.value)}
          >
            <option value="">All types</option>
            {Object.entries(PARTS).map(([part, name]) => (
              <option key={part} value={part}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {props.automation && (
          <Flex align="center" minHeight="control">
            <Checkbox checked={isLinkedOnly} onChange={setLinkedOnly}>
              Linked only
            </Checkbox>
          </Flex>
        )}
      </Flex>
      {kind === 'templates' ? (
        <Templates {...all} filters={filters} />
      ) : (
        <Assets {...all} filters={{ ...filters, ...(type && { types: type }) }} />
      )}
      <Text mt="1" minHeight="5" lineHeight="20px" fontSize="xs" color="fg.muted" aria-live="polite">
        {isTooMuch(changes) ? `At most ${MOST_CHANGES} can be changed at once.` : changesText(changes)}
      </Text>
      {[...shared].some(id => changes.get(id)) && (
        <Text fontSize="xs" color="fg.muted" role="status">
          {SHARES_COUNTS}
        </Text>
      )}
    </Box>
  );
}

function changesText(changes: Changes): string {
  const { link, unlink } = changeOf(changes);
  return [
    ...(link.length > 0 ? [`${formatNumber(link.length)} to link`] : []),
    ...(unlink.length > 0 ? [`${formatNumber(unlink.length)} to unlink`] : []),
  ].join(', ');
}

const PAGE = '100';
const KEPT = { keepPreviousData: true };

type KindProps = Props & { filters: Record<string, string> };

function Templates({ filters, ...props }: KindProps) {
  const rows = useOrganizationData(
    'GET /api/email-templates',
    { query: { ...filters, per_page: PAGE } },
    KEPT,
  );
  const summary = useOrganizationData('GET /api/email-templates-summary', { query: filters }, KEPT);
  return (
    <Rows
      {...props}
      {...rows}
      rows={rows.data?.map(template => ({ ...ofTemplate(template), row: template }))}
      found={summary.data?.found}
      noun="template"
      isFiltered={Object.keys(filters).length > 0}
    />
  );
}

const ofTemplate = ({ name, subject_line, is_active, can_edit }: EmailTemplateRow) => ({
  name,
  about: subject_line,
  isActive: is_active,
  isLocked: !can_edit,
});

function Assets({ filters, ...props }: KindProps) {
  const assets = useOrganizationData(
    'GET /api/email-assets',
    { query: { ...filters, per_page: PAGE } },
    KEPT,
  );
  return (
    <Rows
      {...props}
      {...assets}
      rows={assets.data?.data.map(asset => ({ ...ofAsset(asset), row: asset }))}
      found={assets.data?.found}
      noun="asset"
      isFiltered={Object.keys(filters).length > 0}
    />
  );
}

const ofAsset = (asset: EmailAssetRow) => ({
  name: assetName(asset),
  about: asset.name ? `${PARTS[asset.type]}: ${asset.excerpt}` : asset.excerpt,
  isActive: asset.is_active,
  isLocked: false,
});

type Row = ReturnType<typeof ofTemplate> & { row: EmailTemplateRow | EmailAssetRow };

type RowsProps = Props & {
  rows: Row[] | undefined;
  found: number | undefined;
  noun: ContentKind;
  isFiltered: boolean;
  error?: unknown;
  mutate: () => unknown;
};

function Rows({ automation, changes, onChange, disabled = false, ...rest }: RowsProps) {
  const { rows, found, noun, isFiltered, error, mutate } = rest;

  const isLinked = ({ row }: Row) => row.automations.some(({ id }) => id === automation);

  function choose(one: Row, isChosen: boolean) {
    const { row } = one;
    const { id } = row;
    const next = new Map(changes);
    if (isChosen === isLinked(one)) next.delete(id);
    else next.set(id, isChosen);
    onChange(next, { kind: noun, isChosen, row });
  }

  if (!rows && error) {
    return (
      <Failure
        problem={error}
        message={`Failed to load email ${noun}s. Please try again.`}
        onRetry={mutate}
      />
    );
  }
  return (
    <>
      <CheckboxOptions aria-busy={!rows} height="260px">
        {!rows ? (
          <Loading shape={['line', 'line', 'line']} />
        ) : rows.length === 0 ? (
          <Box py="1" color="fg.muted">
            {isFiltered ? `No email ${noun} matches.` : `No email ${noun}s yet.`}
          </Box>
        ) : (
          // By what is stored: no row moves while it is chosen.
          rows
            .toSorted((a, b) => Number(isLinked(b)) - Number(isLinked(a)))
            .map(one => (
              <CheckboxLabel key={one.row.id}>
                <input
                  type="checkbox"
                  disabled={disabled || one.isLocked}
                  checked={changes.get(one.row.id) ?? isLinked(one)}
                  onChange={({ target }) => choose(one, target.checked)}
                />
                <Box as="span" minWidth="0">
                  {one.name} {!one.isActive && <Badge>Inactive</Badge>}
                  <Box as="span" display="block" color="fg.muted" truncate dir="auto">
                    {one.isLocked ? 'Only its owner and admins may link it.' : one.about}
                  </Box>
                </Box>
              </CheckboxLabel>
            ))
        )}
      </CheckboxOptions>
      {rows && found !== undefined && found > rows.length && (
        <Text mt="1" fontSize="xs" color="fg.muted">
          The first {formatNumber(rows.length)} of {formatNumber(found)}: search to find the others.
        </Text>
      )}
    </>
  );
}
