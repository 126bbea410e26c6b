import { chakra, Input, Textarea } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type ComponentProps, type ComponentType, type ReactNode, useEffect, useRef } from 'react';
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
import { errorsByField } from '../lib/field-errors.ts';
import { registerUnsavedCheck } from '../lib/unsaved.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { ActionError } from './notice.tsx';
import { Select } from './select.tsx';

type Props<Values extends FieldValues, Output, Result> = {
  /** A schema of `shared/`: the server validates with the same one. */
  schema: z.ZodMiniType<Output, Values>;
  initial: DefaultValues<Values>;
  /** Sends the request; the form shows the errors of a failed one. */
  save: (values: Output) => Promise<Result>;
  /** Called with the result of a successful save, when the form has no unsaved input. */
  onSaved?: (result: Result) => void;
  /** Validates while typing, not only on submit; or, with `once left`, from the first blur of a field on. */
  eager?: boolean | 'once left';
  /** The message of a failed save that names no field. */
  failure?: string;
  /** Shows what is wrong with no field, in place of the line below the form. */
  onFailure?: (message: string) => void;
  children: ReactNode;
};

/** Validates before sending, shows the server's errors at their fields, and guards unsaved input. */
export function Form<Values extends FieldValues, Output, Result>(props: Props<Values, Output, Result>) {
  const { schema, initial, save, onSaved, eager, failure, onFailure, children } = props;
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues: initial,
    mode: eager === 'once left' ? 'onTouched' : eager ? 'onChange' : 'onSubmit',
  });
  const { isDirty, isSubmitting } = form.formState;
  const saved = useRef(false);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  useEffect(() => registerUnsavedCheck(() => isDirty && !saved.current), [isDirty]);

  // Input after a save is unsaved again.
  useEffect(() => {
    if (isDirty) saved.current = false;
  }, [isDirty]);

  async function submit(values: Output) {
    const sent = form.getValues();
    let result: Result;
    try {
      result = await save(values);
    } catch (error) {
      return showErrors(form, error, { failure, onFailure });
    }
    if (left.current) return;
    const typed = form.getValues();
    saved.current = true;
    form.reset(sent);
    onSaved?.(result);
    // What was typed while it was saved is unsaved.
    for (const name of Object.keys(sent) as FieldPath<Values>[]) {
      if (isSame(typed[name], sent[name])) continue;
      saved.current = false;
      form.setValue(name, typed[name], { shouldDirty: true });
    }
  }

  return (
    <FormProvider {...form}>
      <form onSubmit={form.handleSubmit(submit)} noValidate aria-busy={isSubmitting}>
        {children}
        <ActionError>{form.formState.errors.root?.message}</ActionError>
      </form>
    </FormProvider>
  );
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function showErrors<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
  { failure, onFailure }: Pick<Props<Values, Output, unknown>, 'failure' | 'onFailure'>,
) {
  const { fields, general } = errorsByField(error, Object.keys(form.getValues()), failure);
  fields.forEach(([name, message], index) => {
    form.setError(name as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
  });
  if (!general) return;
  if (onFailure) onFailure(general);
  else form.setError('root', { message: general });
}

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

/** The buttons of a form: the one that saves comes last, at the right. */
export const FormActions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: '2', mt: '4' },
});

/** Leaves a form, but not while it is being saved: the answer would have nowhere to be shown. */
export function CancelButton(props: Pick<ComponentProps<typeof Button>, 'variant' | 'onClick'>) {
  return (
    <Button {...props} loading={useFormContext().formState.isSubmitting}>
      Cancel
    </Button>
  );
}

type SubmitProps = {
  children: ReactNode;
  loadingText: string;
  /** Disabled while a field has an error. */
  strict?: boolean;
  variant?: 'solid' | 'outline';
  /** Not the one that Enter in a field presses. */
  secondary?: boolean;
  onClick?: () => void;
};

export function SubmitButton(props: SubmitProps) {
  const { children, loadingText, strict = false, variant = 'solid', secondary = false, onClick } = props;
  const button = useRef<HTMLButtonElement>(null);
  const { isSubmitting, errors } = useFormContext().formState;
  const { root, ...fieldErrors } = errors;

  function submit() {
    onClick?.();
    if (secondary) button.current?.form?.requestSubmit();
  }

  return (
    <Button
      ref={button}
      type={secondary ? 'button' : 'submit'}
      variant={variant}
      onClick={submit}
      loading={isSubmitting}
      loadingText={loadingText}
      disabled={strict && Object.keys(fieldErrors).length > 0}
    >
      {children}
    </Button>
  );
}
