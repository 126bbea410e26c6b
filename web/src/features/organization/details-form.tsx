import * as z from 'zod/mini';
import { Currency } from '#shared/currency.ts';
import { NewOrganization, type Organization } from '#shared/organization.ts';
import { may } from '#shared/permissions.ts';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { askToConfirm } from '#web/lib/confirmation.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';
import { useOrganizations } from './use-organizations.ts';

const PUT = 'PUT /api/organizations/{organization}';
const Shape = z.extend(NewOrganization, {
  active: z.boolean(),
  currency: z.optional(z.union([z.literal(''), Currency])),
});
const { TextField, CheckboxField, SelectField } = fieldsOf<z.input<typeof Shape>>();

const NAMES = new Intl.DisplayNames('en', { type: 'currency' });
const currencies = () =>
  Intl.supportedValuesOf('currency').map(code => ({ value: code, label: `${code} – ${NAMES.of(code)}` }));

export default function DetailsForm({ organization }: { organization: Organization }) {
  const { id, name, active, role, currency: before } = organization;
  const { updateInCache } = useOrganizations();
  const change = useOrganizationChange();
  async function save(_: z.output<typeof Shape>, { currency, ...changed }: Partial<z.output<typeof Shape>>) {
    if (before && currency && currency !== before) await askToConfirm(otherCurrency(before, currency));
    const body = { ...changed, ...(currency && { currency }) };
    await updateInCache(await change(PUT, { params: { organization: String(id) }, body }));
  }
  return (
    <Form
      schema={Shape}
      initial={{ name, active, currency: before ?? '' }}
      save={save}
      onSaved={() => toast('Organization saved.')}
      failure="Failed to update organization"
    >
      <TextField name="name" label="Name" />
      {may(role, 'currency:edit') && (
        <SelectField
          name="currency"
          label="Currency of values"
          hint="Reports show the value of conversions in it. Only the owner can change it."
          options={before ? currencies() : [{ value: '', label: 'None' }, ...currencies()]}
        />
      )}
      <CheckboxField name="active" hint="While an organization is inactive, none of its automations send.">
        Active
      </CheckboxField>
      <FormActions>
        <SubmitButton loadingText="Saving...">Save</SubmitButton>
      </FormActions>
    </Form>
  );
}

const otherCurrency = (before: string, after: string) => ({
  title: `Change the currency to ${after}?`,
  sentences: [
    `Values that were reported so far stay the numbers that they are: they are not converted from ${before}.`,
    `Programs that report values in ${before} are refused from then on.`,
  ],
  confirm: 'Change currency',
});
