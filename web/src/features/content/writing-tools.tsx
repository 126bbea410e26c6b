import { Flex, useFieldContext } from '@chakra-ui/react';
import { Bold, Braces, ImagePlus, Italic, Link, List } from 'lucide-react';
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useState } from 'react';
import type { Part } from '#shared/email/content.ts';
import { OWN_NAMES } from '#shared/email/placeholder.ts';
import { IconButton } from '#web/components/button.tsx';
import { MenuButton } from '#web/components/menu.tsx';
import { useColumns } from '#web/entities/audience/columns.ts';
import { sampleOf } from '#web/entities/email/parts.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { applyTo, linked, listed, marked, placed, type Writable } from '#web/lib/text-edits.ts';

type Props = { part: Part; label: string };

const writable = (id: string) => document.querySelector<Writable>(`#${CSS.escape(id)}`);

/** Of a thousand that an organization may have. */
const MOST_LISTS = 10;

/** Inserts the columns of the organization and the product's own placeholders at the caret. */
export function InsertMenu({ part, label, ...rest }: Props & { height?: string }) {
  const { control } = useFieldContext().ids;
  const [isWanted, setWanted] = useState(false);
  const lists = useOrganizationData('GET /api/email-lists');
  const asked = isWanted ? (lists.data ?? []).slice(0, MOST_LISTS).map(({ id }) => id) : [];
  const { names, valuesOf, ...columns } = useColumns(asked);
  // Otherwise they would move what is below them.
  const isLoading = lists.isLoading || columns.isLoading;
  const load = () => setWanted(true);

  const item = (name: string, group: string, hint: string) => ({
    id: `${group} ${name}`,
    label: name,
    hint,
    group,
    run() {
      const field = writable(control);
      // An address that is completed by a default would lead somewhere.
      const hasDefault = group === 'columns' && part !== 'cta_url';
      if (field) applyTo(field, selected => placed(name, hasDefault, selected));
    },
  });

  return (
    <MenuButton
      variant="ghost"
      fontSize="xs"
      aria-label={`Insert a placeholder into ${label}`}
      onPointerEnter={load}
      onFocus={load}
      items={
        isLoading
          ? [{ id: 'loading', label: 'Loading...', disabled: true }]
          : [
              ...names.map(name => item(name, 'columns', valuesOf(name)[0] ?? sampleOf(name))),
              ...Object.entries(OWN_NAMES).map(([name, about]) => item(name, 'own', about)),
            ]
      }
      {...rest}
    >
      <Braces aria-hidden />
      Insert
    </MenuButton>
  );
}

const TOOLS = [
  { name: 'Bold', key: 'b', Icon: Bold, edit: marked('**') },
  { name: 'Italic', key: 'i', Icon: Italic, edit: marked('*') },
  { name: 'Link', key: 'k', Icon: Link, edit: linked },
  { name: 'List', key: undefined, Icon: List, edit: listed },
];

/** Elsewhere these keys are shortcuts of the app. */
function press(event: KeyboardEvent) {
  const tool = TOOLS.find(({ key }) => key === event.key.toLowerCase());
  if (!tool || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  applyTo(event.currentTarget as Writable, tool.edit);
}

/** One of its buttons is in the tab order; the arrow keys move between them. */
export default function Toolbar({ part, label, onImage }: Props & { onImage: () => void }) {
  const { control } = useFieldContext().ids;
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const field: HTMLElement | null = writable(control);
    field?.addEventListener('keydown', press);
    return () => field?.removeEventListener('keydown', press);
  }, [control]);

  function move(event: ReactKeyboardEvent<HTMLElement>) {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    buttons.at((at + step) % buttons.length)?.focus();
  }

  const place = (index: number) => ({
    tabIndex: index === current ? 0 : -1,
    onFocus: () => setCurrent(index),
  });

  return (
    <Flex
      role="toolbar"
      aria-label={`Formatting of ${label}`}
      aria-controls={control}
      wrap="wrap"
      justify="flex-end"
      onKeyDown={move}
    >
      {TOOLS.map(({ name, key, Icon, edit }, index) => (
        <IconButton
          key={name}
          {...place(index)}
          label={name}
          aria-keyshortcuts={key && `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}`}
          onClick={() => {
            const field = writable(control);
            if (field) applyTo(field, edit);
          }}
        >
          <Icon aria-hidden />
        </IconButton>
      ))}
      <IconButton {...place(TOOLS.length)} label={`Add an image to ${label}`} onClick={onImage}>
        <ImagePlus aria-hidden />
      </IconButton>
      <InsertMenu part={part} label={label} />
    </Flex>
  );
}
