import { type ReactNode, useState } from 'react';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Drawer, Modal } from '../../components/modal.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';
import { commandOf, useCommands } from '../../lib/commands.ts';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { Row } from './row.tsx';

const CommandPalette = onDemand(() => import('../../components/command-palette.tsx'));

const commands = ['Example', 'Other'].flatMap(name =>
  [1, 2, 3].map(number =>
    commandOf(`${name}s`, `${name} ${number}`, '', () => toast(`${name} ${number} was chosen.`)),
  ),
);

type Confirmation = { name: string; onConfirm: () => unknown; onClose: () => void };

const Confirmation = ({ name, ...rest }: Confirmation) => (
  <ConfirmDialog title={`Delete “${name}”?`} confirm="Delete" {...rest}>
    This action cannot be undone.
  </ConfirmDialog>
);

/** By the label of the button that opens it. */
const DIALOGS: Record<string, (close: () => void) => ReactNode> = {
  'Open a dialog': close => (
    <Modal title="A dialog" onClose={close}>
      Escape, the cross and a click beside it close it.
    </Modal>
  ),
  'Open a drawer': close => (
    <Drawer title="A drawer" onClose={close}>
      <Button variant="ghost" onClick={close}>
        Close the drawer
      </Button>
    </Drawer>
  ),
  'Delete something': close => (
    <Confirmation name="Example 01" onConfirm={() => toast('Deleted.')} onClose={close} />
  ),
  'Delete and fail': close => <Confirmation name="Example 02" onConfirm={refuse} onClose={close} />,
  'Open the command palette': close => <CommandPalette onClose={close} />,
};

const refuse = () => Promise.reject(new Problem('Example 02 is still in use.', 422));

export function DialogPieces() {
  const [open, setOpen] = useState('');
  useCommands(commands);
  return (
    <Section title="Dialogs">
      <Row>
        {Object.keys(DIALOGS).map(label => (
          <Button key={label} onClick={() => setOpen(label)}>
            {label}
          </Button>
        ))}
        <ButtonLink to="/_local/elsewhere">Leave this page</ButtonLink>
      </Row>
      {DIALOGS[open]?.(() => setOpen(''))}
    </Section>
  );
}
