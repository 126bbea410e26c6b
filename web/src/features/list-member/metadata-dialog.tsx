import { Flex } from '@chakra-ui/react';
import { type ReactNode, useMemo } from 'react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import {
  changed,
  type Metadata,
  type MetadataChange,
  type MetadataEntry,
  type MetadataValue,
  wholeFaultOf,
} from '#shared/metadata.ts';
import { Button } from '#web/components/button.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf, useFill } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import {
  errorsOf,
  hintFor,
  isLong,
  isoReadingsOf,
  parseEdited,
  typeName,
} from '#web/entities/list-member/metadata-value.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';

type Values = z.input<ReturnType<typeof entryForm>>;
const { TextField, TextareaField } = fieldsOf<Values>();

type Props = {
  /** The entry to edit; undefined to add one. */
  entry: MetadataEntry | undefined;
  metadata: Metadata;
  update: (change: MetadataChange) => Promise<unknown>;
  onClose: () => void;
};

export default function MetadataDialog({ entry, metadata, update, onClose }: Props) {
  const schema = useMemo(() => entryForm(metadata, entry?.key), [metadata, entry]);

  async function save({ key, value }: z.output<typeof schema>) {
    if (entry && value === entry.value) return;
    try {
      await update({ [key]: value });
    } catch (problem) {
      throw problem instanceof Problem ? withErrorsAtValue(problem) : problem;
    }
    toast(entry ? 'Metadata saved.' : 'Metadata added.');
  }

  return (
    <Modal title={entry ? `Edit ${entry.key}` : 'Add metadata'} onClose={onClose}>
      <Form
        schema={schema}
        initial={{ key: entry?.key ?? '', value: entry ? String(entry.value) : '' }}
        save={save}
        onSaved={onClose}
      >
        <TextField
          name="key"
          label="Key"
          readOnly={entry !== undefined}
          data-autofocus={entry ? undefined : true}
        />
        <ValueField stored={entry?.value} />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Saving...">Save</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}

function ValueField({ stored }: { stored: MetadataValue | undefined }) {
  const { watch } = useFormContext<Values>();
  const fill = useFill<Values>();
  const value = parseEdited(watch('value'), stored);
  const props = {
    name: 'value' as const,
    label: 'Value',
    hint: (
      <ValueHint value={value} use={text => fill('value', text)}>
        {value === ''
          ? 'Text, a number, true or false, or a date such as 2026-11-21.'
          : `Kept as: ${typeName(value).toLowerCase()}`}
      </ValueHint>
    ),
    'data-autofocus': stored !== undefined || undefined,
  };
  const hasManyLines = stored !== undefined && isLong(stored);
  return hasManyLines ? <TextareaField rows={8} {...props} /> : <TextField {...props} />;
}

/** The server's errors are those of the metadata key. In this form they belong to the field of the value. */
const withErrorsAtValue = ({ message, status, fields, isFromServer }: Problem) => {
  const errors = Object.values(fields).flat();
  return new Problem(message, status, errors.length > 0 ? { value: errors } : {}, isFromServer);
};

type HintProps = {
  value: MetadataValue;
  /** Puts another text into the field and focuses it, as the pressed button disappears. */
  use: (text: string) => void;
  children: ReactNode;
};

/** A hint about a value, below its field, with the dates that may be meant. The value can be saved as it is. */
export function ValueHint({ value, use, children }: HintProps) {
  const readings = isoReadingsOf(value);
  if (readings.length === 0) return hintFor(value) ?? children;
  return (
    <>
      <span>Text: not read as a date.</span>
      <Flex as="span" wrap="wrap" gap="2" mt="1">
        {readings.map(iso => (
          <Button key={iso} onClick={() => use(iso)}>
            {`Use ${iso}`}
          </Button>
        ))}
      </Flex>
    </>
  );
}

export const KEY_EXISTS = 'This key is there already';

export const entryForm = (metadata: Metadata, editing?: string) =>
  z.pipe(
    z.object({ key: z.string(), value: z.string() }),
    z.transform(({ key: typedKey, value: typedValue }, context) => {
      const key = typedKey.trim();
      const value = parseEdited(typedValue, editing === undefined ? undefined : metadata[editing]);
      const addError = (field: string, message: string | undefined) => {
        if (message) context.issues.push({ code: 'custom', input: typedValue, path: [field], message });
      };
      const errors = errorsOf(key, value);
      addError(
        'key',
        errors.key ?? (key !== editing && Object.hasOwn(metadata, key) ? KEY_EXISTS : undefined),
      );
      addError('value', errors.value ?? wholeFaultOf(changed(metadata, { [key]: value })));
      return { key, value };
    }),
  );
