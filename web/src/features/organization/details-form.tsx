import * as z from 'zod/mini';
import { NewOrganization, type Organization } from '#shared/organization.ts';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';
import { useOrganizations } from './use-organizations.ts';

const PUT = 'PUT /api/organizations/{organization}';
const Shape = z.extend(NewOrganization, { active: z.boolean() });
const { TextField, CheckboxField } = fieldsOf<z.input<typeof Shape>>();

export default function DetailsForm({ organization: { id, name, active } }: { organization: Organization }) {
  const { updateInCache } = useOrganizations();
  const change = useOrganizationChange();
  const save = async (_: z.output<typeof Shape>, body: Partial<z.output<typeof Shape>>) =>
    updateInCache(await change(PUT, { params: { organization: String(id) }, body }));
  return (
    <Form
      schema={Shape}
      initial={{ name, active }}
      save={save}
      onSaved={() => toast('Organization saved.')}
      failure="Failed to update organization"
    >
      <TextField name="name" label="Name" />
      <CheckboxField name="active" hint="While an organization is inactive, none of its automations send.">
        Active
      </CheckboxField>
      <FormActions>
        <SubmitButton loadingText="Saving...">Save</SubmitButton>
      </FormActions>
    </Form>
  );
}
