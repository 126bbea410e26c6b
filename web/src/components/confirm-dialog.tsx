import { chakra } from '@chakra-ui/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../lib/problem.ts';
import { Button } from './button.tsx';
import { Field, Input } from './field.tsx';
import { Modal, ModalActions } from './modal.tsx';
import { Notice } from './notice.tsx';

const Question = chakra('div', { base: { color: 'fg.muted', mb: '3', overflowWrap: 'anywhere' } });

const Entry = chakra('div', { base: { mb: '3' } });

type Props = {
  title: string;
  /** What will happen, naming what it happens to. */
  children: ReactNode;
  confirm: string;
  busy?: string;
  cancel?: string;
  /** What is said when it fails, instead of what the server says. */
  failure?: string;
  /** Danger, unless nothing is lost. */
  look?: 'danger' | 'primary';
  /** A name that has to be typed first. */
  typed?: string;
  onConfirm: () => unknown;
  onClose: () => void;
};

/** Asks before something that cannot be taken back; stays open until it is done. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    children,
    confirm,
    busy = 'One moment...',
    cancel = 'Cancel',
    failure,
    look = 'danger',
    typed,
    onConfirm,
    onClose,
  } = props;
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<string>();
  const [entered, setEntered] = useState('');

  async function go(event: FormEvent) {
    event.preventDefault();
    // It may be shown within a form of the page.
    event.stopPropagation();
    setWorking(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(failure ?? messageOf(problem));
      setWorking(false);
    }
  }

  return (
    <Modal title={title} onClose={working ? () => undefined : onClose} width="440px">
      <form onSubmit={go} noValidate>
        <Question>{children}</Question>
        {typed !== undefined && (
          <Entry>
            <Field label={`Type “${typed}” to confirm`}>
              {control => (
                <Input
                  {...control}
                  data-autofocus
                  autoComplete="off"
                  value={entered}
                  onChange={event => setEntered(event.target.value)}
                />
              )}
            </Field>
          </Entry>
        )}
        {error && <Notice tone="error">{error}</Notice>}
        <ModalActions>
          <Button onClick={onClose} data-autofocus={typed === undefined || undefined}>
            {cancel}
          </Button>
          <Button
            type="submit"
            look={look}
            busy={working && busy}
            disabled={typed !== undefined && asShown(entered) !== asShown(typed)}
          >
            {confirm}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}

/** The page shows spaces in a row as one. */
const asShown = (name: string) => name.trim().replace(/\s+/g, ' ');
