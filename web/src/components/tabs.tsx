import { Tabs as ChakraTabs } from '@chakra-ui/react';
import type { ReactNode } from 'react';

type Props = { label: string; tabs: { name: string; panel: ReactNode }[] };

/** Shows one panel at a time. Their numbers are parts of ids, which could not have the spaces of names. */
export const Tabs = ({ label, tabs }: Props) => (
  <ChakraTabs.Root defaultValue="0" lazyMount unmountOnExit>
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
