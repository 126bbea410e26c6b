import type { ComponentProps } from 'react';
import { useController } from 'react-hook-form';
import { AutomationPicker } from './automation-picker.tsx';

type Values = { automation_ids?: string[] };
type Props = Omit<ComponentProps<typeof AutomationPicker>, 'value' | 'onChange' | 'error'>;

/** The automations that a form links its content to. */
export function AutomationsField(props: Props) {
  const { field, fieldState } = useController<Values, 'automation_ids'>({ name: 'automation_ids' });
  return (
    <AutomationPicker
      {...props}
      ref={field.ref}
      value={field.value ?? []}
      onChange={field.onChange}
      error={fieldState.error?.message}
    />
  );
}
