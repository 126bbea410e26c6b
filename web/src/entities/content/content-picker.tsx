import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationOption } from '#shared/automation-link.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import type { EmailAssetRow } from '#shared/email-asset.ts';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import { Choices } from '#web/components/choices.tsx';
import type { Option } from '#web/components/option-text.tsx';
import { FEW, PickMany } from '#web/components/pick-many.tsx';
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

export type ContentKind = 'template' | 'asset';
/** What of one kind is chosen now, and what is not any more. */
export type Changed = { kind: ContentKind; added: ContentRow[]; removed: ContentRow[] };

type Props = {
  automation: string | undefined;
  changes: Changes;
  onChange: (changes: Changes, changed: Changed) => void;
  disabled?: boolean;
};

/** The kind that an automation sends: assets if it has no template. Undefined until that is known. */
function useLinkedKind(automation: string | undefined): ContentKind | undefined {
  const linked = { query: { automations: automation, per_page: PAGE } };
  const templates = useOrganizationData(automation ? 'GET /api/email-templates' : undefined, linked);
  const hasNone = templates.data?.length === 0;
  const assets = useOrganizationData(hasNone ? 'GET /api/email-assets' : undefined, linked);
  if (!automation || templates.error || assets.error || templates.data?.length) return 'template';
  return assets.data && (assets.data.total > 0 ? 'asset' : 'template');
}

const KINDS = { Templates: 'template', Assets: 'asset' } as const;

export function ContentPicker({ onChange, ...props }: Props) {
  const { changes, automation } = props;
  /** The rows of what was chosen here, which a search may not find any more. */
  const [picked, setPicked] = useState<readonly ContentRow[]>([]);
  const linkedKind = useLinkedKind(automation);
  const [chosen, setKind] = useState<ContentKind>();
  const kind = chosen ?? linkedKind ?? 'template';
  const [type, setType] = useState('');

  function change(next: Changes, changed: Changed) {
    setPicked([...picked, ...changed.added]);
    onChange(next, changed);
  }

  const all = { ...props, onChange: change, picked, isUndecided: !chosen && !linkedKind };
  const isShared = picked.some(
    ({ id, part, automations }) =>
      !part && changes.get(id) && automations.some(other => other.id !== automation),
  );
  return (
    <Box role="group" aria-label="Content">
      <Flex wrap="wrap" gap="2" mb="2">
        <Choices label="Kind of content" choices={KINDS} value={kind} onChange={setKind} />
        {kind === 'asset' && (
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
      </Flex>
      {kind === 'template' ? <Templates {...all} /> : <Assets key={type} {...all} type={type} />}
      <Text mt="1" minHeight="5" lineHeight="20px" fontSize="xs" color="fg.muted" aria-live="polite">
        {isTooMuch(changes) ? `At most ${MOST_CHANGES} can be changed at once.` : changesText(changes)}
      </Text>
      {isShared && (
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

/** An asset has the part of an email that it is. */
export type ContentRow = Option & { isActive: boolean; part?: Part; automations: AutomationOption[] };
type KindProps = Props & { picked: readonly ContentRow[]; isUndecided: boolean };

const templateRow = (template: EmailTemplateRow): ContentRow => ({
  id: template.id,
  name: template.name,
  about: template.can_edit ? template.subject_line : 'Only its owner and admins may link it.',
  isActive: template.is_active,
  disabled: !template.can_edit,
  automations: template.automations,
});

function Templates(props: KindProps) {
  const [search, setSearch] = useState('');
  const rowsOf = (query: object) => ({ query: { ...query, per_page: PAGE } });
  const route = 'GET /api/email-templates';
  const found = useOrganizationData(route, rowsOf(search ? { search } : {}), KEPT);
  const linked = useOrganizationData(
    props.automation ? route : undefined,
    rowsOf({ automations: props.automation }),
  );
  const summary = useOrganizationData('GET /api/email-templates-summary', { query: {} }, KEPT);
  return (
    <Rows
      {...props}
      {...found}
      rows={found.data?.map(templateRow)}
      linked={props.automation && !linked.error ? linked.data?.map(templateRow) : []}
      total={summary.error ? FEW + 1 : summary.data?.total}
      noun="template"
      onSearch={setSearch}
    />
  );
}

const assetRow = (asset: EmailAssetRow): ContentRow => ({
  id: asset.id,
  name: assetName(asset),
  about: asset.name ? `${PARTS[asset.type]}: ${asset.excerpt}` : asset.excerpt,
  isActive: asset.is_active,
  part: asset.type,
  automations: asset.automations,
});

function Assets({ type, ...props }: KindProps & { type: string }) {
  const [search, setSearch] = useState('');
  const rowsOf = (query: object) => ({ query: { ...query, ...(type && { types: type }), per_page: PAGE } });
  const route = 'GET /api/email-assets';
  const found = useOrganizationData(route, rowsOf(search ? { search } : {}), KEPT);
  const linked = useOrganizationData(
    props.automation ? route : undefined,
    rowsOf({ automations: props.automation }),
  );
  return (
    <Rows
      {...props}
      {...found}
      rows={found.data?.data.map(assetRow)}
      linked={props.automation && !linked.error ? linked.data?.data.map(assetRow) : []}
      total={found.data?.total}
      noun="asset"
      onSearch={setSearch}
    />
  );
}

type RowsProps = KindProps & {
  rows: ContentRow[] | undefined;
  /** What the automation sends, also what the search does not find; undefined while it is loading. */
  linked: ContentRow[] | undefined;
  total: number | undefined;
  noun: ContentKind;
  onSearch: (text: string) => void;
  error?: unknown;
  mutate: () => unknown;
};

function Rows({ automation, changes, onChange, disabled = false, picked, isUndecided, ...rest }: RowsProps) {
  const { rows, linked, total, noun, onSearch, error, mutate } = rest;
  const isLinked = ({ automations }: ContentRow) => automations.some(({ id }) => id === automation);
  // What a search finds comes last: else what is chosen would change places with each search, under the pointer.
  const known = new Map([...(linked ?? []), ...picked, ...(rows ?? [])].map(row => [row.id, row]));
  const chosen = [...known.values()].filter(
    row => (row.part === undefined) === (noun === 'template') && (changes.get(row.id) ?? isLinked(row)),
  );
  const value = chosen.map(({ id }) => id);

  function choose(ids: string[]) {
    const added = [...known.values()].filter(({ id }) => ids.includes(id) && !value.includes(id));
    const removed = chosen.filter(({ id }) => !ids.includes(id));
    const next = new Map(changes);
    for (const row of [...added, ...removed]) {
      if (isLinked(row) === added.includes(row)) next.delete(row.id);
      else next.set(row.id, added.includes(row));
    }
    onChange(next, { kind: noun, added, removed });
  }

  const isLoaded = !isUndecided && linked !== undefined && total !== undefined;
  return (
    <PickMany
      plain
      label={`Email ${noun}s`}
      hasHeading
      noun={`email ${noun}`}
      // By what is stored: no row moves while it is chosen.
      options={isLoaded ? rows?.toSorted((a, b) => Number(isLinked(b)) - Number(isLinked(a))) : undefined}
      chosen={chosen}
      value={value}
      onChange={choose}
      isMany={total !== undefined && total > FEW}
      onSearch={onSearch}
      disabled={disabled}
      problem={error}
      failure={`Failed to load email ${noun}s. Please try again.`}
      onRetry={mutate}
    />
  );
}
