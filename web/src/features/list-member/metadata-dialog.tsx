import { useMemo } from 'react';
import { useFormContext } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Metadata, MetadataChange, MetadataEntry, MetadataValue } from '../../../../shared/metadata.ts';
import { Button } from '../../components/button.tsx';
import { Form, SubmitButton, TextareaField, TextField } from '../../components/form.tsx';
import { Modal, ModalActions } from '../../components/modal.tsx';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { entryForm } from './metadata-schema.ts';
import { hintFor, isLong, readAgain, typeName } from './metadata-value.ts';

type Props = {
  /** What is edited; a new entry where there is none. */
  entry: MetadataEntry | undefined;
  among: Metadata;
  put: (change: MetadataChange) => Promise<void>;
  onClose: () => void;
};

export default function MetadataDialog({ entry, among, put, onClose }: Props) {
  const schema = useMemo(() => entryForm(among, entry?.key), [among, entry]);

  async function save({ key, value }: z.output<typeof schema>) {
    if (entry && value === entry.value) return;
    try {
      await put({ [key]: value });
    } catch (problem) {
      throw problem instanceof Problem ? atValue(problem) : problem;
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
          autoComplete="off"
          data-autofocus={entry ? undefined : true}
        />
        <ValueField stored={entry?.value} />
        <ModalActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy="Saving...">Save</SubmitButton>
        </ModalActions>
      </Form>
    </Modal>
  );
}

function ValueField({ stored }: { stored: MetadataValue | undefined }) {
  const typed: unknown = useFormContext().watch('value');
  const value = readAgain(String(typed ?? ''), stored);
  const Control = stored !== undefined && isLong(stored) ? LongField : TextField;
  return (
    <Control
      name="value"
      label="Value"
      hint={
        value === ''
          ? 'Text, a number, true or false, or a date such as 2026-11-21.'
          : (hintFor(value) ?? `Kept as: ${typeName(value).toLowerCase()}`)
      }
      autoComplete="off"
      data-autofocus={stored !== undefined || undefined}
    />
  );
}

type ControlProps = { name: string; label: string; hint: string; autoComplete: string };
const LongField = (props: ControlProps) => <TextareaField rows={8} {...props} />;

/** What the server says of an entry is said at its value. */
const atValue = ({ message, status, fields, said }: Problem) => {
  const faults = Object.values(fields).flat();
  return faults.length > 0
    ? new Problem(message, status, { value: faults }, said)
    : new Problem(message, status, {}, said);
};
