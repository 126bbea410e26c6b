import { useState } from 'react';
import type { AutomationOption } from '#shared/automation-link.ts';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAssetRow } from '#shared/email-asset.ts';
import { ButtonLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { TextLink } from '#web/components/text-link.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { TYPE_TEXT } from '#web/entities/email/part-texts.ts';
import { DeleteAsset } from '#web/entities/email-asset/delete-asset.tsx';
import { EMAIL_ASSET, nameOf } from '#web/entities/email-asset/email-asset.ts';
import { useToggle } from '#web/entities/use-toggle.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatDate, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { pageQuery } from '#web/lib/table-view.ts';
import { ASSETS_VIEW, AssetFilters } from './asset-filters.tsx';
import { excerptOf } from './asset-texts.ts';
import { useAssetDuplication } from './use-asset-duplication.ts';

const columns: Column<EmailAssetRow>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: asset => <TextLink to={paths.emailAsset(asset.id)}>{nameOf(asset)}</TextLink>,
  },
  {
    key: 'type',
    header: 'Type',
    explained: TYPE_TEXT,
    width: '160px',
    collapse: 'value',
    cell: ({ type }) => PARTS[type],
  },
  {
    key: 'excerpt',
    header: 'Content',
    width: 'minmax(0, 2fr)',
    collapse: 'value',
    cell: ({ excerpt }) => <bdi>{excerptOf(excerpt)}</bdi>,
  },
  {
    key: 'status',
    header: 'Status',
    width: '100px',
    cell: ({ is_active }) => <ActiveStatus active={is_active} />,
  },
  {
    key: 'automations',
    header: 'Automations',
    width: '130px',
    collapse: 'labelAndValue',
    cell: ({ automations }) => linked(automations),
  },
  {
    key: 'created_at',
    header: 'Created',
    width: '120px',
    cell: ({ created_at }) => formatDate(created_at),
  },
];

const PER_PAGE = 50;

function linked(automations: AutomationOption[]) {
  const [only, ...others] = automations;
  if (!only) return 'None';
  return others.length === 0 ? only.name : plural(automations.length, 'automation');
}

/** The email assets of the organization, newest first. The server searches, filters and pages them. */
export function EmailAssetsPage() {
  const table = useTableView(ASSETS_VIEW);
  const { data, error, isLoading, mutate } = useOrganizationData(
    'GET /api/email-assets',
    { query: { ...table.query, ...pageQuery(table.view.page, PER_PAGE) } },
    { keepPreviousData: true },
  );
  const { actionOf: toggleOf, isChanging } = useToggle(EMAIL_ASSET);
  const duplicate = useAssetDuplication();
  const [deleting, setDeleting] = useState<EmailAssetRow>();

  return (
    <TablePage
      title="Email Assets"
      pageActions={
        <>
          <ButtonLink variant="ghost" to={paths.emailTemplates()}>
            Email Templates
          </ButtonLink>
          <ButtonLink to={paths.newEmailAsset()}>+ New Email Asset</ButtonLink>
          <ButtonLink variant="solid" to={paths.newAssetSet()}>
            + New Asset Set
          </ButtonLink>
        </>
      }
      table={table}
      search="Search by name or content"
      filters={<AssetFilters {...table} />}
      noun="asset"
      total={data?.total}
      found={data?.found}
      nothing={{
        title: 'No email assets found',
        cause:
          'Create a set, which is a whole email: an asset is a piece of one, such as a subject line. Automations without a template combine them.',
        action: <ButtonLink to={paths.newAssetSet()}>+ New Asset Set</ButtonLink>,
      }}
      noMatch={{ title: 'No assets match your search' }}
      label="Email assets"
      columns={columns}
      rows={data?.data}
      rowKey={({ id }) => id}
      rowName={nameOf}
      problem={error}
      failure="Failed to load email assets"
      onRetry={mutate}
      busy={isLoading}
      lastPage={data?.last_page}
      isChanging={({ id }) => isChanging(id)}
      actions={asset => [
        { id: 'view', label: 'View', to: paths.emailAsset(asset.id) },
        { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(asset.id) },
        toggleOf(asset),
        { id: 'delete', label: 'Delete', group: 'delete', danger: true, run: () => setDeleting(asset) },
      ]}
    >
      {deleting && <DeleteAsset asset={deleting} onClose={() => setDeleting(undefined)} />}
    </TablePage>
  );
}
