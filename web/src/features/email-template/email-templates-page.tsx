import { Badge } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailTemplateRow } from '#shared/email-template.ts';
import { ButtonLink } from '#web/components/button.tsx';
import type { Column } from '#web/components/data-table.tsx';
import { ActiveStatus } from '#web/components/status.tsx';
import { TablePage } from '#web/components/table-page.tsx';
import { TextLink } from '#web/components/text-link.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { DeleteTemplate } from '#web/entities/email-template/delete-template.tsx';
import { EMAIL_TEMPLATE } from '#web/entities/email-template/email-template.ts';
import { useToggle } from '#web/entities/use-toggle.ts';
import { formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { TEMPLATES_VIEW, TemplateFilters } from './template-filters.tsx';
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

/** The email templates of the organization by name. The server searches, filters and pages them. */
export function EmailTemplatesPage() {
  const table = useTableView(TEMPLATES_VIEW);
  const templates = useTemplates(table);
  const { actionOf: toggleOf, isChanging } = useToggle(EMAIL_TEMPLATE);
  const duplicate = useDuplication({
    invalid: 'Failed to duplicate template: Invalid response',
    failure: 'Failed to duplicate email template',
  });
  const [deleting, setDeleting] = useState<EmailTemplateRow>();

  return (
    <TablePage
      title="Email Templates"
      pageActions={
        <>
          <ButtonLink variant="ghost" to={paths.emailAssets()}>
            Email Assets
          </ButtonLink>
          <ButtonLink variant="solid" to={paths.newEmailTemplate()}>
            + New Email Template
          </ButtonLink>
        </>
      }
      table={table}
      search="Search by name or subject"
      filters={<TemplateFilters {...table} languages={templates.languages} />}
      noun="template"
      total={templates.total}
      found={templates.found}
      nothing={{
        title: 'No email templates found',
        cause: 'Create one: a template is a whole email, with subject, content, button and footer.',
        action: <ButtonLink to={paths.newEmailTemplate()}>+ New Email Template</ButtonLink>,
      }}
      noMatch={{ title: 'No templates match your search' }}
      label="Email templates"
      columns={columns}
      rows={templates.rows}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      problem={templates.problem}
      failure="Failed to load email templates"
      onRetry={templates.retry}
      busy={templates.isLoading}
      loading="Loading templates..."
      lastPage={templates.lastPage}
      isChanging={({ id }) => isChanging(id)}
      actions={template => [
        { id: 'view', label: 'View', to: paths.emailTemplate(template.id) },
        ...(template.can_edit
          ? [
              { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(template.id) },
              toggleOf(template),
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
    >
      {deleting && (
        <DeleteTemplate
          template={deleting}
          failure="Failed to delete email template"
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  );
}
