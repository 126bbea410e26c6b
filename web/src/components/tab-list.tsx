import { Tabs } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';

type Props = {
  /** The ids of the tabs and the panels, by index. */
  ids: NonNullable<Tabs.RootProps['ids']>;
  label: string;
  names: string[];
  chosen: number;
  onChoose: (index: number) => void;
};

/** The tabs of a page, whose panels `PageTabs` renders. On a phone they scroll sideways; at first, to the chosen one. */
export default function TabList({ ids, label, names, chosen, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelectorAll('[role=tab]')[chosen];
    if (!list.current || !tab) return;
    const [frame, shown] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    list.current.scrollLeft += Math.max(0, shown.right - frame.right) - Math.max(0, frame.left - shown.left);
  }, [chosen]);

  return (
    <Tabs.Root ids={ids} value={String(chosen)} onValueChange={({ value }) => onChoose(Number(value))}>
      <Tabs.List ref={list} aria-label={label}>
        {names.map((name, index) => (
          <Tabs.Trigger key={name} value={String(index)}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
    </Tabs.Root>
  );
}
