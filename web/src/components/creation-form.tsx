import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { ButtonLink } from './button.tsx';
import { Form, FormActions, SubmitButton } from './form.tsx';

type FormProps<Values extends FieldValues, Output> = ComponentProps<typeof Form<Values, Output, Output>>;

type Props<Values extends FieldValues, Output> = Omit<
  FormProps<Values, Output>,
  'save' | 'onSaved' | 'children'
> & {
  create: (values: Output) => Promise<unknown>;
  /** The initial values of the next form, if there is a button that continues with it. */
  next: (created: Output) => Values;
  /** The page that Cancel leads to, and that is shown at the end. */
  home: string;
  submit: string;
  submitAndContinue?: string | undefined;
  loadingText: string;
  /** The fields; `isNext` is true if one was created before. */
  children: (isNext: boolean) => ReactNode;
};

/** The form of a new item, with a button that saves it and offers the form for another one. */
export function CreationForm<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const { initial, create, next, home, submit, submitAndContinue, loadingText, children, ...rest } = props;
  const [form, setForm] = useState({ number: 0, initial });
  const continues = useRef(false);
  const navigate = useNavigate();

  async function save(values: Output) {
    await create(values);
    return values;
  }

  function continueOrLeave(created: Output) {
    if (continues.current) setForm({ number: form.number + 1, initial: next(created) });
    else void navigate(home, { replace: true });
  }

  return (
    <Form {...rest} key={form.number} initial={form.initial} save={save} onSaved={continueOrLeave}>
      {children(form.number > 0)}
      <FormActions>
        <ButtonLink variant="ghost" to={home}>
          Cancel
        </ButtonLink>
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
