import { Box, Input } from '@chakra-ui/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAction } from '../lib/use-action.ts';
import { Actions } from './actions.tsx';
import { Button, ignoreDoubleClick } from './button.tsx';
import { CheckboxLabel } from './checkbox-label.tsx';
import { Field } from './field.tsx';
import { Modal } from './modal.tsx';

type Props = {
  title: string;
  children: ReactNode;
  confirm: string;
  loadingText?: string;
  cancel?: string;
  /** The message of a failure for which the server gave no reason. */
  failure?: string;
  danger?: boolean;
  /** A name that the user has to type first. */
  typed?: string;
  /** One of them is chosen, at first the first. */
  choices?: string[];
  /** In place of `confirm`, while another one is chosen. */
  confirmOther?: string;
  onConfirm: (chosen: number) => unknown;
  onClose: () => void;
};

export default function ConfirmContent({ title, children, confirm, onConfirm, onClose, ...props }: Props) {
  const {
    loadingText = 'One moment...',
    cancel = 'Cancel',
    failure,
    danger = true,
    typed,
    choices,
    confirmOther,
  } = props;
  const [chosen, setChosen] = useState(0);
  const { run, isRunning, error } = useAction(() => onConfirm(chosen), { failure });
  const [entered, setEntered] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    // If the dialog is inside of another form, that must not be submitted as well.
    event.stopPropagation();
    if (await run()) onClose();
  }

  return (
    <Modal title={title} onClose={onClose} width="440px">
      <form onSubmit={submit} noValidate aria-busy={isRunning}>
        <Box mb={typed === undefined ? undefined : '3'} color="fg.muted" overflowWrap="anywhere">
          {children}
        </Box>
        {choices && (
          <Box role="radiogroup" aria-label={title} my="3">
            {choices.map((choice, at) => (
              <CheckboxLabel key={choice}>
                <input type="radio" name="choice" checked={at === chosen} onChange={() => setChosen(at)} />
                {choice}
              </CheckboxLabel>
            ))}
          </Box>
        )}
        {typed !== undefined && (
          <Field label={`Type “${typed}” to confirm`}>
            <Input
              data-autofocus
              autoComplete="off"
              value={entered}
              onChange={event => setEntered(event.target.value)}
            />
          </Field>
        )}
        <Actions error={error}>
          <Button loading={isRunning} onClick={onClose} data-autofocus={typed === undefined || undefined}>
            {cancel}
          </Button>
          <Button
            type="submit"
            variant="solid"
            colorPalette={danger ? 'red' : 'gray'}
            loading={isRunning}
            loadingText={loadingText}
            onClickCapture={ignoreDoubleClick}
            disabled={typed !== undefined && withSingleSpaces(entered) !== withSingleSpaces(typed)}
          >
            {chosen > 0 ? confirmOther : confirm}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

/** HTML shows several spaces in a row as one. */
const withSingleSpaces = (name: string) => name.trim().replace(/\s+/g, ' ');
