import { Badge, Text } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { AutomationOption } from '#shared/automation-link.ts';
import { PARTS } from '#shared/email/content.ts';
import { LANGUAGES, type Language } from '#shared/email/language.ts';
import type { EmailAssetRow } from '#shared/email-asset.ts';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import { ButtonLink, TextLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { MultiSelect } from '#web/components/multi-select.tsx';
import { PageActions } from '#web/components/page-actions.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { type TableOf, useTableView } from '#web/components/use-table-view.ts';
import { assetName, EMAIL_ASSET, EMAIL_TEMPLATE } from '#web/entities/content/content.ts';
import { TYPE_TEXT } from '#web/entities/email/parts.tsx';
import type { Entity } from '#web/entities/entity.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { useAutomationChoice } from '#web/lib/automation-choice.ts';
import type { GetRoute } from '#web/lib/cache-key.ts';
import { useIsOther, useOrganizationData } from '#web/lib/data.ts';
import { ids, MOST_IDS, oneOf, severalOf, someOf, text } from '#web/lib/filters.ts';
import { formatDate, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { pageQuery } from '#web/lib/table-view.ts';
import { DeleteAsset, DeleteTemplate } from './delete-content.tsx';
import { useAssetDuplication, useTemplateDuplication } from './duplicate.ts';

const PER_PAGE = 50;
const KEPT = { keepPreviousData: true };

type Row = { id: string; is_active: boolean; can_edit?: boolean; is_owner?: boolean };

type Props<Item extends Row, One extends GetRoute> = Omit<
  ComponentProps<typeof TablePage<Item>>,
  'rowKey' | 'rowName' | 'isChanging' | 'actions' | 'children'
> & {
  entity: Entity<Item, One>;
  path: (id: string) => string;
  onDuplicate: (id: string) => Promise<void>;
  deletion: (row: Item, onClose: () => void) => ReactNode;
};

/** A page of all content of one kind. Rows without rights, such as assets, can be edited and deleted by everybody who may edit content. */
function ContentListPage<Item extends Row, One extends GetRoute>(props: Props<Item, One>) {
  const { entity, path, onDuplicate, deletion, ...table } = props;
  const { actionOf: toggleOf, isChanging } = useToggle(entity);
  const mayEdit = useMay()(entity.right);
  const [deleting, setDeleting] = useState<Item>();
  return (
    <TablePage
      {...table}
      figures="all"
      rowKey={({ id }) => id}
      rowName={entity.nameOf}
      isChanging={({ id }) => isChanging(id)}
      actions={row => {
        const { id, can_edit = mayEdit, is_owner = mayEdit } = row;
        const remove = () => setDeleting(row);
        return [
          { id: 'view', label: 'View', to: path(id) },
          ...(can_edit
            ? [{ id: 'duplicate', label: 'Duplicate', run: () => void onDuplicate(id) }, toggleOf(row)]
            : []),
          ...(is_owner
            ? [{ id: 'delete', label: 'Delete', group: 'delete', danger: true, run: remove }]
            : []),
        ];
      }}
    >
      {deleting && deletion(deleting, () => setDeleting(undefined))}
    </TablePage>
  );
}

const status = (width: string): Column<Row> => ({
  header: 'Status',
  width,
  cell: ({ is_active }) => <ActiveStatus active={is_active} />,
});

const created = (header: string, width: string): Column<{ created_at: string }> => ({
  header,
  width,
  cell: ({ created_at }) => formatDate(created_at),
});

/** The others are listed on its page. */
const Version = ({ version, versions }: { version: number; versions: number }) =>
  versions > 1 && (
    <Text color="fg.muted" fontSize="xs">
      Version {version} · {plural(versions, 'version')}
    </Text>
  );

const TEMPLATE_COLUMNS: Column<EmailTemplateRow>[] = [
  {
    header: 'Template Name',
    cell: ({ id, name, ...row }) => (
      <>
        <TextLink to={paths.emailTemplate(id)}>{name}</TextLink>
        <Version {...row} />
      </>
    ),
  },
  { header: 'Subject Line', collapse: 'value', cell: ({ subject_line }) => <bdi>{subject_line}</bdi> },
  {
    header: 'Language',
    width: '100px',
    cell: ({ language_code }) => <Badge>{language_code.toUpperCase()}</Badge>,
  },
  status('110px'),
  created('Created At', '130px'),
];

const TEMPLATES_VIEW = { filters: { search: text, languages: someOf(LANGUAGES), automations: ids } };

/** The email templates of the organization by name. The server searches, filters and pages them. */
export function EmailTemplatesPage() {
  const table = useTableView(TEMPLATES_VIEW);
  const { page, filters } = table.view;
  // Without a language, no template can match.
  const query = filters.languages?.length === 0 ? undefined : table.query;
  const input = { query: { ...query, ...pageQuery(page, PER_PAGE) } };
  const route = query && EMAIL_TEMPLATE.rows;
  const rows = useOrganizationData(route, input, KEPT);
  const summary = useOrganizationData('GET /api/email-templates-summary', { query: query ?? {} }, KEPT);
  const found = query ? summary.data?.found : 0;
  const duplicate = useTemplateDuplication({
    invalid: 'Failed to duplicate template: Invalid response',
    failure: 'Failed to duplicate email template',
  });

  return (
    <ContentListPage
      entity={EMAIL_TEMPLATE}
      path={paths.emailTemplate}
      title="Email Templates"
      pageActions={
        <PageActions
          items={[
            { id: 'assets', label: 'Email Assets', to: paths.emailAssets(), variant: 'ghost' },
            {
              id: 'new',
              label: '+ New Email Template',
              to: paths.newEmailTemplate(),
              right: 'content:edit',
              variant: 'solid',
            },
          ]}
        />
      }
      table={table}
      search="Search by name or subject"
      filters={<TemplateFilters {...table} languages={summary.data?.languages} />}
      noun="template"
      total={summary.data?.total}
      found={summary.error ? undefined : found}
      nothing={{
        title: 'No email templates found',
        cause: 'Create one: a template is a whole email, with subject, content, button and footer.',
        more: 'templates',
        action: (
          <ButtonLink to={paths.newEmailTemplate()} right="content:edit">
            + New Email Template
          </ButtonLink>
        ),
      }}
      noMatch={{ title: 'No templates match your search' }}
      label="Email templates"
      columns={TEMPLATE_COLUMNS}
      rows={query ? rows.data : []}
      problem={rows.error ?? summary.error}
      failure="Failed to load email templates"
      onRetry={() => void Promise.all([rows.mutate(), summary.mutate()])}
      busy={useIsOther(route, input)}
      loading="Loading templates..."
      lastPage={found === undefined ? undefined : Math.max(1, Math.ceil(found / PER_PAGE))}
      onDuplicate={duplicate}
      deletion={(template, onClose) => (
        <DeleteTemplate template={template} failure="Failed to delete email template" onClose={onClose} />
      )}
    />
  );
}

type TemplateFilterProps = TableOf<typeof TEMPLATES_VIEW> & { languages: Language[] | undefined };

function TemplateFilters({ view: { filters }, filter, languages }: TemplateFilterProps) {
  const { data: automations } = useAutomationChoice('GET /api/automations-for-templates', () => true);
  const chooseLanguages = (chosen: string[]) =>
    filter({ languages: languages?.every(code => chosen.includes(code)) ? undefined : chosen });
  return (
    <>
      <MultiSelect
        label="Languages"
        options={languages?.map(code => ({ value: code, label: LANGUAGES[code], badge: code.toUpperCase() }))}
        chosen={filters.languages ?? languages ?? []}
        onChoose={chooseLanguages}
        all="All"
        none="None"
        width="220px"
      />
      <AutomationFilter
        automations={automations}
        chosen={filters.automations}
        onChoose={chosen => filter({ automations: chosen })}
      />
    </>
  );
}

const ASSET_COLUMNS: Column<EmailAssetRow>[] = [
  {
    header: 'Name',
    cell: asset => (
      <>
        <TextLink to={paths.emailAsset(asset.id)}>{assetName(asset)}</TextLink>
        <Version {...asset} />
      </>
    ),
  },
  {
    header: 'Type',
    explained: [TYPE_TEXT, 'assets'],
    width: '160px',
    collapse: 'value',
    cell: ({ type }) => PARTS[type],
  },
  {
    header: 'Content',
    width: 'minmax(0, 2fr)',
    collapse: 'value',
    cell: ({ excerpt }) => <bdi>{excerptOf(excerpt)}</bdi>,
  },
  status('100px'),
  {
    header: 'Automations',
    width: '130px',
    collapse: 'labelAndValue',
    cell: ({ automations }) => linkedText(automations),
  },
  created('Created', '120px'),
];

const LONGEST_EXCERPT = 120;

/** The beginning of a text, in one line. */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_EXCERPT) return line;
  // Does not cut a character in half, nor a word if the text has spaces.
  const beginning = [...line].slice(0, LONGEST_EXCERPT).join('');
  return `${beginning.replace(/(.{80,}) \S*$/, '$1')}…`;
}

function linkedText(automations: AutomationOption[]) {
  const [only, ...others] = automations;
  if (!only) return 'None';
  return others.length === 0 ? only.name : plural(automations.length, 'automation');
}

const ASSETS_VIEW = {
  filters: { search: text, types: severalOf(PARTS), status: oneOf(['active', 'inactive']), automations: ids },
};

export function EmailAssetsPage() {
  const table = useTableView(ASSETS_VIEW);
  const input = { query: { ...table.query, ...pageQuery(table.view.page, PER_PAGE) } };
  const { data, error, mutate } = useOrganizationData(EMAIL_ASSET.rows, input, KEPT);
  const isOther = useIsOther(EMAIL_ASSET.rows, input);
  const duplicate = useAssetDuplication();

  return (
    <ContentListPage
      entity={EMAIL_ASSET}
      path={paths.emailAsset}
      title="Email Assets"
      explained={['One piece of an email, such as a subject line. They are combined.', 'assets']}
      pageActions={
        <PageActions
          items={[
            { id: 'templates', label: 'Email Templates', to: paths.emailTemplates(), variant: 'ghost' },
            { id: 'asset', label: '+ New Email Asset', to: paths.newEmailAsset(), right: 'content:edit' },
            {
              id: 'new',
              label: '+ New asset set',
              to: paths.newAssetSet(),
              right: 'content:edit',
              variant: 'solid',
            },
          ]}
        />
      }
      table={table}
      search="Search by name or content"
      filters={<AssetFilters {...table} />}
      noun="asset"
      total={data?.total}
      found={isOther && error ? undefined : data?.found}
      nothing={{
        title: 'No email assets found',
        cause:
          'Create a set, which is a whole email: an asset is a piece of one, such as a subject line. Automations without a template combine them.',
        more: 'assets',
        action: (
          <ButtonLink to={paths.newAssetSet()} right="content:edit">
            + New asset set
          </ButtonLink>
        ),
      }}
      noMatch={{ title: 'No assets match your search' }}
      label="Email assets"
      columns={ASSET_COLUMNS}
      rows={data?.data}
      problem={error}
      failure="Failed to load email assets"
      onRetry={mutate}
      busy={isOther}
      lastPage={data?.last_page}
      onDuplicate={duplicate}
      deletion={(asset, onClose) => <DeleteAsset asset={asset} onClose={onClose} />}
    />
  );
}

const TYPES = optionsOf(PARTS);
const ASSET_STATUSES = optionsOf({ '': 'All statuses', active: 'Active', inactive: 'Inactive' });

function AssetFilters({ view: { filters }, filter }: TableOf<typeof ASSETS_VIEW>) {
  const { data: automations } = useAutomationChoice('GET /api/automations-for-assets', () => true);
  return (
    <>
      <MultiSelect
        label="Types"
        options={TYPES}
        chosen={filters.types}
        onChoose={chosen => filter({ types: chosen })}
        none="All"
        width="220px"
      />
      <Select
        width={{ base: 'full', sm: 'auto' }}
        aria-label="Status"
        value={filters.status ?? ''}
        options={ASSET_STATUSES}
        onChange={({ target }) => filter({ status: target.value })}
      />
      <AutomationFilter
        automations={automations}
        chosen={filters.automations}
        onChoose={chosen => filter({ automations: chosen })}
      />
    </>
  );
}

type AutomationFilterProps = {
  automations: AutomationOption[] | undefined;
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
};

const AutomationFilter = ({ automations, ...choice }: AutomationFilterProps) => (
  <MultiSelect
    {...choice}
    label="Automations"
    options={automations?.map(({ id, name }) => ({ value: id, label: name }))}
    none="All"
    max={MOST_IDS}
    width="260px"
  />
);
