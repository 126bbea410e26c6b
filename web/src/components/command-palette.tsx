import { Combobox, createListCollection } from '@chakra-ui/react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { type Command, findCommands, paletteQuery, useRegisteredCommands } from '../lib/commands.ts';
import { Modal, openModals } from './modal.tsx';

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const commands = useRegisteredCommands();

  // Another modal may have opened while the code of the palette was loading.
  useLayoutEffect(() => {
    if (openModals() > 1) onClose();
  });

  useEffect(() => () => paletteQuery.set(''), []);

  return (
    <CommandSearch
      title="Command palette"
      label="Search pages and commands"
      onQuery={paletteQuery.set}
      commands={commands}
      onClose={onClose}
    />
  );
}

type SearchProps = {
  title: string;
  label: string;
  commands: Command[];
  onQuery?: (query: string) => void;
  onClose: () => void;
};

export const CommandSearch = (props: SearchProps) => (
  <Modal title={props.title} onClose={props.onClose} placement="top" width="560px" bare>
    <Results {...props} />
  </Modal>
);

function Results({ title, label, commands, onQuery, onClose }: SearchProps) {
  const [query, setQuery] = useState('');
  const found = findCommands(commands, query);
  const groups = [...Map.groupBy(found, ({ group }) => group)];
  const items = groups.flatMap(([, grouped]) => grouped);
  const [active, setActive] = useState<string | null>(null);
  const isFound = items.some(({ id }) => id === active);

  function run(id: string | undefined) {
    const command = items.find(item => item.id === id);
    if (!command) return;
    onClose();
    command.run();
  }

  return (
    <Combobox.Root
      open
      disableLayer
      collection={createListCollection({ items, itemToValue: ({ id }) => id, itemToString: it => it.label })}
      value={[]}
      inputValue={query}
      inputBehavior="autohighlight"
      selectionBehavior="preserve"
      highlightedValue={isFound ? active : (items[0]?.id ?? null)}
      onHighlightChange={({ highlightedValue }) => setActive(highlightedValue)}
      onInputValueChange={({ inputValue }) => {
        setQuery(inputValue);
        onQuery?.(inputValue);
        setActive(null);
      }}
      onValueChange={({ value: [id] }) => run(id)}
    >
      <Combobox.Input data-autofocus aria-label={label} placeholder={label} />
      {/* A list box without options would be invalid. */}
      <Combobox.Content aria-label={title} role={found.length === 0 ? 'status' : 'listbox'}>
        {groups.map(([group, grouped]) => (
          <Combobox.ItemGroup key={group}>
            <Combobox.ItemGroupLabel>{group}</Combobox.ItemGroupLabel>
            {grouped.map(command => (
              <Combobox.Item key={command.id} item={command}>
                {command.icon}
                <Combobox.ItemText>{command.label}</Combobox.ItemText>
              </Combobox.Item>
            ))}
          </Combobox.ItemGroup>
        ))}
        {found.length === 0 && <Combobox.Empty>Nothing is called “{query.trim()}”.</Combobox.Empty>}
      </Combobox.Content>
    </Combobox.Root>
  );
}
