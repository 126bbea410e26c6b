import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { Checkbox } from './checkbox.tsx';

type Props = { name: string; hint?: string; disabled?: boolean; children: ReactNode };

export function CheckboxField({ name, hint, disabled = false, children }: Props) {
  const { field, fieldState } = useController({ name });
  const { value, disabled: _, ...rest } = field;
  return (
    <Box mt="2">
      <Checkbox {...rest} checked={value} invalid={fieldState.invalid} disabled={disabled}>
        {children}
        {hint && (
          <Box as="span" display="block" color="fg.muted" fontSize="xs">
            {hint}
          </Box>
        )}
      </Checkbox>
    </Box>
  );
}
