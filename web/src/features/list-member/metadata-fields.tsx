import { Box, Grid, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '#web/components/button.tsx';
import { fieldsOf, useFill, useRemoveRow } from '#web/components/form-fields.tsx';
import { parseValue, typeName } from '#web/entities/list-member/metadata-value.ts';
import { ValueHint } from './value-hint.tsx';

type Rows = { metadata: { key: string; value: string }[] };
const { TextField } = fieldsOf<Rows>();

/** The metadata of a new member, with a row for each key. */
export function MetadataFields() {
  const { control } = useFormContext<Rows>();
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
        <Grid key={id} templateColumns="minmax(0, 2fr) minmax(0, 3fr) 32px" gap="2" mb="3">
          <div>
            <TextField name={`metadata.${index}.key`} label="Key" />
          </div>
          <div>
            <Value index={index} />
          </div>
          {/* Beside the inputs, below their labels. */}
          <IconButton mt="24px" label={`Remove row ${index + 1}`} onClick={() => removeRow(index)}>
            <X aria-hidden />
          </IconButton>
        </Grid>
      ))}
      <Button onClick={() => append({ key: '', value: '' })}>Add metadata</Button>
    </Box>
  );
}

/** Shows the type of the value while typing. */
function Value({ index }: { index: number }) {
  const name = `metadata.${index}.value` as const;
  const { watch } = useFormContext<Rows>();
  const fill = useFill<Rows>();
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
