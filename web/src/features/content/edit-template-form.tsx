import { Box, Input, Textarea } from '@chakra-ui/react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { PARTS } from '#shared/email/content.ts';
import { type EmailTemplate, EmailTemplateChange } from '#shared/email-template.ts';
import { GhostLink } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Select } from '#web/components/select.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/content/content.ts';
import { PART_TEXTS, partsOf } from '#web/entities/email/parts.tsx';
import { useEntityChange } from '#web/entities/use-entity.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { AutomationsField, LANGUAGE_OPTIONS, PART_FIELDS } from './content-fields.tsx';
import { PreviewPane, WithPreview } from './form-preview.tsx';

const Settings = z.pick(EmailTemplateChange, { name: true, is_active: true, automation_ids: true });

const { TextField, CheckboxField } = fieldsOf<z.input<typeof Settings>>();

/** The form of a template. Its content is shown, but cannot be changed. */
export default function EditTemplateForm({ template }: { template: EmailTemplate }) {
  const { id, name, is_active, automations } = template;
  const change = useEntityChange(EMAIL_TEMPLATE, id);
  const navigate = useNavigate();

  async function save(_: unknown, body: z.output<typeof Settings>) {
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
        schema={Settings}
        initial={{ name, is_active, automation_ids: automations.map(automation => automation.id).sort() }}
        save={save}
        onSaved={() => void navigate(paths.emailTemplate(id))}
        failure="Failed to update email template"
        onFailure={message => toast(message, 'error', RESULT_DURATION)}
      >
        <TextField name="name" label="Template Name" autoComplete="off" />
        <LockedContent template={template} />
        <CheckboxField name="is_active" hint="Inactive templates are not available in automations.">
          Active
        </CheckboxField>
        <Box mt="4">
          <AutomationsField route="GET /api/automations-for-templates" />
        </Box>
        <PreviewPane
          content={partsOf(template)}
          language={template.language_code}
          automations={automations.map(({ id }) => id)}
        />
        <FormActions>
          <GhostLink to={paths.emailTemplates()}>Cancel</GhostLink>
          <SubmitButton loadingText="Saving...">Save Template</SubmitButton>
        </FormActions>
      </Form>
    </WithPreview>
  );
}

const LockedContent = ({ template }: { template: EmailTemplate }) => (
  <>
    <Field label="Language" disabled>
      <Select value={template.language_code} options={LANGUAGE_OPTIONS} />
    </Field>
    {PART_FIELDS.map(({ part, rows }) => {
      const value = template[part] ?? '';
      return (
        <Field key={part} label={PARTS[part]} explained={PART_TEXTS[part]} disabled>
          {rows ? <Textarea value={value} rows={rows} dir="auto" /> : <Input value={value} dir="auto" />}
        </Field>
      );
    })}
  </>
);
