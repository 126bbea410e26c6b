import { Input, Textarea } from '@chakra-ui/react';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

type FieldProps = { name: string; label: string; hint?: ReactNode; aside?: ReactNode };

/** A control of the form with its label, hint and error. What is entered is mostly not about the user, so nothing is filled in. */
const fieldWith =
  <Props extends object>(Control: ComponentType<Props>) =>
  ({ name, label, hint, aside, ...rest }: FieldProps & Props) => {
    const { register, getFieldState, formState } = useFormContext();
    return (
      <Field label={label} hint={hint} error={getFieldState(name, formState).error?.message} aside={aside}>
        <Control {...({ autoComplete: 'off', ...register(name), ...rest } as unknown as Props)} />
      </Field>
    );
  };

export const TextField = fieldWith<ComponentProps<typeof Input>>(Input);
export const TextareaField = fieldWith<ComponentProps<typeof Textarea>>(Textarea);
export const SelectField = fieldWith<ComponentProps<typeof Select>>(Select);
