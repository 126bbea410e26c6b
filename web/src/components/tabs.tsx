import { Tabs as ChakraTabs } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = {
  label: string;
  tabs: { name: string; panel: ReactNode }[];
  /** The index of the shown panel, if the caller controls it. */
  chosen?: number;
  onChoose?: (index: number) => void;
};

/** Shows one panel at a time. Ids contain the indexes of the panels, as names may have spaces. */
export const Tabs = ({ label, tabs, chosen, onChoose }: Props) => (
  <ChakraTabs.Root
    {...(chosen === undefined ? { defaultValue: '0' } : { value: String(chosen) })}
    onValueChange={({ value }) => onChoose?.(Number(value))}
    lazyMount
    unmountOnExit
  >
    <ChakraTabs.List aria-label={label}>
      {tabs.map(({ name }, index) => (
        <ChakraTabs.Trigger key={name} value={String(index)}>
          {name}
        </ChakraTabs.Trigger>
      ))}
    </ChakraTabs.List>
    {tabs.map(({ name, panel }, index) => (
      <ChakraTabs.Content key={name} value={String(index)}>
        {panel}
      </ChakraTabs.Content>
    ))}
  </ChakraTabs.Root>
);
