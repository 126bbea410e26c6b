import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Command, findCommands, useOfferedCommands } from '../lib/commands.ts';
import { Modal } from './modal.tsx';

const Field = chakra('input', {
  base: {
    width: 'full',
    height: '12',
    px: '4',
    fontSize: 'lg',
    borderBottomWidth: '1px',
    borderColor: 'border',
    _focusVisible: { outline: 'none' },
  },
});

const List = chakra('div', { base: { p: '2', minHeight: '120px', maxHeight: '50vh', overflowY: 'auto' } });
const Group = chakra('p', {
  base: { px: '2.5', pt: '2', pb: '1', fontSize: 'xs', fontWeight: 'medium', color: 'fg.muted' },
});
const Nothing = chakra('p', { base: { px: '2.5', py: '4', color: 'fg.muted', fontSize: 'sm' } });

const Option = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    height: '9',
    px: '2.5',
    borderRadius: 'md',
    fontSize: 'sm',
    cursor: 'pointer',
    _selected: { bg: 'action', color: 'action.ink' },
  },
});

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Finds what can be done, and does it. The focus stays in the field; the list follows it. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const found = byGroup(findCommands(useOfferedCommands(), typed));
  const chosen = found[at];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }

  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') run(chosen);
    const step = STEPS[event.key];
    if (!step || found.length === 0) return;
    event.preventDefault();
    setAt(step(at, found.length));
  }

  return (
    <Modal title="Go to or do" onClose={onClose} place="top" width="560px" bare>
      <Field
        data-autofocus
        role="combobox"
        aria-label="Search pages and commands"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && `${id}-${at}`}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Search pages and commands"
        value={typed}
        onKeyDown={keyDown}
        onChange={event => {
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <List ref={list} id={`${id}-list`} role="listbox" aria-label="Pages and commands">
        {found.map((command, index) => (
          <div key={command.id} role="presentation">
            {command.group !== found[index - 1]?.group && <Group aria-hidden>{command.group}</Group>}
            <Option
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerMove={() => setAt(index)}
              onClick={() => run(command)}
            >
              {command.label}
            </Option>
          </div>
        ))}
        {found.length === 0 && <Nothing>Nothing is called “{typed.trim()}”.</Nothing>}
      </List>
    </Modal>
  );
}

/** Commands of one group together, the groups in the order of their best find. */
function byGroup(commands: Command[]): Command[] {
  return [...Map.groupBy(commands, ({ group }) => group).values()].flat();
}
