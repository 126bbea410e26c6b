import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

const List = chakra('div', {
  base: { display: 'flex', gap: '1', borderBottomWidth: '1px', borderColor: 'border', overflowX: 'auto' },
});

const Tab = chakra('button', {
  base: {
    height: '8',
    px: '3',
    fontSize: 'sm',
    fontWeight: 'medium',
    color: 'fg.muted',
    borderBottomWidth: '2px',
    borderColor: 'transparent',
    _hover: { color: 'fg' },
    _selected: { color: 'fg', borderColor: 'action' },
    _focusVisible: { outlineOffset: '-2px' },
  },
});

const STEPS: Record<string, (selected: number, count: number) => number> = {
  ArrowRight: (selected, count) => (selected + 1) % count,
  ArrowLeft: (selected, count) => (selected - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

type Props = { label: string; tabs: { name: string; panel: ReactNode }[] };

/** Shows one panel at a time. The tab list is one tab stop; arrow keys move between its tabs. */
export function Tabs({ label, tabs }: Props) {
  const id = useId();
  const [selected, setSelected] = useState(0);

  function keyDown(event: KeyboardEvent<HTMLDivElement>) {
    const next = STEPS[event.key]?.(selected, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    setSelected(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }

  return (
    <>
      <List role="tablist" aria-label={label} onKeyDown={keyDown}>
        {tabs.map(({ name }, index) => (
          <Tab
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === selected}
            aria-controls={`${id}-panel`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {name}
          </Tab>
        ))}
      </List>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${selected}`}>
        {tabs[selected]?.panel}
      </div>
    </>
  );
}
