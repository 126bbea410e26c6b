import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { type EmailTemplate, EmailTemplateChange } from '#shared/email-template.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { partsOf } from '#web/entities/email/parts-of.ts';
import { PreviewPane } from '#web/entities/email/preview-pane.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/email-template/email-template.ts';
import { useEntityChange } from '#web/entities/use-entity-change.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { TemplateFields } from './template-fields.tsx';
import { settingsOfTemplate } from './template-settings.ts';

const Changeable = z.pick(EmailTemplateChange, { name: true, is_active: true, automation_ids: true });

/** The form of a template. Its content is shown, but cannot be changed. */
export default function EditTemplateForm({ template }: { template: EmailTemplate }) {
  const { id } = template;
  const change = useEntityChange(EMAIL_TEMPLATE, id);
  const navigate = useNavigate();

  async function save(_: unknown, body: z.output<typeof Changeable>) {
    await change(EMAIL_TEMPLATE.put, body, ({ name, is_active, automations }) => ({
      name,
      is_active,
      automations,
    }));
    toast('Email template updated successfully!', 'success', RESULT_DURATION);
  }

  return (
    <WithPreview>
      <Form
        schema={Changeable}
        initial={settingsOfTemplate(template)}
        save={save}
        onSaved={() => void navigate(paths.emailTemplate(id))}
        failure="Failed to update email template"
        onFailure={message => toast(message, 'error', RESULT_DURATION)}
      >
        <TemplateFields locked={template} />
        <PreviewPane content={partsOf(template)} language={template.language_code} />
        <FormActions>
          <ButtonLink variant="ghost" to={paths.emailTemplates()}>
            Cancel
          </ButtonLink>
          <SubmitButton loadingText="Saving...">Save Template</SubmitButton>
        </FormActions>
      </Form>
    </WithPreview>
  );
}
