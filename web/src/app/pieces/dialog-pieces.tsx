import { useState } from 'react';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Drawer, Modal } from '../../components/modal.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';
import { type Command, useCommands } from '../../lib/commands.ts';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { Row } from './row.tsx';

const CommandPalette = onDemand(() => import('../../components/command-palette.tsx'));

const commands: Command[] = ['Examples', 'Others'].flatMap(group =>
  [1, 2, 3].map(number => ({
    id: `${group}${number}`,
    group,
    label: `${group.slice(0, -1)} ${number}`,
    run: () => toast(`${group.slice(0, -1)} ${number} was chosen.`),
  })),
);

type Open = 'dialog' | 'drawer' | 'confirm' | 'failing' | 'palette' | undefined;

export function DialogPieces() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useCommands(commands);
  return (
    <Section title="Dialogs">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Open a drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Delete something</Button>
        <Button onClick={() => setOpen('failing')}>Delete and fail</Button>
        <Button onClick={() => setOpen('palette')}>Open the command palette</Button>
        <ButtonLink to="/_local/elsewhere">Leave this page</ButtonLink>
      </Row>
      {open === 'dialog' && (
        <Modal title="A dialog" onClose={close}>
          Escape, the cross and a click beside it close it.
        </Modal>
      )}
      {open === 'drawer' && (
        <Drawer title="A drawer" onClose={close}>
          <Button variant="ghost" onClick={close}>
            Close the drawer
          </Button>
        </Drawer>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Delete “Example 01”?"
          confirm="Delete"
          onConfirm={() => toast('Deleted.')}
          onClose={close}
        >
          This action cannot be undone.
        </ConfirmDialog>
      )}
      {open === 'failing' && (
        <ConfirmDialog title="Delete “Example 02”?" confirm="Delete" onConfirm={refuse} onClose={close}>
          This action cannot be undone.
        </ConfirmDialog>
      )}
      {open === 'palette' && <CommandPalette onClose={close} />}
    </Section>
  );
}

const refuse = () => Promise.reject(new Problem('Example 02 is still in use.', 422));
