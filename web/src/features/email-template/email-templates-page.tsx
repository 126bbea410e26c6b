import { Badge } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import type { EmailTemplateRow } from '../../../../shared/email-template.ts';
import { ButtonLink } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoRows } from '../../components/no-rows.tsx';
import { Page } from '../../components/page.tsx';
import { ActiveStatus } from '../../components/status.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { DeleteTemplate } from '../../entities/email-template/delete-template.tsx';
import { EMAIL_TEMPLATE } from '../../entities/email-template/email-template.ts';
import { useToggle } from '../../entities/use-toggle.ts';
import { countText, formatDate, foundText } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { TemplatesToolbar } from './templates-toolbar.tsx';
import { isFiltered, TEMPLATE_FILTERS } from './templates-view.ts';
import { useDuplication } from './use-duplication.ts';
import { useTemplates } from './use-templates.ts';

const columns: Column<EmailTemplateRow>[] = [
  {
    key: 'name',
    header: 'Template Name',
    cell: ({ id, name }) => <TextLink to={paths.emailTemplate(id)}>{name}</TextLink>,
  },
  {
    key: 'subject_line',
    header: 'Subject Line',
    collapse: 'value',
    cell: ({ subject_line }) => <bdi>{subject_line}</bdi>,
  },
  {
    key: 'language',
    header: 'Language',
    width: '100px',
    cell: ({ language_code }) => <Badge>{language_code.toUpperCase()}</Badge>,
  },
  {
    key: 'status',
    header: 'Status',
    width: '110px',
    cell: ({ is_active }) => <ActiveStatus active={is_active} />,
  },
  {
    key: 'created_at',
    header: 'Created At',
    width: '130px',
    cell: ({ created_at }) => formatDate(created_at),
  },
];

/** The email templates of the organization: searched, filtered and paged by the server, in the order of their names. */
export function EmailTemplatesPage() {
  const { view, change } = useTableView({ filters: TEMPLATE_FILTERS });
  const templates = useTemplates(view);
  const { rows, found, total } = templates;
  const { toggle, isChanging } = useToggle(EMAIL_TEMPLATE);
  const duplicate = useDuplication({
    invalid: 'Failed to duplicate template: Invalid response',
    failure: 'Failed to duplicate email template',
  });
  const [deleting, setDeleting] = useState<EmailTemplateRow>();
  const searchField = useRef<HTMLInputElement>(null);
  const filtered = isFiltered(view.filters);

  function clearFilters() {
    change({ filters: Object.fromEntries(TEMPLATE_FILTERS.map(name => [name, ''])) });
    searchField.current?.focus();
  }

  return (
    <Page
      title="Email Templates"
      actions={
        <>
          <ButtonLink variant="ghost" to={paths.emailAssets()}>
            Email Assets
          </ButtonLink>
          <ButtonLink variant="solid" to={paths.newEmailTemplate()}>
            + New Email Template
          </ButtonLink>
        </>
      }
    >
      <TemplatesToolbar
        view={view}
        languages={templates.languages}
        searchField={searchField}
        onChange={filters => change({ filters })}
      />
      <DataTable
        label="Email templates"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        count={
          filtered && total && found !== undefined
            ? foundText(found, total, 'template')
            : countText(total, 'template')
        }
        problem={templates.problem}
        failure="Failed to load email templates"
        onRetry={templates.retry}
        busy={templates.isLoading}
        loading="Loading templates..."
        view={view}
        onChange={change}
        lastPage={templates.lastPage}
        empty={
          <NoRows
            isFiltered={filtered}
            noMatch="No templates match your search"
            onClear={clearFilters}
            page={view.page}
            onFirstPage={() => change({ page: 1 })}
          >
            <EmptyState
              title="No email templates found"
              cause="A template is a whole email: subject, content, button and footer."
              action={<ButtonLink to={paths.newEmailTemplate()}>Create a template</ButtonLink>}
            />
          </NoRows>
        }
        isChanging={({ id }) => isChanging(id)}
        actions={template => [
          { id: 'view', label: 'View', to: paths.emailTemplate(template.id) },
          ...(template.can_edit
            ? [
                { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(template.id) },
                {
                  id: 'active',
                  label: template.is_active ? 'Deactivate' : 'Activate',
                  run: () => void toggle(template, !template.is_active),
                },
              ]
            : []),
          ...(template.is_owner
            ? [
                {
                  id: 'delete',
                  label: 'Delete',
                  group: 'delete',
                  danger: true,
                  run: () => setDeleting(template),
                },
              ]
            : []),
        ]}
      />
      {deleting && (
        <DeleteTemplate
          template={deleting}
          failure="Failed to delete email template"
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}
