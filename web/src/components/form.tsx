import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useRef } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
  useFormContext,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { tellErrors } from '../lib/field-errors.ts';
import { mayBeUnsaved } from '../lib/unsaved.ts';
import { Button } from './button.tsx';
import { Checkbox, Field, Input, Select, Textarea } from './field.tsx';
import { Notice } from './notice.tsx';

type Props<Values extends FieldValues, Read> = {
  /** The shape from the contract: the same that the server checks. */
  schema: z.ZodMiniType<Read, Values>;
  initial: DefaultValues<Values>;
  /** Makes the call; the form takes in what a refusal says. */
  save: (values: Read) => Promise<unknown>;
  /** After the server said yes, when nothing is unsaved any more. */
  onSaved: () => void;
  /** Faults are told while typing, not first when saving; or once a field has been left. */
  eager?: boolean | 'once left';
  /** Said when saving fails for no reason that is known. */
  failure?: string;
  children: ReactNode;
};

/** A form of the contract: checked before it is sent, corrected where the server disagrees, guarded while unsaved. */
export function Form<Values extends FieldValues, Read>(props: Props<Values, Read>) {
  const { schema, initial, save, onSaved, eager, failure, children } = props;
  const form = useForm<Values, unknown, Read>({
    resolver: zodResolver(schema),
    defaultValues: initial,
    mode: eager === 'once left' ? 'onTouched' : eager ? 'onChange' : 'onSubmit',
  });
  const { isDirty } = form.formState;
  const saved = useRef(false);
  useEffect(() => mayBeUnsaved(() => isDirty && !saved.current), [isDirty]);

  // What is typed after saving is unsaved again.
  useEffect(() => {
    if (isDirty) saved.current = false;
  }, [isDirty]);

  async function submit(values: Read) {
    try {
      await save(values);
    } catch (error) {
      return tell(form, error, failure);
    }
    saved.current = true;
    form.reset(form.getValues());
    onSaved();
  }

  return (
    <FormProvider {...form}>
      <form onSubmit={form.handleSubmit(submit)} noValidate>
        {form.formState.errors.root && (
          <GeneralError>
            <Notice tone="error">{form.formState.errors.root.message}</Notice>
          </GeneralError>
        )}
        {children}
      </form>
    </FormProvider>
  );
}

const GeneralError = chakra('div', { base: { mb: '4' } });

function tell<Values extends FieldValues, Read>(
  form: UseFormReturn<Values, unknown, Read>,
  error: unknown,
  failure: string | undefined,
) {
  const { fields, general } = tellErrors(error, Object.keys(form.getValues()), failure);
  fields.forEach(([name, message], index) => {
    form.setError(name as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
  });
  if (general) form.setError('root', { message: general });
}

type FieldProps = { name: string; label: string; hint?: ReactNode };

function useField(name: string) {
  const { register, getFieldState, formState } = useFormContext();
  return { registered: register(name), error: getFieldState(name, formState).error?.message };
}

type TextProps = FieldProps & { aside?: ReactNode } & React.ComponentProps<typeof Input>;

export function TextField({ name, label, hint, aside, ...rest }: TextProps) {
  const { registered, error } = useField(name);
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {control => <Input {...control} {...registered} {...rest} />}
    </Field>
  );
}

export function TextareaField({
  name,
  label,
  hint,
  ...rest
}: FieldProps & React.ComponentProps<typeof Textarea>) {
  const { registered, error } = useField(name);
  return (
    <Field label={label} hint={hint} error={error}>
      {control => <Textarea {...control} {...registered} {...rest} />}
    </Field>
  );
}

export function SelectField({ name, label, hint, children }: FieldProps & { children: ReactNode }) {
  const { registered, error } = useField(name);
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <Select {...control} {...registered}>
          {children}
        </Select>
      )}
    </Field>
  );
}

export function CheckboxField({ name, children }: { name: string; children: ReactNode }) {
  const { registered, error } = useField(name);
  return (
    <Tick>
      <Checkbox {...registered} aria-invalid={error !== undefined}>
        {children}
      </Checkbox>
    </Tick>
  );
}

const Tick = chakra('div', { base: { mt: '4' } });

export const FormActions = chakra('div', { base: { display: 'flex', gap: '2', mt: '5' } });

type SubmitProps = {
  children: ReactNode;
  busy: string;
  /** It waits until every fault is mended. */
  strict?: boolean;
  look?: 'primary' | 'plain';
  onClick?: () => void;
};

export function SubmitButton({ children, busy, strict = false, look = 'primary', onClick }: SubmitProps) {
  const { isSubmitting, errors } = useFormContext().formState;
  const { root, ...faults } = errors;
  return (
    <Button
      type="submit"
      look={look}
      onClick={onClick}
      busy={isSubmitting && busy}
      disabled={strict && Object.keys(faults).length > 0}
    >
      {children}
    </Button>
  );
}
