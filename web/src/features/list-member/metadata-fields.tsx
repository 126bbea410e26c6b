import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../components/button.tsx';
import { TextField } from '../../components/form.tsx';
import { hintFor, parseValue, typeName } from './metadata-value.ts';

const Frame = chakra('fieldset', { base: { mt: '5', minWidth: 0 } });
const Legend = chakra('legend', { base: { fontSize: 'sm', fontWeight: 'medium' } });
const Hint = chakra('p', { base: { fontSize: 'xs', color: 'fg.muted', mb: '2' } });
const Row = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr) 32px',
    gap: '2',
    mb: '3',
    // Beside the inputs, below their labels.
    '& > :last-child': { mt: '24px' },
  },
});

type Rows = { metadata: { key: string; value: string }[] };

/** The metadata of a new member, a row for each key. */
export function MetadataFields() {
  const { control } = useFormContext<Rows>();
  const { fields, append, remove } = useFieldArray({ control, name: 'metadata' });
  const frame = useRef<HTMLFieldSetElement>(null);

  /** Moves the focus to the next row, else to the button: it would be lost with the removed row. */
  function removeRow(index: number) {
    const next = `[name="metadata.${index + 1}.key"]`;
    const target =
      frame.current?.querySelector<HTMLElement>(next) ??
      frame.current?.querySelector<HTMLElement>(':scope > button');
    target?.focus();
    remove(index);
  }

  return (
    <Frame ref={frame}>
      <Legend>Metadata</Legend>
      <Hint>A name, a plan, the date of an order. Dates, such as 2026-11-21, can start automations.</Hint>
      {fields.map(({ id }, index) => (
        <Row key={id}>
          <div>
            <TextField name={`metadata.${index}.key`} label="Key" autoComplete="off" />
          </div>
          <div>
            <Value index={index} />
          </div>
          <IconButton label={`Remove row ${index + 1}`} onClick={() => removeRow(index)}>
            <X aria-hidden />
          </IconButton>
        </Row>
      ))}
      <Button onClick={() => append({ key: '', value: '' })}>Add metadata</Button>
    </Frame>
  );
}

/** Shows the type of the value while typing. */
function Value({ index }: { index: number }) {
  const typed = useFormContext<Rows>().watch(`metadata.${index}.value`);
  const value = parseValue(typed ?? '');
  return (
    <TextField
      name={`metadata.${index}.value`}
      label="Value"
      hint={value === '' ? 'Text' : (hintFor(value) ?? typeName(value))}
      autoComplete="off"
    />
  );
}
