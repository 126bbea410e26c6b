import { Tabs } from '@chakra-ui/react';

type Props = {
  /** Of the tabs and of the panels, by their index. */
  ids: NonNullable<Tabs.RootProps['ids']>;
  label: string;
  names: string[];
  chosen: number;
  onChoose: (index: number) => void;
};

/** The tabs of a page, whose panels `PageTabs` renders. */
export default function TabList({ ids, label, names, chosen, onChoose }: Props) {
  return (
    <Tabs.Root ids={ids} value={String(chosen)} onValueChange={({ value }) => onChoose(Number(value))}>
      <Tabs.List aria-label={label}>
        {names.map((name, index) => (
          <Tabs.Trigger key={name} value={String(index)}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
    </Tabs.Root>
  );
}
