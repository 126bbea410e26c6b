import { useParams } from 'react-router';
import { ButtonLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { LockedNote } from '#web/entities/email/locked-note.tsx';
import { useEmailTemplate } from '#web/entities/email-template/email-template.ts';
import { paths } from '#web/lib/paths.ts';
import { TEMPLATE_FORM } from './template-form-shape.tsx';

const EditTemplateForm = onDemand(() => import('./edit-template-form.tsx'), TEMPLATE_FORM);

export function EditEmailTemplatePage() {
  const { emailTemplate: id = '' } = useParams();
  const { data } = useEmailTemplate(id);
  return (
    <Page
      title="Edit Email Template"
      actions={
        <ButtonLink variant="ghost" to={paths.emailTemplate(id)}>
          Back to the template
        </ButtonLink>
      }
    >
      {!data ? (
        EditTemplateForm.fallback
      ) : data.can_edit ? (
        <>
          {!data.is_owner && (
            <Notice tone="warning" mb="4">
              You can edit this template because you are an admin. Only its owner can transfer ownership or
              delete it.
            </Notice>
          )}
          <LockedNote kind="template" />
          <EditTemplateForm template={data.emailTemplate} />
        </>
      ) : (
        <EmptyState
          title="You cannot edit this template"
          cause="Only its owner and the admins of the organization can."
        />
      )}
    </Page>
  );
}
