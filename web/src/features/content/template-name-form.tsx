import * as z from 'zod/mini';
import { type EmailTemplate, EmailTemplateChange } from '#shared/email-template.ts';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/content/content.ts';
import { useEntityChange } from '#web/entities/use-entity.ts';
import { toast } from '#web/lib/toasts.ts';

const Name = z.required(z.pick(EmailTemplateChange, { name: true }));

const { TextField } = fieldsOf<z.input<typeof Name>>();

export default function TemplateNameForm({ template: { id, name } }: { template: EmailTemplate }) {
  const change = useEntityChange(EMAIL_TEMPLATE, id);

  async function save(body: { name: string }) {
    await change(EMAIL_TEMPLATE.put, body, changed => ({ name: changed.name }));
    toast('Template name updated', 'success', RESULT_DURATION);
  }

  return (
    <Form schema={Name} initial={{ name }} save={save} failure="Failed to update template name">
      <TextField name="name" label="Template Name" autoComplete="off" />
      <FormActions>
        <SubmitButton variant="outline" loadingText="Saving...">
          Save
        </SubmitButton>
      </FormActions>
    </Form>
  );
}
