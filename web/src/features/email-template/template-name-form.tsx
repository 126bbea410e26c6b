import { useState } from 'react';
import * as z from 'zod/mini';
import { type EmailTemplate, EmailTemplateChange } from '../../../../shared/email-template.ts';
import { Form, FormActions, SubmitButton, TextField } from '../../components/form.tsx';
import { revalidate, useOrganizationCall } from '../../lib/data.ts';
import { toast } from '../../lib/toasts.ts';
import { updateTemplateInCache } from './template-cache.ts';
import { RESULT_DURATION } from './template-texts.ts';
import { TEMPLATE_ROWS } from './use-templates.ts';

const Named = z.required(z.pick(EmailTemplateChange, { name: true }));

export default function TemplateNameForm({ template: { id, name } }: { template: EmailTemplate }) {
  const call = useOrganizationCall();
  const [initial] = useState({ name });

  async function save(body: { name: string }) {
    const changed = await call('PUT /api/email-templates/{emailTemplate}', {
      params: { emailTemplate: id },
      body,
    });
    await updateTemplateInCache(id, { name: changed.name });
    void revalidate(TEMPLATE_ROWS);
    toast('Template name updated', 'success', RESULT_DURATION);
  }

  return (
    <Form
      schema={Named}
      initial={initial}
      save={save}
      onSaved={() => undefined}
      failure="Failed to update template name"
    >
      <TextField name="name" label="Template Name" autoComplete="off" />
      <FormActions>
        <SubmitButton variant="outline" loadingText="Saving...">
          Save
        </SubmitButton>
      </FormActions>
    </Form>
  );
}
