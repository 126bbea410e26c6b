import { Input } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { Field } from './field.tsx';

type Props = {
  name: string;
  label: string;
  hint?: ReactNode;
  min: number;
  placeholder?: string;
  disabled?: boolean;
  /** The value of an empty input; by default null. */
  whenEmpty?: number;
};

/** A number of the form. An invalid number is NaN, which the schema refuses. */
export function NumberField({ name, label, hint, min, placeholder, disabled = false, whenEmpty }: Props) {
  const { register, getFieldState, formState, setValue } = useFormContext();
  const element = useRef<HTMLInputElement>(null);
  const { ref, onBlur, ...registered } = register(name, {
    setValueAs: (entered: unknown) => {
      if (element.current?.validity.badInput) return Number.NaN;
      return entered === '' || entered === null ? null : Number(entered);
    },
  });

  function fillIn() {
    const { value, validity } = element.current ?? {};
    if (whenEmpty !== undefined && value === '' && !validity?.badInput) {
      setValue(name, whenEmpty, { shouldDirty: true, shouldValidate: formState.isSubmitted });
    }
  }

  return (
    <Field
      label={label}
      hint={hint}
      error={getFieldState(name, formState).error?.message}
      disabled={disabled}
    >
      <Input
        {...registered}
        ref={input => {
          element.current = input;
          ref(input);
        }}
        type="number"
        inputMode="numeric"
        step={1}
        min={min}
        placeholder={placeholder}
        autoComplete="off"
        onBlur={async event => {
          await onBlur(event);
          fillIn();
        }}
        // Enter submits the form.
        onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && fillIn()}
        // Scrolling the page over a focused number would change it.
        onWheel={({ currentTarget }) => currentTarget.blur()}
      />
    </Field>
  );
}
