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

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

type Props = { label: string; tabs: { name: string; panel: ReactNode }[] };

/** One of several panels at a time. The row of tabs is one stop of the keyboard; arrows go along it. */
export function Tabs({ label, tabs }: Props) {
  const id = useId();
  const [at, setAt] = useState(0);

  function keyDown(event: KeyboardEvent<HTMLDivElement>) {
    const next = STEPS[event.key]?.(at, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
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
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
          >
            {name}
          </Tab>
        ))}
      </List>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${at}`}>
        {tabs[at]?.panel}
      </div>
    </>
  );
}
