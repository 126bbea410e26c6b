import type { ComponentProps } from 'react';
import { useController } from 'react-hook-form';
import { AutomationPicker } from './automation-picker.tsx';

type Props = { name: string } & Omit<ComponentProps<typeof AutomationPicker>, 'value' | 'onChange' | 'error'>;

/** The automations that a form links its content to. */
export function AutomationsField({ name, ...rest }: Props) {
  const { field, fieldState } = useController({ name });
  return (
    <AutomationPicker
      {...rest}
      value={field.value}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}
