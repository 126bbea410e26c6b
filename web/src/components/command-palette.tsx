import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Command, findCommands, useRegisteredCommands } from '../lib/commands.ts';
import { Modal, openModals } from './modal.tsx';

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
const NoResults = chakra('p', { base: { px: '2.5', py: '4', color: 'fg.muted', fontSize: 'sm' } });

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

const STEPS: Record<string, (active: number, count: number) => number> = {
  ArrowDown: (active, count) => (active + 1) % count,
  ArrowUp: (active, count) => (active - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Searches pages and commands. A combobox: the focus stays in the input while arrow keys move in the listbox. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = byGroup(findCommands(useRegisteredCommands(), query));
  const activeCommand = found[active];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  // Another modal may have opened while the code of the palette was loading.
  useLayoutEffect(() => {
    if (openModals() > 1) onClose();
  });

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }

  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      // The focus goes back before the browser acts on the key, which would click what has it then.
      event.preventDefault();
      run(activeCommand);
    }
    const next = STEPS[event.key];
    if (!next || found.length === 0) return;
    event.preventDefault();
    setActive(next(active, found.length));
  }

  return (
    <Modal title="Command palette" onClose={onClose} place="top" width="560px" bare>
      <Field
        data-autofocus
        role="combobox"
        aria-label="Search pages and commands"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={activeCommand && `${id}-${active}`}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Search pages and commands"
        value={query}
        onKeyDown={keyDown}
        onChange={event => {
          setQuery(event.target.value);
          setActive(0);
        }}
      />
      <List ref={list} id={`${id}-list`} role="listbox" aria-label="Pages and commands">
        {found.map((command, index) => (
          <div key={command.id} role="presentation">
            {command.group !== found[index - 1]?.group && <Group aria-hidden>{command.group}</Group>}
            <Option
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onPointerMove={() => setActive(index)}
              onClick={() => run(command)}
            >
              {command.label}
            </Option>
          </div>
        ))}
        {found.length === 0 && <NoResults>Nothing is called “{query.trim()}”.</NoResults>}
      </List>
    </Modal>
  );
}

/** Sorted by group; the groups are in the order of their best match. */
function byGroup(commands: Command[]): Command[] {
  return [...Map.groupBy(commands, ({ group }) => group).values()].flat();
}
