import { Box, Grid, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '#web/components/button.tsx';
import { fieldsOf, useRemoveRow } from '#web/components/form-fields.tsx';
import type { WebhookValues } from './webhook-form-schema.ts';

const { TextField } = fieldsOf<WebhookValues>();

/** The headers of a webhook, with a row for each. */
export function HeaderFields() {
  const { control, watch } = useFormContext<WebhookValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const { frame, removeRow } = useRemoveRow('headers', remove);

  return (
    <Box as="fieldset" ref={frame} mt="2" minWidth="0">
      <Text as="legend" fontSize="sm" fontWeight="medium">
        Headers
      </Text>
      <Text mb="2" fontSize="xs" color="fg.muted">
        Sent with each request, such as Authorization. Values are stored encrypted and never shown again: left
        empty, they stay.
      </Text>
      {fields.map(({ id, stored }, index) => (
        <Grid key={id} templateColumns="minmax(0, 2fr) minmax(0, 3fr) var(--control)" gap="2">
          <div>
            <TextField name={`headers.${index}.key`} label="Header key" spellCheck={false} />
          </div>
          <div>
            <TextField
              name={`headers.${index}.value`}
              label="Header value"
              spellCheck={false}
              placeholder={
                stored !== null && watch(`headers.${index}.key`) === stored ? 'Unchanged' : undefined
              }
            />
          </div>
          {/* Beside the inputs, below their labels. */}
          <IconButton mt="24px" label={`Remove header ${index + 1}`} onClick={() => removeRow(index)}>
            <X aria-hidden />
          </IconButton>
        </Grid>
      ))}
      <Button onClick={() => append({ key: '', value: '', stored: null })}>Add header</Button>
    </Box>
  );
}
