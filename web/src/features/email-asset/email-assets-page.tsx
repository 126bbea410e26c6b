import { useRef, useState } from 'react';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { PARTS } from '../../../../shared/email/content.ts';
import type { EmailAssetRow } from '../../../../shared/email-asset.ts';
import { ButtonLink } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoRows } from '../../components/no-rows.tsx';
import { Page } from '../../components/page.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { DeleteAsset } from '../../entities/email-asset/delete-asset.tsx';
import { EMAIL_ASSET, nameOf } from '../../entities/email-asset/email-asset.ts';
import { useToggle } from '../../entities/use-toggle.ts';
import { countText, formatDate, foundText, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { excerptOf } from './asset-texts.ts';
import { AssetsToolbar } from './assets-toolbar.tsx';
import { ASSET_FILTERS, hasFilters } from './assets-view.ts';
import { useAssetDuplication } from './use-asset-duplication.ts';
import { useEmailAssets } from './use-email-assets.ts';

const columns: Column<EmailAssetRow>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: asset => <TextLink to={paths.emailAsset(asset.id)}>{nameOf(asset)}</TextLink>,
  },
  { key: 'type', header: 'Type', width: '150px', collapse: 'value', cell: ({ type }) => PARTS[type] },
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

function linked(automations: AutomationOption[]) {
  const [only, ...others] = automations;
  if (!only) return 'None';
  return others.length === 0 ? only.name : plural(automations.length, 'automation');
}

/** The email assets of the organization, the newest first: searched, filtered and paged by the server. */
export function EmailAssetsPage() {
  const { view, change } = useTableView({ filters: ASSET_FILTERS });
  const { data, error, isLoading, mutate } = useEmailAssets(view);
  const { toggle, isChanging } = useToggle(EMAIL_ASSET);
  const duplicate = useAssetDuplication();
  const [deleting, setDeleting] = useState<EmailAssetRow>();
  const searchField = useRef<HTMLInputElement>(null);
  const isFiltered = hasFilters(view);

  function clearFilters() {
    change({ filters: Object.fromEntries(ASSET_FILTERS.map(name => [name, ''])) });
    searchField.current?.focus();
  }

  return (
    <Page
      title="Email Assets"
      actions={
        <>
          <ButtonLink variant="ghost" to={paths.emailTemplates()}>
            Email Templates
          </ButtonLink>
          <ButtonLink variant="solid" to={paths.newEmailAsset()}>
            + New Email Asset
          </ButtonLink>
        </>
      }
    >
      <AssetsToolbar view={view} searchField={searchField} onChange={filters => change({ filters })} />
      <DataTable
        label="Email assets"
        columns={columns}
        rows={data?.data}
        rowKey={({ id }) => id}
        rowName={nameOf}
        count={
          isFiltered && data?.total
            ? foundText(data.found, data.total, 'asset')
            : countText(data?.total, 'asset')
        }
        problem={error}
        failure="Failed to load email assets"
        onRetry={mutate}
        busy={isLoading}
        view={view}
        onChange={change}
        lastPage={data?.last_page}
        empty={
          <NoRows
            isFiltered={isFiltered}
            noMatch="No assets match your search"
            onClear={clearFilters}
            page={view.page}
            onFirstPage={() => change({ page: 1 })}
          >
            <EmptyState
              title="No email assets found"
              cause="An asset is one piece of an email, such as a subject line. Automations without a template combine them."
              action={<ButtonLink to={paths.newEmailAsset()}>Create an asset</ButtonLink>}
            />
          </NoRows>
        }
        isChanging={({ id }) => isChanging(id)}
        actions={asset => [
          { id: 'view', label: 'View', to: paths.emailAsset(asset.id) },
          { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(asset.id) },
          {
            id: 'active',
            label: asset.is_active ? 'Deactivate' : 'Activate',
            run: () => void toggle(asset, !asset.is_active),
          },
          { id: 'delete', label: 'Delete', group: 'delete', danger: true, run: () => setDeleting(asset) },
        ]}
      />
      {deleting && <DeleteAsset asset={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}
