import { zodResolver } from '@hookform/resolvers/zod';
import { type ComponentProps, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import {
  type FieldPath,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
  useFormContext,
  useFormState,
} from 'react-hook-form';
import { useNavigate } from 'react-router';
import type * as z from 'zod/mini';
import { Cancelled } from '../lib/confirmation.ts';
import { messageOf, Problem, serverMessageOr } from '../lib/problem.ts';
import { registerUnsavedCheck } from '../lib/unsaved.ts';
import { canHover } from '../lib/use-media.ts';
import { useIsLeft } from '../lib/use-navigate-from-here.ts';
import { Actions } from './actions.tsx';
import { Button, GhostLink } from './button.tsx';

type Props<Values extends FieldValues, Output, Result> = {
  /** A schema of `shared/`, which the server validates with as well. */
  schema: z.ZodMiniType<Output, Values>;
  /** The stored values, or the defaults for a new item. If they change, fields without unsaved input are updated. */
  initial: Values;
  /** Sends the request with all values, or with the changed ones. The form shows the errors of a failed request. */
  save: (values: Output, changed: Partial<Output>) => Promise<Result>;
  /** Called with the result of a successful save, when the form has no unsaved input. */
  onSaved?: (result: Result) => void;
  /** Validates while typing, not only on submit; or, with `once left`, from the first blur of a field on. */
  eager?: boolean | 'once left';
  /** The message of a failed save that is not about a field. */
  failure?: string;
  /** Called if saving has failed. It replaces the line below the form, even if there are errors of fields. */
  onFailure?: (message: string, problem: unknown) => void;
  /** Of something new, which is typed: its first field gets the focus, but not on a touch screen, whose keyboard would cover the page. */
  isNew?: boolean;
  /** The form element. It has `data-unsaved` while it has unsaved input. */
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
};

const FIELD = ':is(input:not([type=checkbox]), select, textarea):enabled';

/** Changes by other users update the form, but keep unsaved input. */
const FOLLOWING = { keepDirtyValues: true, keepErrors: true, keepTouched: true, keepIsSubmitted: true };

/** Validates before the request, shows the server's errors at their fields, and guards unsaved input. */
export function Form<Values extends FieldValues, Output, Result>(props: Props<Values, Output, Result>) {
  const { schema, initial, save, onSaved, eager, failure, onFailure, isNew, ref, children } = props;
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    values: initial,
    resetOptions: FOLLOWING,
    mode: eager === 'once left' ? 'onTouched' : eager ? 'onChange' : 'onSubmit',
  });
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  const saved = useRef(false);
  const isLeft = useIsLeft();
  useEffect(() => registerUnsavedCheck(() => isDirty && !saved.current), [isDirty]);
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const field = document.getElementById(id)?.querySelector<HTMLElement>(FIELD);
    if (isNew && canHover() && !document.activeElement?.matches('input, textarea, select')) field?.focus();
  }, []);

  async function submit(values: Output) {
    const sent = form.getValues();
    let result: Result;
    try {
      result = await save(values, changedIn(values, dirtyFields));
    } catch (error) {
      if (error instanceof Cancelled) return;
      return showErrors(form, error, { failure, onFailure });
    }
    if (isLeft()) return;
    saved.current = true;
    // Input that was typed during the request is unsaved.
    form.reset(sent, { keepValues: true, keepDirtyValues: false });
    onSaved?.(result);
    saved.current = false;
  }

  return (
    <FormProvider {...form}>
      <form
        id={id}
        ref={ref}
        onSubmit={form.handleSubmit(submit)}
        noValidate
        aria-busy={isSubmitting}
        data-unsaved={isDirty || undefined}
      >
        {children}
      </form>
    </FormProvider>
  );
}

const changedIn = <Output,>(values: Output, dirty: object) =>
  Object.fromEntries(
    Object.entries(values as object).filter(([name]) => Object.hasOwn(dirty, name)),
  ) as Partial<Output>;

function showErrors<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
  { failure, onFailure }: Pick<Props<Values, Output, unknown>, 'failure' | 'onFailure'>,
) {
  const { fields, general } = errorsByField(error, Object.keys(form.getValues()), failure);
  fields.forEach(([name, message], index) => {
    form.setError(name as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
  });
  if (onFailure) onFailure(general ?? failure ?? messageOf(error), error);
  else if (general) form.setError('root', { message: general });
}

type FormErrors = { fields: [name: string, message: string][]; general: string | undefined };

/** The errors of fields in the form are shown at their fields, all others as one general message. */
export function errorsByField(error: unknown, known: readonly string[], fallback?: string): FormErrors {
  if (!(error instanceof Problem)) return { fields: [], general: fallback ?? messageOf(error) };
  const errors = Object.entries(error.fields).flatMap(([name, [first]]) => (first ? [{ name, first }] : []));
  const { fields = [], others = [] } = Object.groupBy(errors, ({ name }) =>
    known.includes(name) ? 'fields' : 'others',
  );
  const whole = errors.length > 0 ? undefined : serverMessageOr(error, fallback ?? error.message);
  return {
    fields: fields.map(({ name, first }) => [name, first]),
    general: others.length > 0 ? others.map(({ first }) => first).join(' ') : whole,
  };
}

/** The buttons of a form; the one that saves comes last. With them, why saving has failed, unless a field has the error. */
export const FormActions = (props: Pick<ComponentProps<typeof Actions>, 'note' | 'children'>) => (
  <Actions error={useFormState().errors.root?.message} {...props} />
);

/** Leaves a form, but not during its request: the response could not be shown any more. */
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
  disabled?: boolean;
  /** Not the default button, which Enter in a field presses. */
  secondary?: boolean;
  onClick?: () => void;
};

export function SubmitButton(props: SubmitProps) {
  const {
    children,
    loadingText,
    strict = false,
    disabled = false,
    variant = 'solid',
    secondary = false,
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  const { isSubmitting, errors } = useFormContext().formState;
  const { root, ...fieldErrors } = errors;

  function submit() {
    props.onClick?.();
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
      disabled={disabled || (strict && Object.keys(fieldErrors).length > 0)}
    >
      {children}
    </Button>
  );
}

type CreationProps<Values extends FieldValues, Output> = Omit<
  Props<Values, Output, Output>,
  'save' | 'onSaved'
> & {
  /** May return the page that is shown at the end, if it is not `home`. */
  create: (values: Output) => Promise<unknown>;
  /** The initial values of the next form, if there is a button that continues with it. */
  next: (created: Output) => Values;
  /** The page that Cancel leads to, and that is shown at the end. */
  home: string;
  submit: string;
  submitAndContinue?: string | undefined;
  loadingText: string;
  /** Beside the buttons. */
  note?: string;
};

/** The form of a new item, with a button that saves it and offers the form for another one. */
export function CreationForm<Values extends FieldValues, Output>(props: CreationProps<Values, Output>) {
  const { initial, create, next, home, submit, submitAndContinue, loadingText, note, children, ...rest } =
    props;
  const [form, setForm] = useState({ number: 0, initial });
  const continues = useRef(false);
  const page = useRef(home);
  const navigate = useNavigate();

  async function save(values: Output) {
    const made = await create(values);
    page.current = typeof made === 'string' ? made : home;
    return values;
  }

  function continueOrLeave(created: Output) {
    if (continues.current) setForm({ number: form.number + 1, initial: next(created) });
    else void navigate(page.current, { replace: true });
  }

  return (
    <Form isNew {...rest} key={form.number} initial={form.initial} save={save} onSaved={continueOrLeave}>
      {children}
      <FormActions note={note}>
        <GhostLink to={home}>Cancel</GhostLink>
        {submitAndContinue && (
          <SubmitButton
            secondary
            variant="outline"
            loadingText={loadingText}
            onClick={() => (continues.current = true)}
          >
            {submitAndContinue}
          </SubmitButton>
        )}
        <SubmitButton loadingText={loadingText} onClick={() => (continues.current = false)}>
          {submit}
        </SubmitButton>
      </FormActions>
    </Form>
  );
}
