import { Box } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import { Checkbox } from './checkbox.tsx';

type Props = { name: string; hint?: string; disabled?: boolean; children: ReactNode };

export function CheckboxField({ name, hint, disabled = false, children }: Props) {
  const about = useId();
  const { field, fieldState } = useController({ name });
  const { value, disabled: _, ...rest } = field;
  const error = fieldState.error?.message;
  return (
    <Box mt="2">
      <Checkbox
        {...rest}
        checked={value}
        invalid={fieldState.invalid}
        disabled={disabled}
        aria-describedby={about}
      >
        {children}
      </Checkbox>
      <Box id={about} role={error && 'alert'} ps="6" color={error ? 'fg.error' : 'fg.muted'} fontSize="xs">
        {error ?? hint}
      </Box>
    </Box>
  );
}
