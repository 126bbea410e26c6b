import { Box, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { type ListMember, NewListMember } from '#shared/list-member.ts';
import { type Metadata, wholeFaultOf } from '#shared/metadata.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { FieldGrid } from '#web/components/field.tsx';
import { CreationForm } from '#web/components/form.tsx';
import { fieldsOf, useFill, useRemoveRow } from '#web/components/form-fields.tsx';
import { countAdded } from '#web/entities/list/list.ts';
import { errorsOf, parseValue, typeName } from '#web/entities/list-member/metadata-value.ts';
import { useCachedData, useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { KEY_EXISTS, ValueHint } from './metadata-dialog.tsx';

const WARNING_DURATION = 8000;

export const MetadataRows = z.pipe(
  z.array(z.object({ key: z.string(), value: z.string() })),
  z.transform((rows, context): Metadata => {
    const metadata: Metadata = {};
    rows.forEach((row, index) => {
      const key = row.key.trim();
      const value = parseValue(row.value);
      if (key === '' && value === '') return;
      const errors = errorsOf(key, value);
      if (!errors.key && Object.hasOwn(metadata, key)) errors.key = KEY_EXISTS;
      for (const [field, message] of Object.entries(errors)) {
        context.issues.push({ code: 'custom', input: rows, path: [index, field], message });
      }
      if (!errors.key) metadata[key] = value;
    });
    const whole = context.issues.length === 0 ? wholeFaultOf(metadata) : undefined;
    const last = rows.length - 1;
    if (whole) context.issues.push({ code: 'custom', input: rows, path: [last, 'value'], message: whole });
    return metadata;
  }),
);

const Shape = z.object({
  email: NewListMember.shape.email,
  is_subscribed: z.boolean(),
  metadata: MetadataRows,
});

type Values = z.input<typeof Shape>;
const EMPTY: Values = { email: '', is_subscribed: true, metadata: [] };

const { TextField, CheckboxField } = fieldsOf<Values>();

export default function NewListMemberForm({ list }: { list: string }) {
  const change = useOrganizationChange();
  const known = useCachedData('GET /api/email-lists/{list}', { params: { list } });

  async function add(values: z.output<typeof Shape>) {
    const body = { email_list_id: list, ...values };
    const added = await change('POST /api/list-members', { body }).catch(problem => {
      throw withTextOfForm(problem);
    });
    countAdded(added, known);
    toastAdded(added, values.is_subscribed);
  }

  return (
    <Box maxWidth="560px">
      <CreationForm
        schema={Shape}
        initial={EMPTY}
        create={add}
        next={() => EMPTY}
        home={paths.list(list)}
        submit="Add member"
        submitAndContinue="Add and continue"
        loadingText="Adding..."
      >
        <TextField name="email" label="Email" type="email" />
        <CheckboxField name="is_subscribed">Subscribed</CheckboxField>
        <MetadataFields />
      </CreationForm>
    </Box>
  );
}

function MetadataFields() {
  const { control } = useFormContext<Values>();
  const { fields, append, remove } = useFieldArray({ control, name: 'metadata' });
  const { frame, removeRow } = useRemoveRow('metadata', remove);

  return (
    <Box as="fieldset" ref={frame} mt="5" minWidth="0">
      <Text as="legend" fontSize="sm" fontWeight="medium">
        Metadata
      </Text>
      <Text mb="2" fontSize="xs" color="fg.muted">
        A name, a plan, the date of an order. Dates, such as 2026-11-21, can start automations.
      </Text>
      {fields.map(({ id }, index) => (
        <FieldGrid key={id} templateColumns="minmax(0, 2fr) minmax(0, 3fr) 32px" columnGap="2" mb="3">
          <TextField name={`metadata.${index}.key`} label="Key" />
          <Value index={index} />
          {/* Beside the inputs, below their labels. */}
          <IconButton mt="24px" label={`Remove row ${index + 1}`} onClick={() => removeRow(index)}>
            <X aria-hidden />
          </IconButton>
        </FieldGrid>
      ))}
      <Button onClick={() => append({ key: '', value: '' })}>Add metadata</Button>
    </Box>
  );
}

function Value({ index }: { index: number }) {
  const name = `metadata.${index}.value` as const;
  const { watch } = useFormContext<Values>();
  const fill = useFill<Values>();
  const value = parseValue(watch(name) ?? '');
  return (
    <TextField
      name={name}
      label="Value"
      hint={
        <ValueHint value={value} use={text => fill(name, text)}>
          {value === '' ? 'Text' : typeName(value)}
        </ValueHint>
      }
    />
  );
}

function toastAdded({ email, is_subscribed }: ListMember, requested: boolean) {
  if (is_subscribed === requested) return toast(`${email} was added.`);
  const message = `${email} unsubscribed before, and was therefore added as unsubscribed.`;
  return toast(message, 'warning', WARNING_DURATION);
}

/** Keeps the server's message of a refusal; other failures get the message of this form. */
function withTextOfForm(problem: unknown): unknown {
  if (!(problem instanceof Problem)) return problem;
  if (problem.isRefusal) return problem;
  if (problem.status === 500) {
    return new Problem(
      `An error occurred: ${problem.isFromServer ? problem.message : 'this email may already be in the list'}`,
      problem.status,
    );
  }
  return new Problem('An unexpected error occurred. Please try again.', problem.status);
}
