import { Tabs as ChakraTabs } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = { label: string; tabs: { name: string; panel: ReactNode }[] };

/** Shows one panel at a time. */
export const Tabs = ({ label, tabs }: Props) => (
  <ChakraTabs.Root defaultValue={tabs[0]?.name ?? null} lazyMount unmountOnExit>
    <ChakraTabs.List aria-label={label}>
      {tabs.map(({ name }) => (
        <ChakraTabs.Trigger key={name} value={name}>
          {name}
        </ChakraTabs.Trigger>
      ))}
    </ChakraTabs.List>
    {tabs.map(({ name, panel }) => (
      <ChakraTabs.Content key={name} value={name}>
        {panel}
      </ChakraTabs.Content>
    ))}
  </ChakraTabs.Root>
);
