import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as z from 'zod/mini';
import { ButtonLink } from '#web/components/button.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { held } from '../support/components/api.ts';
import { button, dialog, field, keys, press, says, shows } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

const Example = z.object({
  name: z
    .string()
    .check(z.minLength(1, 'Name is required'), z.regex(/^\w*$/, 'Name can only contain letters and numbers')),
  note: z.string(),
});

const { TextField, CheckboxField } = fieldsOf<z.input<typeof Example>>();

/** Fails as the server does: with an error of a field, or of the form as a whole. */
async function save({ name }: z.output<typeof Example>) {
  if (name === 'taken') throw new Problem('Invalid', 422, { name: ['This name is taken'] });
  if (name === 'broken') throw new Problem('Something went wrong on our side.', 500);
}

const open = () =>
  render(
    <>
      <Form schema={Example} initial={{ name: '', note: '' }} save={save} onSaved={() => toast('Saved.')}>
        <TextField name="name" label="Name" />
        <TextField name="note" label="Note" />
        <FormActions>
          <SubmitButton loadingText="Saving...">Save</SubmitButton>
        </FormActions>
      </Form>
      <ButtonLink to="/elsewhere">Leave this page</ButtonLink>
    </>,
  );

const name = () => page.getByLabelText('Name');
const note = () => page.getByLabelText('Note');
const leave = () => page.getByRole('link', { name: 'Leave this page' });

it('a form checks by the contract before it sends', async () => {
  open();
  await press('Save');
  await says('Name is required');
  await name().fill('a b');
  await says('Name can only contain letters and numbers');
  await expect.element(name()).toHaveAttribute('aria-invalid', 'true');
});

it('a form shows what the server refuses at its field, or for the form', async () => {
  open();
  await name().fill('taken');
  await press('Save');
  await says('This name is taken');
  await expect.element(name()).toHaveFocus();
  await name().fill('broken');
  await press('Save');
  await says('Something went wrong on our side.');
  await name().fill('fine');
  await press('Save');
  await says('Saved.');
  await expect.element(page.getByText('Something went wrong on our side.')).not.toBeInTheDocument();
});

it('a form asks before it is left with unsaved changes, and not once they are saved', async () => {
  const router = open();
  await note().fill('Something');
  await leave().click();
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await press('Keep editing');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(note()).toHaveValue('Something');
  await name().fill('fine');
  await press('Save');
  await says('Saved.');
  await leave().click();
  await expect.poll(() => router.state.location.pathname).toBe('/elsewhere');
});

it('a form is left without saving when that is confirmed', async () => {
  const router = open();
  await note().fill('Something');
  await leave().click();
  await press('Leave');
  await expect.poll(() => router.state.location.pathname).toBe('/elsewhere');
});

it('what is entered while a form is saved stays, and is unsaved then', async () => {
  const { answer, release } = held<void>();
  const router = render(
    <>
      <Form schema={Example} initial={{ name: 'a', note: '' }} save={answer} onSaved={() => toast('Saved.')}>
        <TextField name="note" label="Note" />
        <FormActions>
          <CancelButton onClick={() => toast('Cancelled.')} />
          <SubmitButton loadingText="Saving...">Save</SubmitButton>
        </FormActions>
      </Form>
      <ButtonLink to="/elsewhere">Leave this page</ButtonLink>
    </>,
  );
  await note().fill('one');
  await press('Save');
  await shows(button('Saving...'));
  await note().fill('two');
  await expect.element(button('Cancel')).toHaveAttribute('aria-disabled', 'true');
  release();
  await says('Saved.');
  await expect.element(note()).toHaveValue('two');
  await leave().click();
  await shows(page.getByRole('dialog', { name: 'Leave without saving?' }));
  expect(router.state.location.pathname).toBe('/');
});

it('a secret is shown while it is wished, and a number that is emptied or is none is told apart', async () => {
  const sent = vi.fn();
  const Secrets = z.object({ key: z.string(), count: z.nullable(z.number('Enter a number')) });
  const { SecretField, NumberField } = fieldsOf<z.input<typeof Secrets>>();
  render(
    <Form schema={Secrets} initial={{ key: 'secret', count: 3 }} save={async values => sent(values)}>
      <SecretField name="key" label="Key" />
      <NumberField name="count" label="Count" min={1} />
      <SubmitButton loadingText="Saving...">Save</SubmitButton>
    </Form>,
  );
  const key = () => page.getByLabelText('Key', { exact: true });
  await expect.element(key()).toHaveAttribute('type', 'password');
  await press('Show key');
  await expect.element(key()).toHaveAttribute('type', 'text');
  await press('Hide key');
  await expect.element(key()).toHaveAttribute('type', 'password');
  await field('Count').fill('');
  await press('Save');
  await expect.poll(() => sent.mock.lastCall).toEqual([{ key: 'secret', count: null }]);
  await field('Count').click();
  await keys('e');
  await press('Save');
  await says('Enter a number');
  expect(sent).toHaveBeenCalledTimes(1);
});

it('a field of a form is one of its schema, of the right type', () => {
  // @ts-expect-error: no field is called so
  const misspelt = <TextField name="nmae" label="Name" />;
  // @ts-expect-error: a name is no choice of two
  const untyped = <CheckboxField name="name">Name</CheckboxField>;
  expect([misspelt, untyped]).toHaveLength(2);
});

it('a form follows what others change, and sends only what was changed in it', async () => {
  const sent = vi.fn();
  function Edited() {
    const [stored, setStored] = useState({ name: 'Ada', note: 'one' });
    return (
      <>
        <Form schema={Example} initial={stored} save={async (_, changed) => sent(changed)}>
          <TextField name="name" label="Name" />
          <TextField name="note" label="Note" />
          <SubmitButton loadingText="Saving...">Save</SubmitButton>
        </Form>
        <button type="button" onClick={() => setStored({ name: 'Grace', note: 'two' })}>
          Change elsewhere
        </button>
      </>
    );
  }
  render(<Edited />);
  await name().fill('Eve');
  await press('Change elsewhere');
  await expect.element(note()).toHaveValue('two');
  await expect.element(name()).toHaveValue('Eve');
  await press('Save');
  await expect.poll(() => sent.mock.lastCall).toEqual([{ name: 'Eve' }]);
  await note().fill('three');
  await press('Save');
  await expect.poll(() => sent.mock.lastCall).toEqual([{ note: 'three' }]);
  await name().fill('Ida');
  await name().fill('Eve');
  await press('Save');
  await expect.poll(() => sent.mock.lastCall).toEqual([{}]);
});

it('the hint of a checkbox describes it, and is no part of its name', async () => {
  const Settings = z.object({ active: z.boolean() });
  const { CheckboxField: Choice } = fieldsOf<z.input<typeof Settings>>();
  render(
    <Form schema={Settings} initial={{ active: true }} save={async () => undefined}>
      <Choice name="active" hint="While it is not, nothing is sent.">
        Active
      </Choice>
    </Form>,
  );
  const choice = page.getByRole('checkbox', { name: 'Active', exact: true });
  await expect.element(choice).toHaveAccessibleDescription('While it is not, nothing is sent.');
});
