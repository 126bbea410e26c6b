import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { Checkbox } from './checkbox.tsx';

export function CheckboxField({ name, children }: { name: string; children: ReactNode }) {
  const { field, fieldState } = useController({ name });
  const { value, disabled, ...rest } = field;
  return (
    <Box mt="2">
      <Checkbox {...rest} checked={value} invalid={fieldState.invalid}>
        {children}
      </Checkbox>
    </Box>
  );
}
