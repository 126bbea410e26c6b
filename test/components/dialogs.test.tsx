import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as z from 'zod/mini';
import { DraftActions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal, preloadModal } from '#web/components/modal.tsx';
import { askToConfirm, Cancelled } from '#web/lib/confirmation.ts';
import { Problem } from '#web/lib/problem.ts';
import { useAction } from '#web/lib/use-action.ts';
import { held } from '../support/components/api.ts';
import {
  button,
  dialog,
  isGone,
  keys,
  press,
  pressInDialog,
  says,
  shows,
} from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

type Dialog = (close: () => void) => ReactNode;

function Opener({ dialog }: { dialog: Dialog }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

async function open(shown: Dialog) {
  render(<Opener dialog={shown} />);
  await press('Open');
  await shows(dialog());
}

const gone = () => isGone(dialog());

const plain: Dialog = close => (
  <Modal title="A dialog" onClose={close}>
    Escape closes it.
  </Modal>
);

const deletion =
  (onConfirm: () => unknown): Dialog =>
  close => (
    <ConfirmDialog title="Delete “Spring”?" confirm="Delete" onConfirm={onConfirm} onClose={close}>
      This action cannot be undone.
    </ConfirmDialog>
  );

const withForm =
  (save: () => Promise<unknown>): Dialog =>
  close => (
    <Modal title="Create token" onClose={close}>
      <Form schema={z.object({ name: z.string() })} initial={{ name: '' }} save={save} onSaved={close}>
        <TextField name="name" label="Token name" />
        <FormActions>
          <SubmitButton loadingText="Creating...">Create</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );

const { TextField } = fieldsOf<{ name: string }>();

it('a dialog stays open where the page behind it takes the focus, as a new page does', async () => {
  const onClose = vi.fn();
  await preloadModal();
  render(<Opener dialog={() => plain(onClose)} />);
  const opener = button('Open').element() as HTMLElement;
  flushSync(() => opener.click());
  for (let frame = 0; frame < 10; frame++) {
    opener.focus();
    await new Promise(requestAnimationFrame);
  }
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

it('a dialog closes with Escape, and gives the focus back', async () => {
  await open(plain);
  await keys('{Escape}');
  await gone();
  await expect.element(button('Open')).toHaveFocus();
});

it('a dialog closes with a click beside it, and not with one inside', async () => {
  await open(plain);
  await dialog().click({ position: { x: 20, y: 20 } });
  await shows(dialog());
  await userEvent.click(document.documentElement, { position: { x: 5, y: 5 }, force: true });
  await gone();
});

it('a question before deleting begins at the harmless answer', async () => {
  const remove = vi.fn();
  await open(deletion(remove));
  await shows(page.getByRole('dialog', { name: 'Delete “Spring”?' }));
  await expect.element(button('Cancel')).toHaveFocus();
  await press('Delete');
  await gone();
  expect(remove).toHaveBeenCalledTimes(1);
});

it('a question stays open with the reason when it did not work', async () => {
  await open(deletion(() => Promise.reject(new Problem('Spring is still in use.', 422))));
  await press('Delete');
  await says('Spring is still in use.');
  await shows(dialog());
});

it('a question can be neither cancelled nor closed while it waits for its answer', async () => {
  const { answer, release } = held<void>();
  await open(deletion(answer));
  await press('Delete');
  await keys('{Escape}');
  await expect.element(button('Cancel')).toBeDisabled();
  await shows(dialog());
  release();
  await gone();
});

it('a form in a dialog can be neither closed nor discarded while it waits for its answer', async () => {
  const { answer, release } = held<void>();
  await open(withForm(answer));
  await page.getByLabelText('Token name').fill('import');
  await press('Create');
  await shows(button('Creating...'));
  await keys('{Escape}');
  await isGone(page.getByText('What you entered has not been saved.'));
  await shows(dialog());
  release();
  await gone();
});

it('the question about unsaved input moves nothing, and goes when one types on', async () => {
  await open(withForm(async () => undefined));
  const name = page.getByLabelText('Token name');
  const places = () => [dialog(), name].map(one => one.element().getBoundingClientRect().toJSON());
  await name.fill('import');
  const before = places();
  await keys('{Escape}');
  await says('What you entered has not been saved.');
  expect(places()).toEqual(before);
  await press('Keep editing');
  await expect.element(name).toHaveFocus();
  await keys('{Escape}');
  await name.fill('import_2');
  await isGone(page.getByText('What you entered has not been saved.'));
  await keys('{Escape}');
  await press('Discard');
  await gone();
});

it('a question whose code is loaded is there with the press, without waiting for a fallback', async () => {
  await Promise.all([ConfirmDialog.preload(), preloadModal()]);
  const question = (close: () => void) => (
    <ConfirmDialog title="Leave?" confirm="Leave" onConfirm={() => undefined} onClose={close}>
      Nothing has been saved.
    </ConfirmDialog>
  );
  render(<Opener dialog={question} />);
  const opener = document.querySelector('button');
  flushSync(() => opener?.click());
  expect(document.querySelector('[role=dialog]')).not.toBeNull();
});

it('the answer to one question does not answer the next', async () => {
  render(null);
  const question = (title: string) => askToConfirm({ title, sentences: [], confirm: 'Save and send' });
  const first = question('First?');
  const second = expect(question('Second?')).rejects.toBeInstanceOf(Cancelled);
  await dialog().getByRole('button', { name: 'Save and send' }).dblClick();
  expect(await first).toBe(0);
  await shows(page.getByRole('dialog', { name: 'Second?' }));
  await pressInDialog('Cancel');
  await second;
  await gone();
});

it('a question ends, unconfirmed, when its page is left', async () => {
  const router = render(null);
  const question = askToConfirm({ title: 'Send emails?', sentences: [], confirm: 'Save and send' });
  const answered = expect(question).rejects.toBeInstanceOf(Cancelled);
  await shows(dialog());
  await router.navigate('/elsewhere');
  await answered;
  await gone();
});

it('a dialog with a draft stays while that is being saved', async () => {
  const { answer, release } = held<void>();
  const close = vi.fn();
  function Draft() {
    const { run, isRunning, error } = useAction(answer);
    return (
      <Modal title="Link content" onClose={close}>
        <DraftActions error={error} isRunning={isRunning} disabled={false} save={run} onClose={close} />
      </Modal>
    );
  }
  render(<Draft />);
  await pressInDialog('Save');
  await keys('{Escape}');
  await pressInDialog('Close');
  expect(close).not.toHaveBeenCalled();
  release();
  await expect.poll(() => close.mock.calls).toHaveLength(1);
});
